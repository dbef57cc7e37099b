import type { Abilities } from "./port.js";

const NAMES: Readonly<Record<keyof Abilities, true>> = {
  selection: true,
  tabs: true,
  text: true,
  open: true,
  close: true,
  save: true,
  format: true,
  diagnostics: true,
  execute: true,
  confirm: true,
  review: true,
  activity: true,
};

/**
 * The abilities as a plain record, to be spread into another. They may be the methods of a class,
 * which a spread would lose without a word.
 */
export function ownAbilities(given: Abilities): Abilities {
  const names = Object.keys(NAMES) as (keyof Abilities)[];
  const present = names.filter((name) => given[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, given[name]?.bind(given)]));
}
