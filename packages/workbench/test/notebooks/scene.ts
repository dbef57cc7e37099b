import type { NotebookChange } from "../../src/contract/notebooks.js";
import type { OpenDocument } from "../../src/documents/documents.js";
import { OpenNotebook } from "../../src/notebooks/open-notebook.js";
import { DocumentsScene } from "../documents/scene.js";

/** A notebook that is open, on a real document. */
export interface NotebookScene extends AsyncDisposable {
  readonly documents: DocumentsScene;
  readonly document: OpenDocument;
  readonly notebook: OpenNotebook;
  /** What windows were told. */
  readonly told: NotebookChange[];
  /** The JSON as it is now. */
  readonly text: string;
}

export async function openNotebook(content: string | Buffer): Promise<NotebookScene> {
  const scene = await DocumentsScene.open();
  const uri = await scene.show("a.ipynb", content);
  const document = scene.documents.get(uri);
  if (!document) throw new Error("It is not open");
  const told: NotebookChange[] = [];
  const notebook = new OpenNotebook(document, scene.texts, (changes) => told.push(...changes));
  scene.documents.subscribe((change) => {
    if (change.kind === "text" && change.uri === uri) notebook.changed(change.change);
  });
  return {
    documents: scene,
    document,
    notebook,
    told,
    get text() {
      return document.shared.toString();
    },
    async [Symbol.asyncDispose]() {
      notebook.close();
      await scene[Symbol.asyncDispose]();
    },
  };
}

/** The cells' texts, in order. */
export const sources = (notebook: OpenNotebook): string[] =>
  notebook.whole.map(({ source }) => source);

/** Types into a cell as a window would. */
export function type(
  notebook: OpenNotebook,
  index: number,
  { from, to = from, insert }: { from: number; to?: number; insert: string },
): void {
  const key = notebook.keys[index] ?? "";
  const { cell } = notebook.find(key) ?? {};
  cell?.shared.edit({ from, to, insert }, "a window");
}
