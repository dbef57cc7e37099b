import type { JSX, ParentProps } from "solid-js";
import { Icon, type IconName } from "./icon.js";

export type Tone = "info" | "warn" | "error";
export const TONE_ICONS: Readonly<Record<Tone, IconName>> = {
  info: "info",
  warn: "warning",
  error: "error",
};

interface BannerProps extends ParentProps {
  readonly tone: Tone;
  readonly actions?: JSX.Element;
  readonly thin?: boolean;
}

/** Something to know about what is below it, with what can be done. */
export function Banner(props: BannerProps) {
  return (
    <div
      class={`banner banner-${props.tone}`}
      classList={{ "banner-thin": props.thin ?? false }}
      role={props.tone === "error" ? "alert" : "status"}
    >
      <Icon name={TONE_ICONS[props.tone]} />
      <div class="banner-text">{props.children}</div>
      <div class="banner-actions">{props.actions}</div>
    </div>
  );
}
