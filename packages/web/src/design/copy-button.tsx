import { createSignal, onCleanup } from "solid-js";
import { IconButton } from "./button.js";

/** Copies `text`, and says for a moment that it did. */
export function CopyButton(props: { readonly text: string; readonly label?: string }) {
  const [copied, setCopied] = createSignal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  const copy = async () => {
    await navigator.clipboard.writeText(props.text);
    setCopied(true);
    clearTimeout(timer);
    timer = setTimeout(() => setCopied(false), 1_600);
  };
  return (
    <IconButton
      size="s"
      icon={copied() ? "check" : "copy"}
      label={copied() ? "Copied" : (props.label ?? "Copy")}
      class={copied() ? "copied" : ""}
      onClick={() => void copy()}
    />
  );
}
