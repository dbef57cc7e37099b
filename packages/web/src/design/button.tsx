import { type ComponentProps, Show, splitProps } from "solid-js";
import { Icon, type IconName } from "./icon.js";

interface ButtonProps extends ComponentProps<"button"> {
  /** "plain" has an edge, "quiet" none; one "primary" at most in a group. */
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  readonly size?: "s" | "m";
  readonly icon?: IconName;
}

export function Button(props: ButtonProps) {
  const [own, rest] = splitProps(props, ["kind", "size", "icon", "class", "children"]);
  return (
    <button
      type="button"
      {...rest}
      class={`button button-${own.kind ?? "plain"} button-${own.size ?? "m"} ${own.class ?? ""}`}
    >
      <Show when={own.icon}>{(name) => <Icon name={name()} />}</Show>
      {own.children}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<"button"> {
  readonly icon: IconName;
  /** Its name, and its tooltip. */
  readonly label: string;
  /** As people write them (`keysLabel`); shown in the tooltip. */
  readonly keys?: string;
  /** For those that stay on or off. */
  readonly pressed?: boolean;
  readonly size?: "s" | "m";
}

export function IconButton(props: IconButtonProps) {
  const [own, rest] = splitProps(props, ["icon", "label", "keys", "pressed", "size", "class"]);
  return (
    <button
      type="button"
      {...rest}
      class={`icon-button icon-button-${own.size ?? "m"} ${own.class ?? ""}`}
      aria-label={own.label}
      aria-pressed={own.pressed}
      data-tip={own.label}
      data-tip-keys={own.keys}
    >
      <Icon name={own.icon} />
    </button>
  );
}
