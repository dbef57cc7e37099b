/** Notebooks as they are found in the world, and some that nobody would like to find. */

type Fields = Readonly<Record<string, unknown>>;

const METADATA = {
  kernelspec: { display_name: "Python 3 (ipykernel)", language: "python", name: "python3" },
  language_info: { file_extension: ".py", name: "python", version: "3.11.2" },
  "of a tool": { kept: [1, 2.5, true, null] },
};

/** A picture of one pixel. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const STREAM = { name: "stdout", output_type: "stream", text: ["one\n", "two\n"] };
const RESULT = {
  data: { "image/png": PIXEL, "text/html": ["<b>x</b>"], "text/plain": ["<Figure>"] },
  execution_count: 3,
  metadata: { needs_background: "light" },
  output_type: "execute_result",
};
const ERROR = {
  ename: "ValueError",
  evalue: "no",
  output_type: "error",
  traceback: ["\u001b[0;31mValueError\u001b[0m", "no"],
};

export const code = (source: unknown, more: Fields = {}): Fields => ({
  cell_type: "code",
  execution_count: null,
  metadata: {},
  outputs: [],
  source,
  ...more,
});

export const markdown = (source: unknown, more: Fields = {}): Fields => ({
  cell_type: "markdown",
  metadata: {},
  source,
  ...more,
});

/** As Jupyter writes it: names in order, one blank per level, a line end at the end. */
export const jupyter = (cells: readonly Fields[], minor = 4): string =>
  `${JSON.stringify({ cells: cells.map(sorted), metadata: METADATA, nbformat: 4, nbformat_minor: minor }, null, 1)}\n`;

const sorted = (cell: Fields): Fields =>
  Object.fromEntries(Object.entries(cell).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const usual = [
  markdown(["# A title\n", "\n", "Some *words* with umlauts: äöü 😀"]),
  code(["import math\n", "\n", "print(math.pi)"], {
    execution_count: 3,
    outputs: [STREAM, RESULT],
  }),
  code([], { execution_count: null }),
  code(["raise ValueError('no')\n"], {
    execution_count: 4,
    metadata: { collapsed: true, tags: ["a"] },
    outputs: [ERROR],
  }),
  { cell_type: "raw", metadata: { format: "text/x-rst" }, source: [".. note::"] },
];
const withIds = usual.map((cell, index) => ({ ...cell, id: `cell-${index}` }));

export const SAMPLES: Readonly<Record<string, string>> = {
  usual: jupyter(usual),
  "with ids": jupyter(withIds, 5),
  "with four blanks": `${JSON.stringify(JSON.parse(jupyter(withIds, 5)), null, 4)}\n`,
  "with tabs": JSON.stringify(JSON.parse(jupyter(usual)), null, "\t"),
  "on one line": JSON.stringify(JSON.parse(jupyter(withIds, 5))),
  "without a line end at the end": jupyter(usual).trimEnd(),
  "with sources as strings": jupyter([code('a = "x"\nb = 2\n'), markdown("one line"), code("")]),
  "in ASCII": jupyter(usual).replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  ),
  "with escapes that nobody needs": jupyter([code(["a = 'x'\n", "b"])]).replace(
    "a = ",
    "\\u0061 \\u003d\\/",
  ),
  "with lists that are not lines": jupyter([
    code(["a", " = 1\n", "", "b = 2\nc = 3\n"]),
    markdown(["", ""]),
  ]),
  "with doubled ids": jupyter(
    [code(["1"], { id: "same" }), code(["2"], { id: "same" }), code(["3"], { id: "other" })],
    5,
  ),
  "with missing fields": `{"nbformat": 4, "cells": [\n{"cell_type": "code"}, {"cell_type":"markdown","source":"x"},\n\n {"cell_type": "code", "source": ["y"]}]}`,
  "with fields twice": jupyter([code(["a"])]).replace(
    '"metadata": {}',
    '"source": ["gone"],\n   "metadata": {}',
  ),
  "without cells": jupyter([]),
  "with other cells' fields": jupyter([
    { ...code(["a\r\n", "b\r\n"]), "of a tool": { deep: [{ cells: [] }] } },
    markdown(["![x](attachment:x.png)"], { attachments: { "x.png": { "image/png": PIXEL } } }),
  ]),
};
