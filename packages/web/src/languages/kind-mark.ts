/** A letter and a colour for each kind of name; the colours are those of the text. */
const KINDS: ReadonlyMap<string, readonly [letter: string, colour: string]> = new Map([
  ["function", ["ƒ", "function"]],
  ["method", ["ƒ", "function"]],
  ["constructor", ["ƒ", "function"]],
  ["class", ["C", "type"]],
  ["struct", ["C", "type"]],
  ["interface", ["I", "type"]],
  ["enum", ["E", "type"]],
  ["enumMember", ["e", "number"]],
  ["typeParameter", ["T", "type"]],
  ["variable", ["x", "name"]],
  ["constant", ["k", "number"]],
  ["value", ["k", "number"]],
  ["unit", ["k", "number"]],
  ["color", ["#", "number"]],
  ["field", ["p", "name"]],
  ["property", ["p", "name"]],
  ["event", ["p", "name"]],
  ["keyword", ["·", "keyword"]],
  ["operator", ["·", "keyword"]],
  ["module", ["M", "tag"]],
  ["file", ["/", "tag"]],
  ["folder", ["/", "tag"]],
  ["reference", ["/", "tag"]],
  ["snippet", ["…", "string"]],
  ["text", ["a", "comment"]],
  ["namespace", ["M", "tag"]],
  ["package", ["M", "tag"]],
  ["type", ["T", "type"]],
  ["object", ["o", "name"]],
  ["key", ["p", "name"]],
  ["string", ["a", "string"]],
  ["number", ["k", "number"]],
  ["boolean", ["k", "number"]],
  ["array", ["o", "name"]],
]);
const PLAIN = ["a", "comment"] as const;

/** A sign for the kind of a name, in front of it. It says nothing to a screen reader. */
export function kindMark(kind: string): HTMLElement {
  const [letter, colour] = KINDS.get(kind) ?? PLAIN;
  const mark = document.createElement("span");
  mark.className = "kind-mark";
  mark.style.color = `var(--code-${colour})`;
  mark.textContent = letter;
  mark.setAttribute("aria-hidden", "true");
  return mark;
}
