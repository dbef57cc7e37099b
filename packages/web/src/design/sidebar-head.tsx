import type { ParentProps } from "solid-js";

/** The first line of a view in the sidebar: its name, and what holds for all that is in it. */
export function SidebarHead(props: ParentProps<{ readonly title: string }>) {
  return (
    <header class="sidebar-head">
      <h2 class="sidebar-title">{props.title}</h2>
      <span class="sidebar-tools">{props.children}</span>
    </header>
  );
}
