import { For } from "solid-js";

/** Keys as people write them: "Ctrl+S" becomes two caps, "⌘S" one. */
export function Kbd(props: { readonly keys: string }) {
  const caps = () => (/^[⌘⌃⌥⇧]/.test(props.keys) ? [props.keys] : split(props.keys));
  return (
    <span class="keys">
      <For each={caps()}>{(cap) => <kbd class="kbd">{cap}</kbd>}</For>
    </span>
  );
}

/** The plus sign may itself be the key: "Ctrl++". */
const split = (keys: string) => keys.split(/\+(?!$)/);
