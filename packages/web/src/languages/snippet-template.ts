/**
 * A snippet as language servers write it, as CodeMirror does: `$1` becomes `${1}`, of choices the first
 * is taken, a field within a field becomes its text, and variables, which nobody here fills in, their
 * default. Braces that are no field's are escaped.
 */
export function snippetTemplate(snippet: string): string {
  return new Reader(snippet).all();
}

const LONGEST_NAME = 100;
/** Fields in fields; deeper ones are nothing that somebody wrote. */
const DEEPEST = 20;

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  /** A field does not end: from there on all is text, or each such field would be read again and again. */
  #isBroken = false;

  constructor(text: string) {
    this.#text = text;
  }

  all(): string {
    return this.#pieces(null).map(written).join("");
  }

  /** Until the end, or the brace that closes the field that is being read. */
  #pieces(end: "}" | null): readonly Piece[] {
    const pieces: Piece[] = [];
    while (this.#at < this.#text.length) {
      const letter = this.#text[this.#at] ?? "";
      if (letter === end) break;
      if (letter === "\\" && /[\\$}]/.test(this.#text[this.#at + 1] ?? "")) {
        pieces.push({ text: this.#text[this.#at + 1] ?? "" });
        this.#at += 2;
      } else pieces.push(this.#field() ?? this.#letter(letter));
    }
    return pieces;
  }

  #letter(letter: string): Piece {
    this.#at++;
    return { text: letter };
  }

  /** The field that begins here; null if none does. */
  #field(): Piece | null {
    if (this.#isBroken || this.#text[this.#at] !== "$") return null;
    const rest = this.#text.slice(this.#at, this.#at + LONGEST_NAME);
    const simple = /^\$(\d+|[A-Za-z_]\w*)/.exec(rest);
    if (simple) {
      this.#at += simple[0].length;
      return field(simple[1] ?? "", "");
    }
    const open = /^\$\{(\d+|[A-Za-z_]\w*)/.exec(rest);
    if (!open) return null;
    const start = this.#at;
    this.#at += open[0].length;
    this.#depth++;
    const inside = this.#depth > DEEPEST ? null : this.#inside();
    this.#depth--;
    if (inside !== null && this.#text[this.#at] === "}") {
      this.#at++;
      return field(open[1] ?? "", inside);
    }
    this.#at = start;
    this.#isBroken = true;
    return null;
  }

  /** What stands in a field before anything is typed; null if it is not written as a field is. */
  #inside(): string | null {
    const sign = this.#text[this.#at];
    if (sign === "}") return "";
    if (sign === ":") {
      this.#at++;
      return this.#pieces("}")
        .map(({ text }) => text)
        .join("");
    }
    if (sign === "|") {
      const choices = /^\|((?:\\.|[^\\|])*)\|/.exec(this.#text.slice(this.#at));
      if (!choices) return null;
      this.#at += choices[0].length;
      return (/^(?:\\.|[^,])*/.exec(choices[1] ?? "")?.[0] ?? "").replaceAll(/\\(.)/g, "$1");
    }
    // A transformation of a variable.
    const transform = /^\/(?:\\.|[^\\}])*/.exec(this.#text.slice(this.#at));
    if (!transform) return null;
    this.#at += transform[0].length;
    return "";
  }
}

/** Text as it is, or a field with what stands in it at first. */
interface Piece {
  readonly text: string;
  readonly field?: string;
}

function field(name: string, text: string): Piece {
  return /^\d/.test(name) ? { text, field: name } : { text };
}

function written({ text, field }: Piece): string {
  // CodeMirror knows no braces in the text of a field: it is just text then.
  if (field === undefined || /[{}]/.test(text)) return text.replaceAll(/[{}]/g, "\\$&");
  return text === "" ? `\${${field}}` : `\${${field}:${text}}`;
}
