import { createUniqueId, type JSX, onCleanup, onMount, type ParentProps, Show } from "solid-js";
import { IconButton } from "./button.js";

interface DialogProps extends ParentProps {
  readonly title: string;
  /** Esc, the cross, or a click beside it. */
  readonly onClose: () => void;
  readonly width?: "s" | "m" | "l";
  /** Buttons, the main one last. */
  readonly actions?: JSX.Element;
  /** Nothing above the contents, as in the palette; the title still names it. */
  readonly bare?: boolean;
}

/**
 * Modal while mounted: the browser keeps the focus inside and the rest inert. When it goes, the focus
 * returns to where it was. An element with `autofocus` gets it at first.
 */
export function Dialog(props: DialogProps) {
  const id = createUniqueId();
  let element: HTMLDialogElement | undefined;
  const before = document.activeElement;
  onMount(() => element?.showModal());
  onCleanup(() => {
    element?.close();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  return (
    <dialog
      ref={element}
      class={`dialog dialog-${props.width ?? "m"}`}
      classList={{ "dialog-bare": props.bare ?? false }}
      aria-label={props.bare ? props.title : undefined}
      aria-labelledby={props.bare ? undefined : id}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === element) props.onClose();
      }}
    >
      <div class="dialog-box">
        <Show when={!props.bare}>
          <header class="dialog-head">
            <h2 id={id} class="dialog-title">
              {props.title}
            </h2>
            <IconButton icon="close" label="Close" size="s" onClick={() => props.onClose()} />
          </header>
        </Show>
        <div class="dialog-body">{props.children}</div>
        <Show when={props.actions}>
          <footer class="dialog-foot">{props.actions}</footer>
        </Show>
      </div>
    </dialog>
  );
}
