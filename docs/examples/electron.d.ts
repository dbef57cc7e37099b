/** As much of Electron as the example uses, so that it is checked without Electron's download. */
declare module "electron" {
  export const app: {
    whenReady(): Promise<void>;
    on(event: "will-quit", listener: (event: { preventDefault(): void }) => void): void;
    exit(): void;
  };
  export class BrowserWindow {
    readonly webContents: { send(channel: string, ...values: unknown[]): void };
  }
  export const ipcMain: {
    // biome-ignore lint/suspicious/noExplicitAny: what a window sends is untyped in Electron too.
    on(channel: string, listener: (event: unknown, ...values: any[]) => void): void;
  };
}
