import { basename, dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { languageId } from "@lockstep/editor";
import type { ServerSpec } from "./catalogue.js";

/** So many projects of a server are loaded ahead, those nearest to the workspace's folder first. */
const MOST_PROJECTS = 5;
/** So many names are looked at before others get their turn. */
const AT_ONCE = 5_000;

/**
 * Files to open so that each server has loaded what it needs: one of each project that it has in the
 * workspace, or else any.
 */
export async function findSamples(
  specs: readonly ServerSpec[],
  paths: Iterable<string>,
): Promise<readonly string[]> {
  const searches = specs.map((spec) => new Search(spec));
  let looked = 0;
  for (const path of paths) {
    if (++looked % AT_ONCE === 0) await nextTurn();
    const name = basename(path);
    const language = languageId(name);
    for (const search of searches) search.look(path, name, language);
  }
  return searches.flatMap((search) => search.samples());
}

class Search {
  readonly #spec: ServerSpec;
  readonly #projects = new Set<string>();
  /** By folder the first file in it. */
  readonly #files = new Map<string, string>();

  constructor(spec: ServerSpec) {
    this.#spec = spec;
  }

  look(path: string, name: string, language: string): void {
    const folder = dirname(path);
    if (this.#spec.projectFiles?.includes(name)) this.#projects.add(folder);
    if (this.#spec.languageIds.includes(language) && !this.#files.has(folder))
      this.#files.set(folder, path);
  }

  samples(): readonly string[] {
    const files = [...this.#files].sort(([a], [b]) => a.length - b.length);
    const found = new Map<string, string>();
    for (const [folder, path] of files) {
      const project = this.#projectOf(folder);
      if (project !== null && !found.has(project)) found.set(project, path);
    }
    const chosen = [...found].sort(([a], [b]) => a.length - b.length).map(([, path]) => path);
    return (chosen.length > 0 ? chosen : files.map(([, path]) => path).slice(0, 1)).slice(
      0,
      MOST_PROJECTS,
    );
  }

  /** The nearest folder above with a file that says so. */
  #projectOf(folder: string): string | null {
    for (let at = folder; ; at = dirname(at)) {
      if (this.#projects.has(at)) return at;
      if (at === dirname(at)) return null;
    }
  }
}
