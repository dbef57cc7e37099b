import { fileUri, type Uri } from "@lockstep/protocol";
import { createSignal, Show } from "solid-js";
import { ask, Button, Dialog, showProblem, showToast, TextField } from "../design/index.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { openFile } from "../replica/view.js";
import { activeKey, keyOf } from "./tab-list.js";
import { editsArrived } from "./unsent-edits.js";

interface Naming {
  readonly uri: Uri;
  readonly settle: (path: string | null) => void;
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
    showProblem(problem);
    return false;
  }
}

export async function saveDocumentAs(uri: Uri): Promise<boolean> {
  const path = await new Promise<string | null>((settle) => setNaming({ uri, settle }));
  setNaming(null);
  if (path === null) return false;
  const as = fileUri(path);
  try {
    await editsArrived();
    await call("document.save", { uri, as });
  } catch (problem) {
    if (!(await mayReplace(path, problem))) return false;
    try {
      await call("document.save", { uri, as, overwrite: true });
    } catch (again) {
      showProblem(again);
      return false;
    }
  }
  if (activeKey() === keyOf({ kind: "document", uri }) && uri !== as)
    await openFile(as, { preview: false });
  return true;
}

/** Only a file that is there already can be replaced; any other trouble is told. */
async function mayReplace(path: string, problem: unknown): Promise<boolean> {
  const message = problem instanceof Error ? problem.message : String(problem);
  if (!/exist|already/i.test(message)) {
    showProblem(problem);
    return false;
  }
  const answer = await ask({
    title: "Replace the file?",
    text: `${path} exists already. Its contents would be lost.`,
    choices: [{ answer: "replace", label: "Replace", kind: "danger" }],
  });
  return answer !== null;
}

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
  const path = () => {
    const typed = name().trim();
    return typed.startsWith("/") ? typed : `${root().replace(/\/$/, "")}/${typed}`;
  };
  const isNamed = () => name().trim() !== "" && !name().trim().endsWith("/");
  const submit = (event: Event) => {
    event.preventDefault();
    if (isNamed()) props.settle(path());
  };
  return (
    <Dialog title={`Save ${document()?.label ?? ""} as`} onClose={() => props.settle(null)}>
      <form class="shell-save-as" onSubmit={submit}>
        <TextField
          label="File, from the project’s folder"
          hint={path()}
          value={name()}
          autofocus
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <div class="shell-save-as-actions">
          <Button kind="quiet" onClick={() => props.settle(null)}>
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
