import { type JSX, type ParentProps, Show } from "solid-js";
import { Icon, type IconName } from "./icon.js";

interface EmptyStateProps extends ParentProps {
  readonly icon?: IconName;
  readonly title: string;
  readonly actions?: JSX.Element;
}

/** What stands where nothing is yet: what this place is for, and the next step. */
export function EmptyState(props: EmptyStateProps) {
  return (
    <div class="empty">
      <Show when={props.icon}>{(name) => <Icon name={name()} class="empty-icon" />}</Show>
      <p class="empty-title">{props.title}</p>
      <div class="empty-text">{props.children}</div>
      <Show when={props.actions}>
        <div class="empty-actions">{props.actions}</div>
      </Show>
    </div>
  );
}
