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
    on(channel: string, listener: (event: unknown, ...values: never[]) => void): void;
  };
}
