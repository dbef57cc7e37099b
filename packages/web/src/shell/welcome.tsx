import { For, Show } from "solid-js";
import { commands, keysLabel, runCommand } from "../commands.js";
import { Button, CopyButton, Kbd } from "../design/index.js";
import { state } from "../replica/state.js";
import { Mark } from "./mark.js";

/** Those that a newcomer looks for; one that no part has added is not shown. */
const SHORTCUTS = [
  "file.quickOpen",
  "palette.show",
  "view.search",
  "terminal.toggle",
  "review.nextProposal",
  "agents.mentionSelection",
  "shortcuts.show",
] as const;

/** The middle without a tab: how to bring an agent in, and the few keys to know. */
export function Welcome() {
  const connected = () => Object.values(state().agents).filter(({ left }) => left === null);
  const shortcuts = () =>
    SHORTCUTS.flatMap((id) => commands().filter((command) => command.id === id));
  const canOpenClaude = () =>
    commands().some(({ id, when }) => id === "terminal.claude" && (when?.() ?? true));
  return (
    <div class="shell-welcome">
      <div class="shell-welcome-box">
        <header class="shell-welcome-head">
          <Mark />
          <div>
            <h2 class="shell-welcome-title">{state().workspace.name}</h2>
            <p class="shell-welcome-path">{state().workspace.folders[0]?.path}</p>
          </div>
        </header>

        <section class="shell-card" aria-labelledby="welcome-connect">
          <Show
            when={connected().length > 0}
            fallback={<h3 id="welcome-connect">Connect an agent</h3>}
          >
            <h3 id="welcome-connect" class="shell-welcome-on">
              {names(connected().map(({ name }) => name))}
            </h3>
          </Show>
          <Show
            when={connected().length > 0}
            fallback={
              <>
                <Step text="In Lockstep’s terminal, it connects by itself" command="claude" />
                <Step text="In any other terminal, in this folder" command="claude --ide" />
              </>
            }
          >
            <p class="shell-card-text">
              It sees what you select, and shows its edits here for you to accept or reject.
            </p>
          </Show>
          <div class="shell-card-actions">
            <Show
              when={canOpenClaude()}
              fallback={
                <Button
                  kind="primary"
                  icon="terminal"
                  onClick={() => runCommand("terminal.toggle")}
                >
                  Open the terminal
                </Button>
              }
            >
              <Button kind="primary" icon="terminal" onClick={() => runCommand("terminal.claude")}>
                Open Claude Code
              </Button>
            </Show>
          </div>
        </section>

        <section aria-label="Keys to know">
          <ul class="shell-shortcuts">
            <For each={shortcuts()}>
              {(command) => (
                <li>
                  <button
                    type="button"
                    class="shell-shortcut"
                    onClick={() => runCommand(command.id)}
                  >
                    <span>{command.title.replace(/^[^:]+: /, "")}</span>
                    <Show when={command.keys?.[0]}>
                      {(chord) => <Kbd keys={keysLabel(chord())} />}
                    </Show>
                  </button>
                </li>
              )}
            </For>
          </ul>
        </section>
      </div>
    </div>
  );
}

function Step(props: { readonly text: string; readonly command: string }) {
  return (
    <div class="shell-step">
      <span class="shell-step-text">{props.text}</span>
      <span class="shell-command">
        <code>{props.command}</code>
        <CopyButton text={props.command} label={`Copy “${props.command}”`} />
      </span>
    </div>
  );
}

function names(all: readonly string[]): string {
  const [one, ...more] = [...new Set(all)];
  return more.length === 0 ? `${one} is connected` : `${[one, ...more].join(", ")} are connected`;
}
