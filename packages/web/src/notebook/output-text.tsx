import { createMemo, createSignal, For, Show } from "solid-js";
import { Button } from "../design/index.js";
import { onScreen, type Piece, readAnsi } from "./ansi.js";

/** What is shown of a long text until all of it is asked for. */
const LINES = 30;
const CHARACTERS = 6_000;

/** Printed text with its colours; a long one shows its beginning. */
export function OutputText(props: { readonly text: string }) {
  const [whole, setWhole] = createSignal(false);
  const text = createMemo(() => onScreen(props.text).replace(/\n$/, ""));
  const count = createMemo(() => text().split("\n").length);
  const beginning = createMemo(() => {
    const lines = text().split("\n", LINES + 1);
    const short = lines.length > LINES ? lines.slice(0, LINES).join("\n") : text();
    return short.slice(0, CHARACTERS);
  });
  const isLong = () => beginning().length < text().length;
  const pieces = createMemo(() => readAnsi(whole() ? text() : beginning()));
  return (
    <>
      <pre class="nb-text">
        <For each={pieces()}>{(piece) => <Span piece={piece} />}</For>
      </pre>
      <Show when={isLong()}>
        <Button
          kind="quiet"
          size="s"
          icon={whole() ? "chevron-up" : "chevron-down"}
          onClick={() => setWhole(!whole())}
        >
          {whole() ? "Show less" : `Show all ${count().toLocaleString("en")} lines`}
        </Button>
      </Show>
    </>
  );
}

function Span(props: { readonly piece: Piece }) {
  const { text, colour, ground, bold, faint, italic, underlined } = props.piece;
  const isPlain = colour === null && ground === null && !bold && !faint && !italic && !underlined;
  if (isPlain) return text;
  return (
    <span
      classList={{
        "nb-bold": bold,
        "nb-faint": faint,
        "nb-italic": italic,
        "nb-underlined": underlined,
        [`nb-colour-${colour}`]: colour !== null,
        [`nb-ground-${ground}`]: ground !== null,
      }}
    >
      {text}
    </span>
  );
}
