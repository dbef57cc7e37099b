import type { CellOutput, MimeBundle, OutputChange } from "../contract/kernels.js";
import { type Fields, fields, text } from "./kernel-message.js";
import { StreamText } from "./stream-text.js";

/** What one run may leave: more would stop the page, and nobody reads it. */
export const LIMITS = {
  /** Characters of printed text. */
  text: 1_000_000,
  /** Characters of everything that is shown: images, tables, widgets. */
  data: 30_000_000,
  outputs: 1_000,
  /** Characters of an error. */
  error: 100_000,
} as const;

/** Changes within this time are told together. */
const PAUSE_MS = 50;

/** The outputs of one run, put together from a kernel's messages and bounded. */
export class OutputList {
  readonly #outputs: CellOutput[] = [];
  /** The names under which a kernel may change what it has shown, by the output's place. */
  readonly #names = new Map<number, string>();
  readonly #tell: (change: OutputChange) => void;
  #stream: { readonly name: string; readonly text: StreamText } | null = null;
  #textLength = 0;
  #dataLength = 0;
  /** Where the note stands that says what was left out. */
  #note: number | null = null;
  #leftOut = { characters: 0, outputs: 0 };
  #isLossy = false;
  /** `clear_output(wait=True)`: when the next output comes. */
  #clearNext = false;
  #changedFrom = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (change: OutputChange) => void) {
    this.#tell = tell;
  }

  get outputs(): readonly CellOutput[] {
    return [...this.#outputs];
  }

  get hasError(): boolean {
    return this.#outputs.some(({ output_type }) => output_type === "error");
  }

  /** Takes a message of the kernel that is an output, and passes over all others. */
  take(type: string, content: Fields): void {
    try {
      this.#take(type, content);
    } catch {
      // Nested deeper than can be measured or written: whoever sends it must not make us deaf.
      this.#leaveOut(0, 1);
    }
  }

  #take(type: string, content: Fields): void {
    if (type === "stream") this.#print(content);
    else if (type === "display_data") this.#show(content, null);
    else if (type === "execute_result") this.#show(content, { count: content.execution_count });
    else if (type === "error") this.#fail(content);
    else if (type === "clear_output") {
      if (content.wait === true) this.#clearNext = true;
      else this.#clear();
    }
  }

  /** Changes what was shown under this name. */
  update(name: string, content: Fields): void {
    for (const [index, own] of this.#names) {
      const output = this.#outputs[index];
      if (own !== name || !output || !("data" in output)) continue;
      const { data, metadata } = bundle(content);
      const size = sizeOf(data) + sizeOf(metadata);
      const before = sizeOf(output.data) + sizeOf(output.metadata);
      const total = this.#dataLength - before + size;
      if (total > LIMITS.data) {
        this.#leaveOut(size, 1);
        return;
      }
      this.#dataLength = total;
      this.#put(index, { ...output, data, metadata });
    }
  }

  /** Some of it never came, and nobody knows how much. */
  lose(): void {
    this.#isLossy = true;
    this.#leaveOut(0, 0);
  }

  /** Tells what has not been told. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const from = this.#changedFrom;
    if (from === Number.POSITIVE_INFINITY) return;
    this.#changedFrom = Number.POSITIVE_INFINITY;
    this.#tell({ from, outputs: this.#outputs.slice(from) });
  }

  #print(content: Fields): void {
    this.#clearIfAsked();
    const printed = text(content.text);
    const name = content.name === "stderr" ? "stderr" : "stdout";
    if (printed === "") return;
    const full = this.#outputs.length >= LIMITS.outputs && this.#stream?.name !== name;
    if (full || this.#textLength >= LIMITS.text) {
      this.#leaveOut(printed.length, 0);
      return;
    }
    if (this.#stream?.name !== name) this.#stream = { name, text: new StreamText() };
    const { text: stream } = this.#stream;
    const before = stream.length;
    const index = before === 0 ? this.#outputs.length : this.#outputs.length - 1;
    const room = LIMITS.text - this.#textLength;
    // What goes over itself may be longer than the room: it is measured when it has gone over.
    stream.append(printed.length > LIMITS.text ? printed.slice(0, LIMITS.text) : printed);
    this.#textLength += stream.length - before;
    const over = stream.length - before - room;
    const kept = over > 0 ? stream.toString().slice(0, -over) : stream.toString();
    this.#put(index, { output_type: "stream", name, text: kept });
    const cut = Math.max(0, printed.length - LIMITS.text) + Math.max(0, over);
    if (cut > 0) this.#leaveOut(cut, 0);
  }

  #show(content: Fields, result: { readonly count: unknown } | null): void {
    this.#clearIfAsked();
    const { data, metadata } = bundle(content);
    const size = sizeOf(data) + sizeOf(metadata);
    const full = this.#outputs.length >= LIMITS.outputs || this.#dataLength + size > LIMITS.data;
    if (full) {
      this.#leaveOut(size, 1);
      return;
    }
    this.#dataLength += size;
    const name = text(fields(content.transient).display_id);
    if (name !== "") this.#names.set(this.#outputs.length, name);
    this.#add(
      result
        ? { output_type: "execute_result", execution_count: count(result.count), data, metadata }
        : { output_type: "display_data", data, metadata },
    );
  }

  /** An error is the last thing that anybody would leave out. */
  #fail(content: Fields): void {
    this.#clearIfAsked();
    const lines = Array.isArray(content.traceback) ? content.traceback.map(text) : [];
    let room: number = LIMITS.error;
    const traceback = lines.map((line) => {
      const kept = line.slice(0, Math.max(0, room));
      room -= kept.length;
      return kept;
    });
    const short = (value: unknown) => text(value).slice(0, LIMITS.error);
    const { ename, evalue } = content;
    this.#add({ output_type: "error", ename: short(ename), evalue: short(evalue), traceback });
  }

  #leaveOut(characters: number, outputs: number): void {
    this.#leftOut.characters += characters;
    this.#leftOut.outputs += outputs;
    const note = { output_type: "stream", name: "stderr", text: this.#noteText() } as const;
    if (this.#note === null) {
      this.#note = this.#outputs.length;
      this.#add(note);
    } else this.#put(this.#note, note);
  }

  #noteText(): string {
    const { characters, outputs } = this.#leftOut;
    const number = (value: number) => value.toLocaleString("en");
    const parts = [
      outputs > 0 ? `${number(outputs)} more outputs` : "",
      characters > 0 ? `${number(characters)} more characters` : "",
      this.#isLossy ? "more output than could be taken in at once" : "",
    ];
    return `\n[Left out here: ${parts.filter((part) => part !== "").join(", ")}]\n`;
  }

  #clearIfAsked(): void {
    if (this.#clearNext) this.#clear();
  }

  #clear(): void {
    this.#clearNext = false;
    this.#outputs.length = 0;
    this.#names.clear();
    this.#stream = null;
    this.#textLength = 0;
    this.#dataLength = 0;
    this.#note = null;
    this.#leftOut = { characters: 0, outputs: 0 };
    this.#isLossy = false;
    this.#changed(0);
  }

  #add(output: CellOutput): void {
    this.#stream = null;
    this.#put(this.#outputs.length, output);
  }

  #put(index: number, output: CellOutput): void {
    this.#outputs[index] = output;
    this.#changed(index);
  }

  #changed(index: number): void {
    this.#changedFrom = Math.min(this.#changedFrom, index);
    this.#timer ??= setTimeout(() => this.flush(), PAUSE_MS);
  }
}

function bundle(content: Fields): { readonly data: MimeBundle; readonly metadata: Fields } {
  return { data: fields(content.data), metadata: fields(content.metadata) };
}

function sizeOf(data: MimeBundle): number {
  const sizes = Object.values(data).map((value) =>
    typeof value === "string" ? value.length : JSON.stringify(value ?? null).length,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const count = (value: unknown): number | null => (typeof value === "number" ? value : null);
