import { For, Show } from "solid-js";
import { Icon, Progress } from "../design/index.js";
import { linkStatus } from "../replica/link.js";
import { state } from "../replica/state.js";
import { MessagesStatus } from "./messages.js";
import {
  AgentStatus,
  EditorStatus,
  LanguageStatus,
  ProblemStatus,
  SharingStatus,
} from "./parts.js";
import { Safe } from "./safe.js";

export function StatusBar() {
  const work = () => Object.values(state().work);
  return (
    <footer class="shell-status" data-region="status">
      <div class="shell-status-side">
        <Show when={state().workspace.branch}>
          {(branch) => (
            <span class="shell-status-item shell-status-branch" data-tip={`Git branch ${branch()}`}>
              <Icon name="branch" />
              <span class="unseen">Git branch </span>
              <span class="shell-status-cut">{branch()}</span>
            </span>
          )}
        </Show>
        <Safe what="The problems’ status">
          <ProblemStatus />
        </Safe>
        <Safe what="The agents’ status">
          <AgentStatus />
          <SharingStatus />
        </Safe>
      </div>
      <div class="shell-status-side">
        <For each={work()}>
          {({ title, progress }) => (
            <span class="shell-status-item shell-status-work">
              {title}
              <Progress value={progress} label={title} />
            </span>
          )}
        </For>
        <Safe what="The editor’s status">
          <LanguageStatus />
          <EditorStatus />
        </Safe>
        <MessagesStatus />
        <Show when={linkStatus() !== "open"}>
          <span class="shell-status-item shell-status-lost">
            <Icon name="unlink" />
            Offline
          </span>
        </Show>
      </div>
    </footer>
  );
}
