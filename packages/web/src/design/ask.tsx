import { createSignal, For, Show } from "solid-js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { shownText } from "./shown-text.js";

interface Choice<Answer extends string> {
  readonly answer: Answer;
  readonly label: string;
  readonly kind?: "primary" | "plain" | "danger";
}
interface Asked<Answer extends string> {
  readonly title: string;
  readonly text: string;
  /** The last has the focus at first, so Enter takes it; where it destroys something, Cancel has it. */
  readonly choices: readonly Choice<Answer>[];
}
interface Open extends Asked<string> {
  readonly settle: (answer: string | null) => void;
}

const [questions, setQuestions] = createSignal<readonly Open[]>([]);

/** Asks the person; null if they turned away (Esc, Cancel). Questions wait for one another. */
export function ask<Answer extends string>(asked: Asked<Answer>): Promise<Answer | null> {
  return new Promise((resolve) => {
    const open: Open = {
      ...asked,
      settle: (answer) => {
        setQuestions((all) => all.filter((other) => other !== open));
        resolve(answer as Answer | null);
      },
    };
    setQuestions((all) => [...all, open]);
  });
}

/** Mounted once. */
export function AskLayer() {
  return (
    <Show when={questions()[0]} keyed>
      {(question) => (
        <Dialog
          title={shownText(question.title)}
          width="s"
          onClose={() => question.settle(null)}
          actions={
            <>
              <Button
                kind="quiet"
                autofocus={question.choices.at(-1)?.kind === "danger"}
                onClick={() => question.settle(null)}
              >
                Cancel
              </Button>
              <For each={question.choices}>
                {({ answer, label, kind }, index) => (
                  <Button
                    kind={kind ?? "plain"}
                    autofocus={index() === question.choices.length - 1 && kind !== "danger"}
                    onClick={() => question.settle(answer)}
                  >
                    {label}
                  </Button>
                )}
              </For>
            </>
          }
        >
          <p class="dialog-text">{shownText(question.text)}</p>
        </Dialog>
      )}
    </Show>
  );
}
