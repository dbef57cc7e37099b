import type { TerminalInfo } from "@lockstep/workbench/contract";
import { createEffect, Show } from "solid-js";
import { Icon } from "../design/index.js";
import { state } from "../replica/state.js";
import { allTerminals, chooseTerminal, chosenTerminal, focusTerminal } from "./chosen.js";
import { closeTerminal } from "./close-terminal.js";

/** A terminal's name; arrows step through them, Delete closes, Enter goes into the terminal. */
export function TerminalTab(props: { readonly terminal: TerminalInfo }) {
  const { id } = props.terminal;
  const isChosen = () => chosenTerminal()?.id === id;
  /** Several of one name are counted. */
  const name = () => {
    const { title } = props.terminal;
    const same = allTerminals().filter((other) => other.title === title);
    const at = same.findIndex((other) => other.id === id);
    return at > 0 ? `${title} ${at + 1}` : title;
  };
  let tab: HTMLDivElement | undefined;
  createEffect(() => {
    if (isChosen())
      queueMicrotask(() => tab?.scrollIntoView({ block: "nearest", inline: "nearest" }));
  });
  const agent = () => {
    const { agent } = props.terminal;
    return agent === null ? undefined : state().agents[agent]?.name;
  };
  const tip = () =>
    agent() === undefined
      ? props.terminal.title
      : `${props.terminal.title} — ${agent()} is connected`;
  const close = () => void closeTerminal(props.terminal);
  const onKey = (event: KeyboardEvent) => {
    const all = allTerminals();
    const at = all.findIndex((other) => other.id === id);
    const steps: Readonly<Record<string, TerminalInfo | undefined>> = {
      ArrowLeft: all.at(at - 1),
      ArrowRight: all[(at + 1) % all.length],
      Home: all[0],
      End: all.at(-1),
    };
    const next = steps[event.key];
    if (next) {
      chooseTerminal(next.id);
      document.getElementById(tabId(next.id))?.focus();
    } else if (event.key === "Delete") close();
    else if (event.key === "Enter" || event.key === " ") focusTerminal();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={tab}
      id={tabId(id)}
      role="tab"
      class="terminal-tab"
      aria-selected={isChosen()}
      aria-controls={`terminal-screen-${id}`}
      tabIndex={isChosen() ? 0 : -1}
      data-tip={tip()}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        // The focus goes to the terminal itself.
        event.preventDefault();
        chooseTerminal(id);
        focusTerminal();
      }}
      onAuxClick={(event) => event.button === 1 && close()}
      onKeyDown={onKey}
    >
      <Icon name={props.terminal.agent === null ? "terminal" : "agent"} />
      <span class="terminal-tab-name">{name()}</span>
      <Show when={props.terminal.exitCode !== null}>
        <span class="terminal-tab-end" classList={{ "terminal-failed": !!props.terminal.exitCode }}>
          {props.terminal.exitCode === 0 ? "ended" : `exit ${props.terminal.exitCode}`}
        </span>
      </Show>
      <span
        class="terminal-tab-close"
        aria-hidden="true"
        onPointerDown={(event) => event.stopPropagation()}
        onClick={close}
      >
        <Icon name="close" />
      </span>
    </div>
  );
}

const tabId = (id: string) => `terminal-tab-${id}`;
