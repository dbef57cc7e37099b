import { parseUri, type Uri } from "@lockstep/protocol";
import * as z from "zod/mini";
import type {
  Agent,
  AgentEvent,
  DiagnosticsRequest,
  FileDiagnostics,
  OpenRequest,
  OpenText,
  Outcome,
  Output,
  Proposal,
  Question,
  Range,
  Selection,
  Tab,
} from "../port.js";

/**
 * The port's types as they cross a process boundary. An editor's plugin is written in another
 * language and may send anything, so both sides check what they get.
 */
type Schema<T> = z.ZodMiniType<T>;

const uri: Schema<Uri> = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const parsed = parseUri(text);
    if (parsed) return parsed;
    context.issues.push({ code: "custom", message: "not a URI", input: text });
    return z.NEVER;
  }),
);

/** Languages without an "absent" send null for it. */
const optional = <T>(schema: Schema<T>) =>
  z.optional(
    z.pipe(
      z.nullable(schema),
      z.transform((value) => value ?? undefined),
    ),
  );

const natural = z.int().check(z.nonnegative());
const position = z.object({ line: natural, character: natural });
const rangeShape = { start: position, end: position };
const range: Schema<Range> = z.object(rangeShape);

const agent: Schema<Agent> = z.object({ id: z.string(), name: z.string() });

const selection: Schema<Selection> = z.object({
  uri,
  range,
  text: z.string(),
  cell: optional(z.object({ index: z.int(), id: z.nullable(z.string()) })),
});

const tab: Schema<Tab> = z.object({
  uri,
  label: z.string(),
  languageId: z.string(),
  lineCount: natural,
  active: z.boolean(),
  dirty: z.boolean(),
  pinned: optional(z.boolean()),
  preview: optional(z.boolean()),
  selection: optional(z.object({ ...rangeShape, reversed: z.boolean() })),
});

const openText: Schema<OpenText> = z.object({ text: z.string(), dirty: z.boolean() });

const openRequest: Schema<OpenRequest> = z.object({
  uri,
  range: optional(range),
  focus: z.boolean(),
  preview: z.boolean(),
});

const diagnosticsRequest: Schema<DiagnosticsRequest> = z.object({
  uri: optional(uri),
  settleMs: z.number(),
});

const fileDiagnostics: Schema<FileDiagnostics> = z.object({
  uri,
  items: z.array(
    z.object({
      message: z.string(),
      severity: z.enum(["error", "warning", "information", "hint"]),
      range,
      source: optional(z.string()),
      code: optional(z.string()),
    }),
  ),
});

const output: Schema<Output> = z.union([
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({ kind: z.literal("image"), mimeType: z.string(), base64: z.string() }),
]);

const question: Schema<Question> = z.object({
  title: z.string(),
  detail: z.string(),
  lasting: optional(z.literal("run-code")),
});

const proposal: Schema<Proposal> = z.object({
  id: z.string(),
  uri,
  label: z.string(),
  base: z.nullable(z.string()),
  text: z.string(),
  outside: z.boolean(),
});

const outcome: Schema<Outcome> = z.union([
  z.object({ kind: z.literal("accepted"), text: z.string() }),
  z.object({ kind: z.literal("rejected"), reason: optional(z.string()) }),
]);

const nothing = z.pipe(
  z.unknown(),
  z.transform((): void => {}),
);

/** Each ability that is a question and an answer: the method's name, what it takes, what it gives. */
export const QUESTIONS = {
  selection: { input: nothing, output: z.nullable(selection) },
  tabs: { input: nothing, output: z.array(tab) },
  text: { input: z.object({ uri }), output: z.nullable(openText) },
  open: { input: openRequest, output: nothing },
  close: { input: z.object({ uri }), output: z.enum(["closed", "kept", "absent"]) },
  save: { input: z.object({ uri }), output: nothing },
  format: { input: z.object({ uri }), output: nothing },
  execute: { input: z.object({ code: z.string() }), output: z.array(output) },
  diagnostics: { input: diagnosticsRequest, output: z.array(fileDiagnostics) },
  confirm: { input: question, output: z.boolean() },
  review: { input: proposal, output: outcome },
} as const;
export type QuestionName = keyof typeof QUESTIONS;

/** What a question travels in. */
export const Asked = z.object({ input: z.optional(z.unknown()), agent });

/** The editor's first line, and again whenever a field of it changes. */
export const Hello = z.object({
  name: z.string(),
  folders: z.array(uri),
  abilities: z.array(z.string()),
  /** The editor's process. */
  pid: optional(z.int().check(z.positive())),
});
export type Hello = z.infer<typeof Hello>;

export const ChangeLine = z.union([
  z.object({ kind: z.enum(["selection", "tabs", "consents"]) }),
  z.object({ kind: z.literal("diagnostics"), uris: z.array(uri) }),
  z.object({
    kind: z.literal("mention"),
    uri,
    lines: optional(z.object({ first: natural, last: natural })),
  }),
]);

export const Withdraw = z.object({
  id: z.string(),
  why: z.enum(["answered-elsewhere", "cancelled", "disconnected", "stopping"]),
});

export const Activity: Schema<AgentEvent> = z.union([
  z.object({ kind: z.enum(["connected", "left", "turn", "outdated"]), agent }),
  z.object({
    kind: z.literal("withheld"),
    agent,
    uri,
    why: z.enum(["sharing-is-off", "denied-here", "denied-by-agent", "git-ignored"]),
  }),
]);
