import { fileUri, type Uri } from "@lockstep/protocol";
import { createSignal, Show } from "solid-js";
import { ask, Button, Dialog, showProblem, showToast, TextField } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { view } from "../replica/view.js";
import { focusElement } from "./regions.js";
import { editsArrived } from "./unsent-edits.js";

interface Naming {
  readonly uri: Uri;
  readonly settle: (saved: boolean) => void;
}
const [naming, setNaming] = createSignal<Naming | null>(null);

const isUntitled = (uri: Uri) => uri.startsWith("untitled:");

/** Answers whether it was saved; one without a file is given a name first. */
export async function saveDocument(uri: Uri): Promise<boolean> {
  if (isUntitled(uri)) return saveDocumentAs(uri);
  try {
    await editsArrived();
    await call("document.save", { uri });
    return true;
  } catch (problem) {
    const trouble = () => state().documents[uri]?.trouble ?? null;
    const clash = state().documents[uri]?.clash ?? null;
    const now = view();
    const isInSight = now.kind === "document" && now.uri === uri;
    // A document that is in sight says it itself, above its text, until a save succeeds.
    const isSaid = isInSight && (trouble() !== null || clash !== null);
    if (!isSaid) showProblem(problem, trouble() === null ? undefined : () => trouble() === null);
    else if (clash !== null) focusElement(".editor-banners .button-primary");
    return false;
  }
}

/** Asks for a name until it is saved, or the person turns away. */
export async function saveDocumentAs(uri: Uri): Promise<boolean> {
  const saved = await new Promise<boolean>((settle) => setNaming({ uri, settle }));
  setNaming(null);
  return saved;
}

/** Under the given path; where a file is already, only if the person wants it replaced. */
async function saveAt(uri: Uri, path: string): Promise<boolean> {
  const as = fileUri(path);
  await editsArrived();
  try {
    await call("document.save", { uri, as });
  } catch (problem) {
    if (!(problem instanceof Error) || !problem.message.startsWith(TAKEN)) throw problem;
    const answer = await ask({
      title: "Replace the file?",
      text: `${path} is there already. What is in it would be lost.`,
      choices: [{ answer: "replace", label: "Replace", kind: "danger" }],
    });
    if (answer === null) return false;
    await call("document.save", { uri, as, overwrite: true });
  }
  return true;
}

/** How the workbench says that the name is taken; it does not replace what it was not told to. */
const TAKEN = "There is already a file";

export async function saveAll(): Promise<void> {
  try {
    await editsArrived();
    const { failed } = await call("document.saveAll", {});
    const untitled = failed.filter(isUntitled);
    for (const uri of untitled) if (!(await saveDocumentAs(uri))) return;
    if (failed.length > untitled.length)
      showToast({ tone: "warn", text: "Some files were not saved; their tabs say why." });
  } catch (problem) {
    showProblem(problem);
  }
}

/** Mounted once: asks for the name of a file. */
export function SaveAsLayer() {
  return (
    <Show when={naming()} keyed>
      {({ uri, settle }) => <SaveAs uri={uri} settle={settle} />}
    </Show>
  );
}

function SaveAs(props: Naming) {
  const root = () => state().workspace.folders[0]?.path ?? "/";
  const document = () => state().documents[props.uri];
  const [name, setName] = createSignal(
    [document()?.place, document()?.label].filter(Boolean).join("/"),
  );
  const [problem, setProblem] = createSignal<string>();
  const path = () => {
    const typed = name().trim();
    return typed.startsWith("/") ? typed : `${root().replace(/\/$/, "")}/${typed}`;
  };
  const isNamed = () => name().trim() !== "" && !name().trim().endsWith("/");
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!isNamed()) return;
    try {
      if (await saveAt(props.uri, path())) props.settle(true);
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : String(failure));
    }
  };
  return (
    <Dialog title={`Save ${document()?.label ?? ""} as`} onClose={() => props.settle(false)}>
      <form class="shell-save-as" onSubmit={(event) => void submit(event)}>
        <TextField
          label="File, from the project’s folder"
          hint={path()}
          problem={problem()}
          value={name()}
          autofocus
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => {
            setName(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
        <div class="shell-save-as-actions">
          <Button kind="quiet" onClick={() => props.settle(false)}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" disabled={!isNamed()}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
