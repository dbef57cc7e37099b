import type { LogEntry } from "@lockstep/workbench/contract";
import { createMemo, createSignal, For, Show } from "solid-js";
import { Button, CopyButton, Icon, type IconName } from "../design/index.js";
import { shownText } from "../design/shown-text.js";
import { followLog } from "./agent-log.js";

type Filter = "all" | "sent" | "withheld" | "called";
const FILTERS: readonly { readonly filter: Filter; readonly label: string }[] = [
  { filter: "all", label: "All" },
  { filter: "sent", label: "Sent" },
  { filter: "withheld", label: "Withheld" },
  { filter: "called", label: "Called" },
];
const ICONS: Readonly<Record<LogEntry["kind"], IconName>> = {
  sent: "arrow-up",
  withheld: "eye-off",
  called: "arrow-down",
  event: "info",
};
const NAMES: Readonly<Record<LogEntry["kind"], string>> = {
  sent: "Sent",
  withheld: "Withheld",
  called: "Called",
  event: "Event",
};
/** The wire's names for what is sent all the time, in the words of the person who did it. */
const WORDS: Readonly<Record<string, string>> = {
  selection_changed: "Selection",
  at_mentioned: "Mention",
  diagnostics_changed: "Problems",
  "workspace/didChangeActiveEditor": "Active file",
};
const PAGE = 100;

/** What passed between one agent and this editor, the newest on top. */
export function LogView(props: { readonly agent: string | undefined }) {
  const [filter, setFilter] = createSignal<Filter>("all");
  const [shown, setShown] = createSignal(PAGE);
  const entries = followLog(() => props.agent);
  const matching = createMemo(() =>
    runs(entries().filter(({ kind }) => filter() === "all" || kind === filter())).toReversed(),
  );
  return (
    <section class="agents-log" aria-label="Log">
      <fieldset class="agents-filters" aria-label="Show in the log">
        <For each={FILTERS}>
          {(each) => (
            <button
              type="button"
              class="agents-filter"
              aria-pressed={filter() === each.filter}
              onClick={() => setFilter(each.filter)}
            >
              {each.label}
            </button>
          )}
        </For>
      </fieldset>
      <div class="agents-entries">
        <For each={matching().slice(0, shown())}>
          {(run) => <Entry entry={run.last} times={run.times} />}
        </For>
        <Show when={matching().length === 0}>
          <p class="agents-none">{filter() === "all" ? "Nothing yet." : "Nothing of this kind."}</p>
        </Show>
        <Show when={matching().length > shown()}>
          <Button kind="quiet" size="s" onClick={() => setShown((count) => count + PAGE)}>
            Show older
          </Button>
        </Show>
      </div>
    </section>
  );
}

const [opened, setOpened] = createSignal<ReadonlySet<string>>(new Set<string>());

function Entry(props: { readonly entry: LogEntry; readonly times: number }) {
  const key = () => `${props.entry.number} ${props.entry.at}`;
  const isOpen = () => opened().has(key());
  const toggle = () =>
    setOpened(
      (all) => new Set(isOpen() ? [...all].filter((one) => one !== key()) : [...all, key()]),
    );
  return (
    <div class={`agents-entry agents-entry-${props.entry.kind}`}>
      <button
        type="button"
        class="agents-entry-line"
        aria-expanded={props.entry.detail === "" ? undefined : isOpen()}
        disabled={props.entry.detail === ""}
        onClick={toggle}
      >
        <Icon name={ICONS[props.entry.kind]} class="agents-entry-icon" />
        <span class="unseen">{NAMES[props.entry.kind]}: </span>
        <Title entry={props.entry} />
        <Show when={props.times > 1}>
          <span class="agents-outcome">×{props.times}</span>
        </Show>
        <Outcome entry={props.entry} />
        <time class="agents-entry-time" dateTime={new Date(props.entry.at).toISOString()}>
          {new Date(props.entry.at).toLocaleTimeString([], { hour12: false })}
        </time>
      </button>
      <Show when={isOpen()}>
        <div class="agents-detail">
          <pre>{shownText(readable(props.entry.detail))}</pre>
          <CopyButton text={props.entry.detail} label="Copy the message" />
        </div>
      </Show>
    </div>
  );
}

interface Run {
  readonly last: LogEntry;
  readonly times: number;
}

/** The same thing sent over and over, as the cursor moves, is one line. */
function runs(entries: readonly LogEntry[]): readonly Run[] {
  const found: Run[] = [];
  for (const entry of entries) {
    const before = found.at(-1);
    const again = before && entry.kind === "sent" && before.last.title === entry.title;
    if (again) found[found.length - 1] = { last: entry, times: before.times + 1 };
    else found.push({ last: entry, times: 1 });
  }
  return found;
}

/** What it was, quietly, then what it was about. */
function Title(props: { readonly entry: LogEntry }) {
  const parts = () => {
    const { kind, title } = props.entry;
    const [, name = "", about = ""] = /^(\S+) ?(.*)$/s.exec(title) ?? [];
    return kind === "sent" || kind === "called" ? { name, about } : { name: "", about: title };
  };
  return (
    <span class="agents-entry-title" data-tip={props.entry.title}>
      <Show when={parts().name}>
        {(name) => <span class="agents-entry-name">{WORDS[name()] ?? name()} </span>}
      </Show>
      {parts().about}
    </span>
  );
}

function Outcome(props: { readonly entry: LogEntry }) {
  const words = () => {
    const { outcome, milliseconds } = props.entry;
    if (outcome === "waiting") return "waiting";
    const time = milliseconds === undefined ? "" : duration(milliseconds);
    return outcome === "failed" ? `failed ${time}` : time;
  };
  return (
    <Show when={props.entry.outcome}>
      {(outcome) => <span class={`agents-outcome agents-outcome-${outcome()}`}>{words()}</span>}
    </Show>
  );
}

function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return `${Math.round(milliseconds / 60_000)} min`;
}

/** Indented where the message is whole. */
function readable(detail: string): string {
  try {
    return JSON.stringify(JSON.parse(detail), null, 2);
  } catch {
    return detail;
  }
}
