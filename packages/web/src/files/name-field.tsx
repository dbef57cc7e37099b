import { createSignal, onMount, Show } from "solid-js";

interface NameFieldProps {
  readonly label: string;
  readonly value: string;
  /** Fails with a sentence, which is shown; the field then stays. */
  readonly onDone: (name: string) => Promise<void>;
  /** Esc, or nothing was typed. */
  readonly onCancel: () => void;
}

/** A name in place of a row: Enter or a click elsewhere takes it, Esc does not. */
export function NameField(props: NameFieldProps) {
  const [problem, setProblem] = createSignal<string | null>(null);
  let element: HTMLInputElement | undefined;
  let settled = false;
  const done = async () => {
    const name = element?.value.trim() ?? "";
    if (settled) return;
    if (name === "" || name === props.value) return cancel();
    settled = true;
    try {
      await props.onDone(name);
    } catch (failure) {
      settled = false;
      setProblem(failure instanceof Error ? failure.message : String(failure));
      element?.focus();
    }
  };
  const cancel = () => {
    if (settled) return;
    settled = true;
    props.onCancel();
  };
  onMount(() => {
    element?.focus();
    const dot = props.value.lastIndexOf(".");
    element?.setSelectionRange(0, dot > 0 ? dot : props.value.length);
  });
  return (
    <span class="files-naming">
      <input
        ref={element}
        class="files-name-field"
        type="text"
        spellcheck={false}
        autocomplete="off"
        aria-label={props.label}
        aria-invalid={problem() !== null}
        aria-describedby={problem() === null ? undefined : "files-name-problem"}
        value={props.value}
        onInput={() => setProblem(null)}
        onBlur={() => (problem() === null ? void done() : cancel())}
        onClick={(event) => event.stopPropagation()}
        onDblClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter") void done();
          else if (event.key === "Escape") cancel();
          else return;
          event.preventDefault();
        }}
      />
      <Show when={problem()}>
        {(text) => (
          <span id="files-name-problem" class="files-name-problem" role="alert">
            {text()}
          </span>
        )}
      </Show>
    </span>
  );
}
