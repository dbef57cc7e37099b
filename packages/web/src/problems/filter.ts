import { createSignal } from "solid-js";
import { shownPlace } from "../editor/shown.js";
import type { ProblemFilter } from "./problem-rows.js";

type Choice = Omit<ProblemFilter, "only"> & { readonly here: boolean };

const [choice, setChoiceSignal] = createSignal<Choice>({
  text: "",
  errors: true,
  warnings: true,
  informations: true,
  here: false,
});

/** What the person wants to see in the list. */
export { choice };

export const setChoice = (change: Partial<Choice>): void =>
  void setChoiceSignal((now) => ({ ...now, ...change }));

export function filter(): ProblemFilter {
  const { here, ...rest } = choice();
  return { ...rest, only: here ? (shownPlace()?.uri ?? "") : null };
}

/** Something is kept from the list. */
export const isFiltering = (): boolean => {
  const { text, errors, warnings, informations, here } = choice();
  return text.trim() !== "" || here || !errors || !warnings || !informations;
};
