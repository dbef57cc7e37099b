import type { ParentProps } from "solid-js";

interface BadgeProps extends ParentProps {
  readonly tone?: "accent" | "neutral" | "good" | "bad" | "warn";
}

/** A count or a word, small enough to stand beside a name. */
export function Badge(props: BadgeProps) {
  return <span class={`badge badge-${props.tone ?? "neutral"}`}>{props.children}</span>;
}
