import type { LanguageServerInfo } from "@lockstep/workbench/contract";
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { Button, Icon, Progress, showProblem } from "../design/index.js";
import { shownText } from "../design/shown-text.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { serversLabel, statusWords, worstOf } from "./server-words.js";

const [isOpen, setOpen] = createSignal(false);
export const showServers = (): void => void setOpen(true);

const servers = (): readonly LanguageServerInfo[] => Object.values(state().languageServers);
export const hasServers = (): boolean => servers().length > 0;

/** What language servers do: progress while one starts or indexes, and what is wrong with one. */
export function LanguageStatus() {
  const worst = () => worstOf(servers());
  const isTrouble = () => worst()?.status === "failed" || worst()?.status === "waiting";
  let button: HTMLButtonElement | undefined;
  return (
    <Show when={worst()}>
      {(first) => (
        <>
          <button
            ref={button}
            type="button"
            class="shell-status-item language-status"
            classList={{ "language-status-trouble": isTrouble() }}
            aria-haspopup="dialog"
            aria-expanded={isOpen()}
            data-tip="Language servers"
            onClick={() => setOpen(!isOpen())}
          >
            <Icon name={isTrouble() ? "warning" : "braces"} />
            <span class="shell-status-cut">{shownText(serversLabel(servers()))}</span>
            <Show when={first().status === "working"}>
              <Progress value={first().progress} label={`${first().name} works`} />
            </Show>
          </button>
          <Show when={isOpen()}>
            <ServerList owner={() => button} onClose={() => setOpen(false)} />
          </Show>
        </>
      )}
    </Show>
  );
}

function ServerList(props: {
  readonly owner: () => HTMLElement | undefined;
  readonly onClose: () => void;
}) {
  let element: HTMLDivElement | undefined;
  const close = (focus: boolean) => {
    props.onClose();
    if (focus) props.owner()?.focus();
  };
  onMount(() => {
    const owner = props.owner()?.getBoundingClientRect();
    if (!element || !owner) return;
    element.showPopover();
    const { width } = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(owner.left, innerWidth - width - 4))}px`;
    element.style.bottom = `${innerHeight - owner.top + 4}px`;
    element.focus();
    const listening = new AbortController();
    const { signal } = listening;
    const outside = (event: Event) => {
      const target = event.target as Node;
      if (!element?.contains(target) && !props.owner()?.contains(target)) close(false);
    };
    document.addEventListener("pointerdown", outside, { signal, capture: true });
    window.addEventListener("resize", () => close(false), { signal });
    onCleanup(() => listening.abort());
  });
  return (
    <div
      ref={element}
      class="servers"
      role="dialog"
      tabindex="-1"
      popover="manual"
      aria-label="Language servers"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        close(true);
      }}
    >
      <ul>
        <For each={servers()}>
          {(server) => (
            <li class={`server server-${server.status}`}>
              <span class="server-dot" />
              <div class="server-text">
                <div class="server-head">
                  <span class="server-name">{shownText(server.name)}</span>
                  <span class="server-state">{statusWords(server.status)}</span>
                </div>
                <Show when={server.detail}>
                  <p class="server-detail">{shownText(server.detail)}</p>
                </Show>
                <Show when={server.status === "working"}>
                  <Progress value={server.progress} label={`${server.name} works`} />
                </Show>
              </div>
              <Button
                size="s"
                kind={server.status === "ready" ? "quiet" : "plain"}
                aria-label={`Restart ${server.name}`}
                onClick={() => void call("language.restart", { id: server.id }).catch(showProblem)}
              >
                {server.status === "missing" ? "Try again" : "Restart"}
              </Button>
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}
