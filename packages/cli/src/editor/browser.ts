import { spawn } from "node:child_process";

/** A program that ends well within this, or still runs after it, has opened the address. */
const PATIENCE_MS = 2_000;

type CommandLine = readonly [program: string, ...args: string[]];

/** Opens an address in the person's browser. False if there is none to be found. */
export async function openBrowser(
  url: string,
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  for (const line of candidates(url, env, platform)) {
    if (await succeeds(line, env)) return true;
  }
  return false;
}

/** The person's own choice first, then what the system offers. */
export function candidates(
  url: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): readonly CommandLine[] {
  const chosen = (env.BROWSER ?? "").split(platform === "win32" ? ";" : ":");
  const own = chosen.filter((line) => line.trim() !== "").map((line) => withUrl(line, url));
  return [...own, ...systemBrowsers(url, env, platform)];
}

function systemBrowsers(
  url: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): readonly CommandLine[] {
  if (platform === "darwin") return [["open", url]];
  if (platform === "win32") return [["cmd.exe", "/c", "start", '""', url]];
  const wsl: CommandLine[] = env.WSL_DISTRO_NAME ? [["wslview", url]] : [];
  // Without a screen it would start a browser in this terminal, or none.
  const screen = env.DISPLAY || env.WAYLAND_DISPLAY;
  return screen ? [...wsl, ["xdg-open", url]] : wsl;
}

/** As is the custom for $BROWSER: words, with %s for the address or the address at the end. */
function withUrl(line: string, url: string): CommandLine {
  const words = line.trim().split(/\s+/);
  const placed = words.map((word) => word.replaceAll("%s", () => url));
  const [program = "", ...args] = line.includes("%s") ? placed : [...words, url];
  return [program, ...args];
}

function succeeds([program, ...args]: CommandLine, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      detached: true,
      env,
      stdio: "ignore",
      windowsVerbatimArguments: program === "cmd.exe",
    });
    child.unref();
    const timer = setTimeout(() => resolve(true), PATIENCE_MS);
    const end = (good: boolean) => {
      clearTimeout(timer);
      resolve(good);
    };
    child.once("error", () => end(false));
    child.once("exit", (code) => end(code === 0));
  });
}
