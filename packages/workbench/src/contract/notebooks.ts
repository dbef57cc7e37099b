import type { Uri } from "@lockstep/protocol";
import * as z from "zod/mini";
import { call } from "./call.js";
import type { AgentRun, KernelChoice, KernelInfo } from "./kernels.js";
import { count, id, uri } from "./shapes.js";

const cellKind = z.enum(["code", "markdown", "raw"]);
export type CellKind = z.infer<typeof cellKind>;

/** A document that is a notebook: its text is JSON, and the cells are a view of it. */
export interface NotebookInfo {
  readonly uri: Uri;
  /** Why it cannot be shown as cells, as a sentence; null if it can. */
  readonly problem: string | null;
  /** An empty file: it can be made a notebook. */
  readonly empty: boolean;
  /** What its code is written in, such as "python". */
  readonly language: string;
  /** The kernel that the file names, as people read it; null if it names none. */
  readonly kernelName: string | null;
  readonly kernel: KernelInfo;
}

/** What the person can choose from; where that is nothing, how to get something. */
export interface KernelOffer {
  readonly choices: readonly KernelChoice[];
  /** A command for a terminal. */
  readonly install: string;
}

/** One cell, without its text: that is the shared text `cell:<uri>#<key>`. */
export interface CellInfo {
  /** Names it in this notebook as long as it is open. */
  readonly key: string;
  readonly kind: CellKind;
  /** Of a code cell: the number of its last run. */
  readonly executionCount: number | null;
  readonly run: CellRun;
}

/** "waiting" for cells before it. Times are milliseconds since 1970; `ended` is null while it runs. */
export type CellRun =
  | { readonly kind: "none" | "waiting" }
  | { readonly kind: "running"; readonly started: number }
  | {
      readonly kind: "ended";
      readonly how: "done" | "failed" | "stopped";
      readonly milliseconds: number;
    };

/** What a run has left, as the page shows it. */
export type ShownOutput =
  | { readonly kind: "stream"; readonly name: "stdout" | "stderr"; readonly text: string }
  | {
      readonly kind: "error";
      readonly name: string;
      readonly message: string;
      readonly traceback: string;
    }
  | {
      readonly kind: "data";
      /** The richest form that the page can show; null if it can show none. */
      readonly mime: string | null;
      /** Text, or base64 of a picture. */
      readonly text: string;
      /** The same as plain text; null without one. */
      readonly plain: string | null;
      /** All forms that it has. */
      readonly types: readonly string[];
      /** How large a picture is to be shown, in pixels of the page, where that was said. */
      readonly size?: { readonly width?: number; readonly height?: number };
    }
  | { readonly kind: "unknown"; readonly type: string };

/** A cell with all that belongs to it. */
export interface WholeCell extends CellInfo {
  readonly source: string;
  readonly outputs: readonly ShownOutput[];
  /** Pictures that belong to a markdown cell, by name, as data: addresses. */
  readonly attachments: Readonly<Record<string, string>>;
}

/** Code that an agent has run in this notebook's kernel. It is shown, and not a part of the file. */
export type ShownRun = Omit<AgentRun, "outputs"> & { readonly outputs: readonly ShownOutput[] };

export interface NotebookSnapshot {
  /** Counts the changes; an event that is not the next one means that some were missed. */
  readonly revision: number;
  readonly cells: readonly WholeCell[];
  /** The last few, the newest last. */
  readonly agentRuns: readonly ShownRun[];
}

export type NotebookChange =
  /** Which cells there are now, in order; `added` are those that were not there. */
  | {
      readonly kind: "cells";
      readonly keys: readonly string[];
      readonly added: readonly WholeCell[];
    }
  | { readonly kind: "cell"; readonly cell: CellInfo }
  /** From the output at `from` on, these are the cell's outputs. */
  | {
      readonly kind: "outputs";
      readonly key: string;
      readonly from: number;
      readonly outputs: readonly ShownOutput[];
    }
  | {
      readonly kind: "attachments";
      readonly key: string;
      readonly attachments: Readonly<Record<string, string>>;
    }
  /** A new one, or the one with this id as it is now. */
  | { readonly kind: "agentRun"; readonly run: ShownRun };

export interface NotebookEvents {
  /** To the windows that have attached to it. */
  "notebook.changed": {
    readonly uri: Uri;
    readonly revision: number;
    readonly changes: readonly NotebookChange[];
  };
}

const source = z.string().check(z.maxLength(10_000_000));

/** All but `attach` and `detach` fail with a sentence where the notebook cannot be edited. */
export const notebookCalls = {
  /**
   * From now on this window hears `notebook.changed`. `keys` are the cells that it knows from before
   * the workbench was started anew, in order: where they fit, the cells go by them again.
   */
  "notebook.attach": call<NotebookSnapshot>()(z.object({ uri, keys: z.array(id) })),
  "notebook.detach": call<void>()(z.object({ uri })),
  /** The cell that a place of the file is in, its outputs included; null if it is in none. */
  "notebook.cellAt": call<string | null>()(z.object({ uri, line: count, character: count })),
  /** Makes an empty file a notebook with one cell. */
  "notebook.create": call<void>()(z.object({ uri })),
  /** Before the cell at `at`. */
  "notebook.insert": call<{ readonly key: string }>()(
    z.object({ uri, at: count, kind: cellKind, source }),
  ),
  "notebook.remove": call<void>()(z.object({ uri, keys: z.array(id) })),
  /** The JSON of cells, to be put elsewhere. */
  "notebook.copy": call<readonly string[]>()(z.object({ uri, keys: z.array(id) })),
  /** Before the cell at `at`, as new cells; answers their keys. */
  "notebook.paste": call<readonly string[]>()(
    z.object({ uri, at: count, cells: z.array(z.string()).check(z.maxLength(1_000)) }),
  ),
  /** To the place that it has in the list then. */
  "notebook.move": call<void>()(z.object({ uri, key: id, to: count })),
  "notebook.setKind": call<void>()(z.object({ uri, key: id, kind: cellKind })),
  /** At a character of its text: what comes after is a new cell below. */
  "notebook.split": call<{ readonly key: string }>()(z.object({ uri, key: id, at: count })),
  /** With the cell below. */
  "notebook.merge": call<void>()(z.object({ uri, key: id })),
  /** Of all cells if no keys are given. */
  "notebook.clearOutputs": call<void>()(z.object({ uri, keys: z.optional(z.array(id)) })),
  /** Takes back the last thing that was done to whole cells; false if there is nothing to take back. */
  "notebook.undo": call<boolean>()(z.object({ uri })),
  "notebook.redo": call<boolean>()(z.object({ uri })),
  /** One after the other, when those before them have ended; the first that fails stops the rest. */
  "notebook.run": call<void>()(z.object({ uri, keys: z.array(id) })),
  /** Interrupts what runs and takes back what waits. */
  "notebook.interrupt": call<void>()(z.object({ uri })),
  /** All state of the kernel is lost. */
  "notebook.restart": call<void>()(z.object({ uri })),
  "notebook.kernels": call<KernelOffer>()(z.object({ uri })),
  /** Another kernel, by its id, from the next run on; the one that runs is ended. */
  "notebook.chooseKernel": call<void>()(z.object({ uri, kernel: id })),
};
