/** An Electron editor: the server lives in the main process, the documents in the window. */
import { type Abilities, Changes, type Outcome, type Selection } from "@lockstep/editor";
import { fileUri } from "@lockstep/protocol";
import { serve } from "@lockstep/server";
import { app, BrowserWindow, ipcMain } from "electron";

const changes = new Changes();
let window: BrowserWindow | undefined;
let selection: Selection | null = null;
const decisions = new Map<string, (outcome: Outcome) => void>();

// The window tells of each move of the cursor; how often is no matter, the engine paces itself.
ipcMain.on("selection", (_event, next: Selection | null) => {
  selection = next;
  changes.tell({ kind: "selection" });
});

// The person pressed Accept or Reject in the window's diff view.
ipcMain.on("decided", (_event, proposalId: string, outcome: Outcome) => {
  decisions.get(proposalId)?.(outcome);
  decisions.delete(proposalId);
});

const abilities: Abilities = {
  selection: async () => selection,
  review(proposal) {
    const outcome = new Promise<Outcome>((resolve) => decisions.set(proposal.id, resolve));
    window?.webContents.send("show-proposal", proposal);
    return {
      outcome,
      async withdraw() {
        decisions.delete(proposal.id);
        window?.webContents.send("hide-proposal", proposal.id);
        return proposal.text;
      },
    };
  },
};

await app.whenReady();
window = new BrowserWindow();
const server = await serve({
  name: "Kale",
  folders: [fileUri(process.cwd())],
  abilities,
  subscribe: (listener) => changes.subscribe(listener),
  async [Symbol.asyncDispose]() {},
});

// Without this the lock file would stay until the next start.
app.on("will-quit", (event) => {
  event.preventDefault();
  void server.stop().finally(() => app.exit());
});
