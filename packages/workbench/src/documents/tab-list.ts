import type { Uri } from "@lockstep/protocol";
import type { TabInfo } from "../contract/documents.js";

/** The tabs in their order. At most one of them is a preview. */
export class TabList {
  #tabs: readonly TabInfo[] = [];

  get all(): readonly TabInfo[] {
    return this.#tabs;
  }

  get(uri: Uri): TabInfo | null {
    return this.#tabs.find((tab) => tab.uri === uri) ?? null;
  }

  /** The tab that the next opened file may take the place of. */
  get preview(): Uri | null {
    return this.#tabs.find((tab) => tab.preview)?.uri ?? null;
  }

  /** At the end, or in the place of another, or of itself. */
  add(tab: TabInfo, inPlaceOf: Uri | null): void {
    this.#tabs =
      inPlaceOf === null
        ? [...this.#tabs, tab]
        : this.#tabs.map((other) => (other.uri === inPlaceOf ? tab : other));
  }

  remove(uri: Uri): void {
    this.#tabs = this.#tabs.filter((tab) => tab.uri !== uri);
  }

  keep(uri: Uri): void {
    this.#tabs = this.#tabs.map((tab) => (tab.uri === uri ? { ...tab, preview: false } : tab));
  }

  rename(from: Uri, to: Uri): void {
    this.#tabs = this.#tabs.map((tab) => (tab.uri === from ? { ...tab, uri: to } : tab));
  }

  move(uri: Uri, to: number): void {
    const tab = this.#tabs.find((other) => other.uri === uri);
    if (!tab) return;
    const rest = this.#tabs.filter((other) => other !== tab);
    this.#tabs = rest.toSpliced(Math.min(to, rest.length), 0, tab);
  }
}
