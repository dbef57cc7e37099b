import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { chmod, lstat, open, readlink, rmdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileUri, isWithin, printable } from "@lockstep/protocol";
import { refusal } from "../disk-errors.js";
import { hashOf, type Stamp, stampOf } from "../documents/disk-file.js";
import type { Documents, OpenDocument } from "../documents/documents.js";
import type { Rescues } from "../documents/rescue.js";
import { FileChanged, saveFile } from "../documents/save-file.js";
import { diffTexts } from "../documents/text-diff.js";
import { decode, type Format } from "../documents/text-format.js";
import { WorkbenchError } from "../errors.js";
import type { Fence } from "../files/fence.js";
import { absent, makeFolders, moveTo, unmakeFolders } from "../files/moving.js";
import type { Trash } from "../files/trash.js";
import type { Content, Image } from "./image.js";
import { type RawText, rawBytes, rawText } from "./raw-text.js";
import type { Shadow } from "./shadow.js";
import { carryOver } from "./turn-file.js";

export interface PutBackSurroundings {
  readonly root: string;
  readonly fence: Fence;
  readonly trash: Trash;
  readonly rescues: Rescues;
  readonly documents: Pick<Documents, "get" | "edit" | "noticeDisk" | "moved">;
  readonly shadow: Pick<Shadow, "read">;
}

interface Writing {
  readonly place: string;
  readonly path: string;
  readonly bytes: Buffer;
  readonly known: Stamp;
}

type Bytes = { readonly bytes: Buffer; readonly stamp: Stamp; readonly mode: number };

/**
 * Makes files what they were, or what they had become. Each act first sees that the file is what it is
 * thought to be, and fails with a sentence where it is not; then nothing has changed.
 */
export class PutBack {
  readonly #around: PutBackSurroundings;

  constructor(around: PutBackSurroundings) {
    this.#around = around;
  }

  /** Does to the file's text what leads from one text to the other, and leaves all else in it alone. */
  async text(path: string, from: RawText, to: string): Promise<void> {
    const place = await this.#place(path);
    const file = await this.#read(place, path);
    const now = rawText(file.bytes);
    const next = now?.encoding === from.encoding ? carryOver(from.text, to, now.text) : null;
    if (now === null || next === null) throw changedSince(path);
    if (next === now.text) return;
    await this.#write(place, path, rawBytes({ ...now, text: next }), file.stamp);
  }

  /** Puts one image in the place of another, which has to be there still. Answers what went to the trash. */
  async image(path: string, is: Image | null, wanted: Image | null): Promise<string | null> {
    const place = await this.#place(path);
    const stats = await lstat(place).catch(absent);
    if (is === null && stats) throw taken(path);
    if (is?.kind === "file" && wanted?.kind === "file") {
      await this.#file(place, path, is, wanted);
      return null;
    }
    if (is !== null) await this.#see(place, path, is);
    const bytes = await this.#bytes(path, wanted);
    const trashed = is === null ? null : await this.#take(place, path);
    try {
      if (wanted) await this.#make(place, path, wanted, bytes);
    } catch (problem) {
      if (trashed) await this.#around.trash.giveBack({ id: trashed, from: place });
      throw problem;
    }
    await this.#around.documents.noticeDisk([place]);
    return trashed;
  }

  /** Out of the trash again, where it is still there; false if not. */
  async untrash(path: string, id: string): Promise<boolean> {
    const place = await this.#place(path);
    if (await lstat(place).catch(absent)) throw taken(path);
    const made = await makeFolders(dirname(place));
    try {
      await this.#around.trash.giveBack({ id, from: place });
      return true;
    } catch {
      // Whatever keeps it in the trash, its bytes are put back from a copy instead.
      await unmakeFolders(made);
      return false;
    }
  }

  async rename(from: string, to: string): Promise<void> {
    const [old, place] = [await this.#place(from), await this.#place(to)];
    if ((await lstat(old).catch(absent)) === null) throw changedSince(from);
    if (await lstat(place).catch(absent)) throw taken(to);
    const made = await makeFolders(dirname(place));
    try {
      await moveTo(old, place);
    } catch (problem) {
      await unmakeFolders(made);
      throw refusal(`${printable(from)} could not be moved back`, problem);
    }
    await this.#around.documents.moved(fileUri(old), fileUri(place));
  }

  /** Takes away the folders above it that came after that time and are empty now. */
  async emptied(path: string, since: number): Promise<void> {
    const { root } = this.#around;
    for (let at = dirname(join(root, path)); isBelow(at, root); at = dirname(at)) {
      const stats = await lstat(at).catch(() => null);
      if (!stats?.isDirectory() || stats.birthtimeMs < since) return;
      // One that is not empty stays, and so do all above it.
      if (
        !(await rmdir(at).then(
          () => true,
          () => false,
        ))
      )
        return;
    }
  }

  async mode(path: string, is: number, wanted: number): Promise<void> {
    if (is === wanted) return;
    const place = await this.#place(path);
    const stats = await lstat(place).catch(absent);
    if (!stats?.isFile() || (stats.mode & 0o777) !== is) throw changedSince(path);
    await chmod(place, wanted).catch((problem: unknown) => {
      throw refusal(`The permissions of ${printable(path)} could not be changed`, problem);
    });
  }

  /** Links above it may not lead out of the workspace, and nobody's unsaved edits are in it. */
  async #place(path: string): Promise<string> {
    const { root, fence, documents } = this.#around;
    const uri = fileUri(join(root, path));
    if (documents.get(uri)?.dirty) throw unsaved(path);
    return fence.place(uri);
  }

  /** The file itself, and never what a link in its place leads to. */
  async #read(place: string, path: string): Promise<Bytes> {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const handle = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => {
      throw changedSince(path);
    });
    try {
      const stats = await handle.stat({ bigint: true });
      if (!stats.isFile()) throw changedSince(path);
      const bytes = await handle.readFile();
      const stamp = stampOf(await handle.stat({ bigint: true }), bytes);
      return { bytes, stamp, mode: Number(stats.mode & 0o777n) };
    } finally {
      await handle.close();
    }
  }

  async #see(place: string, path: string, image: Image): Promise<void> {
    if (image.kind === "link") {
      const target = await readlink(place).catch(() => null);
      if (target !== image.target) throw changedSince(path);
      return;
    }
    const { bytes, stamp } = await this.#read(place, path);
    // What there is no copy of goes to the trash as it is: nothing of it is lost.
    if (!image.content.startsWith("none:") && !isContent(bytes, image.content))
      throw changedSince(path);
    if (stamp.size !== image.size) throw changedSince(path);
  }

  async #file(
    place: string,
    path: string,
    is: Image & { kind: "file" },
    wanted: Image & { kind: "file" },
  ): Promise<void> {
    const file = await this.#read(place, path);
    if (!isContent(file.bytes, is.content)) throw changedSince(path);
    const bytes = await this.#bytes(path, wanted);
    if (bytes && !bytes.equals(file.bytes)) await this.#write(place, path, bytes, file.stamp);
    if (file.mode === is.mode && wanted.mode !== is.mode) await chmod(place, wanted.mode);
  }

  async #bytes(path: string, image: Image | null): Promise<Buffer | null> {
    if (image?.kind !== "file") return null;
    const bytes = await this.#around.shadow.read(image.content);
    if (bytes === null) {
      throw new WorkbenchError(`There is no copy of ${printable(path)} as it was any more.`);
    }
    return bytes;
  }

  async #take(place: string, path: string): Promise<string> {
    try {
      return (await this.#around.trash.take(place)).id;
    } catch (problem) {
      throw refusal(`${printable(path)} could not be taken away`, problem);
    }
  }

  async #make(place: string, path: string, image: Image, bytes: Buffer | null): Promise<void> {
    const made = await makeFolders(dirname(place));
    try {
      if (image.kind === "link") await symlink(image.target, place);
      else {
        const { rescues } = this.#around;
        await saveFile({ path: place, bytes: bytes ?? Buffer.alloc(0), known: null, rescues });
        await chmod(place, image.mode);
      }
    } catch (problem) {
      await unmakeFolders(made);
      if (problem instanceof FileChanged) throw taken(path);
      throw refusal(`${printable(path)} could not be put back`, problem);
    }
  }

  /** An open document gets an edit that the person can take back, and is as saved as before. */
  async #write(place: string, path: string, bytes: Buffer, known: Stamp): Promise<void> {
    const { documents, root } = this.#around;
    const document = documents.get(fileUri(join(root, path)));
    const save = () => this.#save({ place, path, bytes, known }, document);
    // Nobody looks at the file between its being written and the document's knowing of it.
    await (document ? document.queue.take(save) : save());
    await documents.noticeDisk([place]);
  }

  async #save(file: Writing, document: OpenDocument | null): Promise<void> {
    const { place, path, bytes, known } = file;
    // Somebody may have typed into it while the file was read.
    if (document?.dirty) throw unsaved(path);
    const edit = document && document.readOnly === null ? this.#edit(document, bytes) : null;
    try {
      const { rescues } = this.#around;
      const stamp = await saveFile({ path: place, bytes, known, rescues });
      edit?.written(stamp);
    } catch (problem) {
      edit?.takeBack();
      if (problem instanceof FileChanged) throw changedSince(path);
      throw refusal(`${printable(path)} could not be written`, problem);
    }
  }

  #edit({ uri, shared }: OpenDocument, bytes: Buffer) {
    const { documents } = this.#around;
    const before = shared.text;
    const decoded = decode(bytes);
    const { text, format } = decoded;
    documents.edit(uri, diffTexts(before, text), "turn");
    return {
      /** What was typed meanwhile is unsaved on top of it. */
      written: (stamp: Stamp) => {
        const document = documents.get(uri);
        const size = bytes.length;
        if (document?.shared.text.eq(text)) document.adopt(decoded, { stamp, size }, "turn");
        else if (document && isAlike(document.format, format))
          document.wasSaved({ text, format, stamp }, size);
      },
      takeBack: () => documents.edit(uri, diffTexts(shared.text, before), "turn"),
    };
  }
}

/** Whether these are the bytes of that copy or object. */
function isContent(bytes: Buffer, content: Content): boolean {
  if (content.startsWith("copy:")) return `copy:${hashOf(bytes)}` === content;
  if (!content.startsWith("git:")) return false;
  const name = content.slice("git:".length);
  const hash = createHash(name.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === name;
}

const isAlike = (a: Format, b: Format): boolean =>
  a.encoding === b.encoding && a.ends.usual === b.ends.usual;

const isBelow = (path: string, root: string): boolean => path !== root && isWithin(path, root);

const changedSince = (path: string) =>
  new WorkbenchError(
    `${printable(path)} has changed since, in the same place: change it in the editor instead.`,
  );

const taken = (path: string) =>
  new WorkbenchError(`There is something at ${printable(path)} now, so nothing was put there.`);

const unsaved = (path: string) =>
  new WorkbenchError(`You have unsaved edits in ${printable(path)}: save or revert them first.`);
