import type { Place } from "@lockstep/workbench/contract";
import { createSignal } from "solid-js";

/** An answer of several places, for the panel. */
export interface FoundPlaces {
  /** Such as "References". */
  readonly title: string;
  /** The name that was asked about; "" where there is none. */
  readonly name: string;
  readonly places: readonly Place[];
}

const [found, setFound] = createSignal<FoundPlaces | null>(null);

/** What was asked for last; null until then. */
export const foundPlaces = found;
export const setFoundPlaces = (next: FoundPlaces | null): void => void setFound(next);
