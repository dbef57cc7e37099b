import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("../src/design/tokens.css", import.meta.url), "utf8");
const [light = "", dark = ""] = css.split(':root[data-theme="dark"]');

/** WCAG's relative luminance of "#rrggbb". */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const colourIn = (theme: string, name: string): string =>
  new RegExp(`${name}: (#[0-9a-f]{6});`).exec(theme)?.[1] ?? "";

const NAMES = ["comment", "keyword", "string", "number", "type", "function", "name", "tag"];
const COLOURS = [...NAMES.map((name) => `--code-${name}`), "--ink-2", "--ink-3", "--bad"];

describe.each([
  ["light", light],
  ["dark", dark],
])("code in the %s theme", (_name, theme) => {
  it.each(COLOURS)("has %s readable on the page", (colour) => {
    expect(contrast(colourIn(theme, colour), colourIn(theme, "--surface"))).toBeGreaterThan(4.5);
  });

  it.each(NAMES)("has %s readable in a selection", (name) => {
    const on = colourIn(theme, "--code-selection");
    expect(contrast(colourIn(theme, `--code-${name}`), on)).toBeGreaterThan(3);
  });
});
