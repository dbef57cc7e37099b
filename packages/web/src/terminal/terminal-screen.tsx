import type { TerminalInfo } from "@lockstep/workbench/contract";
import { createEffect, createSignal, onCleanup, onMount, Show } from "solid-js";
import { keysLabel } from "../commands.js";
import { showProblem } from "../design/index.js";
import { state } from "../replica/state.js";
import { chosenTerminal, focusRequests } from "./chosen.js";
import { closeTerminal } from "./close-terminal.js";
import { TOGGLE } from "./commands.js";
import type { Screen } from "./screen.js";
import { screenReader } from "./screen-reader.js";

/** One terminal; it stays while another is in front. */
export function TerminalScreen(props: { readonly terminal: TerminalInfo }) {
  const [screen, setScreen] = createSignal<Screen | null>(null);
  const { id } = props.terminal;
  const isChosen = () => chosenTerminal()?.id === id;
  const label = () => `Terminal ${props.terminal.title}. ${keysLabel(TOGGLE)} leaves it.`;
  let place: HTMLDivElement | undefined;
  let gone = false;
  onCleanup(() => {
    gone = true;
    screen()?.dispose();
  });

  const closeIfEnded = () => {
    if (props.terminal.exitCode === null) return false;
    void closeTerminal(props.terminal);
    return true;
  };
  onMount(async () => {
    try {
      const { Screen } = await import("./screen.js");
      if (!place || gone) return;
      setScreen(new Screen(place, { id, label: label(), onEnter: closeIfEnded }));
    } catch (problem) {
      showProblem(problem);
    }
  });

  createEffect(() => {
    const shown = screen();
    if (shown) shown.label = label();
  });
  createEffect(() => {
    const { terminalFontSize, fontFamily } = state().settings.now;
    const code = getComputedStyle(document.documentElement).getPropertyValue("--font-code");
    screen()?.setFont(fontFamily === "" ? code : `${fontFamily}, ${code}`, terminalFontSize);
  });
  createEffect(() => {
    const shown = screen();
    if (!shown) return;
    shown.screenReader = screenReader();
    shown.chosen = isChosen();
  });
  createEffect((before: number) => {
    const requests = focusRequests();
    const shown = screen();
    if (!shown || !isChosen()) return before;
    shown.fit();
    if (requests !== before) queueMicrotask(() => shown.focus());
    return requests;
  }, 0);

  return (
    <div
      class="terminal-screen"
      classList={{ "terminal-hidden": !isChosen() }}
      role="tabpanel"
      id={`terminal-screen-${id}`}
      aria-label={props.terminal.title}
    >
      <div class="terminal-place" ref={place} />
      <Show when={!screen()}>
        <p class="terminal-loading" role="status">
          Opening the terminal…
        </p>
      </Show>
      <Show when={props.terminal.exitCode !== null}>
        <p class="terminal-ended" role="status">
          {props.terminal.exitCode === 0
            ? "The shell has ended."
            : `The shell ended with exit code ${props.terminal.exitCode}.`}{" "}
          Press Enter to close this terminal.
        </p>
      </Show>
    </div>
  );
}
