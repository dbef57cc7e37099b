/** How the system's Chromium is started, with Playwright, so that it calls nobody. */
export const quietChromium: { readonly executablePath: string; readonly args: string[] };
