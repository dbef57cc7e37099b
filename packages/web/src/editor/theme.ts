import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Made of the page's variables, so that it follows light and dark by itself. */
const look = EditorView.theme({
  "&": {
    height: "100%",
    color: "var(--code-name)",
    backgroundColor: "var(--surface)",
    fontSize: "var(--editor-font-size, var(--text-m))",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--editor-font, var(--font-code))",
    // Whole pixels, or the lines of long texts drift from what is drawn behind them.
    lineHeight: "round(1.54em, 1px)",
  },
  ".cm-content": { caretColor: "var(--ink)", padding: "var(--space-2) 0" },
  ".cm-line": { padding: "0 var(--space-3) 0 var(--space-1)" },
  ".cm-cursor, .cm-dropCursor": { borderLeft: "2px solid var(--accent)", marginLeft: "-1px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { background: "var(--code-selection)" },
  ".cm-content ::selection": { backgroundColor: "var(--code-selection)" },
  ".cm-activeLine": { backgroundColor: "var(--code-line)" },
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    color: "var(--ink-3)",
    border: "none",
  },
  ".cm-lineNumbers .cm-gutterElement": {
    padding: "0 var(--space-1) 0 var(--space-3)",
    minWidth: "40px",
  },
  ".cm-activeLineGutter": { backgroundColor: "var(--code-line)", color: "var(--ink)" },
  ".cm-foldGutter .cm-gutterElement": { width: "16px", padding: "0", cursor: "pointer" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--sunken)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius-s)",
    color: "var(--ink-2)",
    margin: "0 var(--space-1)",
    padding: "0 var(--space-1)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    outline: "1px solid var(--accent)",
    outlineOffset: "-1px",
    borderRadius: "2px",
  },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": {
    backgroundColor: "var(--bad-soft)",
    color: "var(--bad)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--selected)" },
  ".cm-searchMatch": {
    backgroundColor: "var(--warn-soft)",
    outline: "1px solid var(--warn)",
    outlineOffset: "-1px",
    borderRadius: "2px",
  },
  ".cm-searchMatch-selected": {
    backgroundColor: "var(--accent-soft)",
    outlineColor: "var(--accent)",
  },
  ".cm-specialChar": {
    color: "var(--bad)",
    backgroundColor: "var(--bad-soft)",
    borderRadius: "2px",
  },
  ".cm-panels": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    fontFamily: "var(--font-ui)",
    fontSize: "var(--text-s)",
  },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius-s)",
    boxShadow: "var(--shadow)",
  },
});

/**
 * Names, operators and punctuation have the colour of the text. They are most of a line, and
 * the fewer elements there are in sight, the sooner a typed character is drawn.
 */
export const highlighter = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.meta, tags.documentMeta], color: "var(--code-comment)" },
  {
    tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.self, tags.processingInstruction],
    color: "var(--code-keyword)",
  },
  {
    tag: [
      tags.string,
      tags.special(tags.string),
      tags.character,
      tags.inserted,
      tags.attributeValue,
    ],
    color: "var(--code-string)",
  },
  {
    tag: [
      tags.number,
      tags.bool,
      tags.null,
      tags.atom,
      tags.unit,
      tags.color,
      tags.regexp,
      tags.escape,
    ],
    color: "var(--code-number)",
  },
  {
    tag: [tags.typeName, tags.className, tags.namespace, tags.attributeName, tags.annotation],
    color: "var(--code-type)",
  },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.definition(tags.function(tags.variableName)),
      tags.macroName,
      tags.labelName,
    ],
    color: "var(--code-function)",
  },
  { tag: [tags.tagName, tags.deleted], color: "var(--code-tag)" },
  { tag: [tags.link, tags.url], color: "var(--code-function)", textDecoration: "underline" },
  { tag: tags.heading, color: "var(--code-function)", fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.monospace, color: "var(--code-string)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

/** How texts look, in the editor and in reviews. */
export const theme: Extension = [look, syntaxHighlighting(highlighter)];
