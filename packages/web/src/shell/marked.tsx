import { For } from "solid-js";

interface MarkedProps {
  readonly text: string;
  /** Where the text begins in what was matched. */
  readonly from?: number;
  readonly matched: readonly number[];
}

/** A text with the letters that were matched. */
export function Marked(props: MarkedProps) {
  const runs = () => {
    const marks = new Set(props.matched);
    const found: { text: string; isMatch: boolean }[] = [];
    let at = props.from ?? 0;
    for (const letter of props.text) {
      const isMatch = marks.has(at);
      const last = found.at(-1);
      if (last?.isMatch === isMatch) last.text += letter;
      else found.push({ text: letter, isMatch });
      at += letter.length;
    }
    return found;
  };
  return (
    <For each={runs()}>
      {({ text, isMatch }) => (isMatch ? <mark class="chooser-match">{text}</mark> : text)}
    </For>
  );
}
