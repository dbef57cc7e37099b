import "./shell.css";
import { createEffect, on, onCleanup, Show } from "solid-js";
import { AskLayer, Banner, ToastArea, TooltipLayer } from "../design/index.js";
import { linkStatus, tell } from "../replica/link.js";
import { state } from "../replica/state.js";
import { view } from "../replica/view.js";
import { Announcer, watchArrivals } from "./arrivals.js";
import { saveOnLeaving } from "./auto-save.js";
import { listenToKeys } from "./keys.js";
import { isNarrow, setSidebarOpen, sidebarOpen } from "./layout.js";
import { MessagesLayer } from "./messages.js";
import { Middle } from "./middle.js";
import { PaletteLayer } from "./palette.js";
import { Panel } from "./panel.js";
import { shownPanel, showPanel } from "./panel-state.js";
import { fetchTheRest, LanguageLayer, QuestionDialog, QuickOpen } from "./parts.js";
import { Rail } from "./rail.js";
import { watchRegions } from "./regions.js";
import { Safe } from "./safe.js";
import { SaveAsLayer } from "./save.js";
import { addShellCommands } from "./shell-commands.js";
import { ShortcutsLayer } from "./shortcuts.js";
import { Sidebar } from "./sidebar.js";
import { StatusBar } from "./status-bar.js";
import { Tabs } from "./tabs.js";
import { watchTurns } from "./turn-notices.js";
import { guardUnload } from "./unsent-edits.js";

const TONES = { information: "info", warning: "warn", error: "error" } as const;

/** The window: rail, sidebar, tabs, middle, panel, status bar, and what lies above them. */
export function Shell() {
  onCleanup(addShellCommands());
  onCleanup(listenToKeys());
  onCleanup(guardUnload());
  onCleanup(saveOnLeaving());
  fetchTheRest();
  watchRegions();
  watchArrivals();
  watchTurns();
  // What was chosen in a sidebar that lies over the middle is to be seen.
  createEffect(on(view, () => isNarrow() && setSidebarOpen(false), { defer: true }));
  const notices = () =>
    Object.values(state().notices).map(({ id, text, severity }) => ({
      id,
      text,
      tone: TONES[severity],
    }));
  return (
    <div class="shell">
      <Show when={linkStatus() === "lost"}>
        <Banner tone="warn" thin>
          Reconnecting to Lockstep… You can go on reading and typing; edits are sent when it is
          back.
        </Banner>
      </Show>
      <div class="shell-body">
        <Rail />
        <Show when={sidebarOpen()}>
          <Sidebar />
        </Show>
        <main class="shell-main">
          <h1 class="unseen">{state().workspace.name}, Lockstep</h1>
          <Tabs />
          <Middle />
          <ToastArea notices={notices()} onDismiss={(id) => tell("notice.dismiss", { id })} />
          <Show when={shownPanel()}>
            <Panel onClose={() => showPanel(null)} />
          </Show>
        </main>
      </div>
      <StatusBar />
      <Announcer />
      <PaletteLayer />
      <ShortcutsLayer />
      <MessagesLayer />
      <SaveAsLayer />
      <AskLayer />
      <Safe what="Quick open">
        <QuickOpen />
      </Safe>
      <Safe what="What is known of the code">
        <LanguageLayer />
      </Safe>
      <Safe what="A question of an agent">
        <QuestionDialog />
      </Safe>
      <TooltipLayer />
    </div>
  );
}
