import * as z from "zod/mini";

/** What language servers say, as far as it is used. Whatever does not fit is left out, never believed. */

const count = z.int().check(z.nonnegative());
export const position = z.object({ line: count, character: count });
export const range = z.object({ start: position, end: position });
export type Position = z.infer<typeof position>;
export type Range = z.infer<typeof range>;

export const location = z.object({ uri: z.string(), range });

export const diagnostic = z.object({
  range,
  message: z.string(),
  severity: z.optional(z.nullable(z.number())),
  code: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  codeDescription: z.optional(z.nullable(z.object({ href: z.string() }))),
  source: z.optional(z.nullable(z.string())),
  tags: z.optional(z.nullable(z.array(z.number()))),
  relatedInformation: z.optional(z.nullable(z.array(z.object({ location, message: z.string() })))),
});
export type LspDiagnostic = z.infer<typeof diagnostic>;

export const published = z.object({
  uri: z.string(),
  version: z.optional(z.nullable(z.number())),
  diagnostics: z.array(z.unknown()),
});

const report = z.object({
  kind: z.optional(z.string()),
  resultId: z.optional(z.nullable(z.string())),
  items: z.optional(z.array(z.unknown())),
});
export const diagnosticReport = z.extend(report, {
  relatedDocuments: z.optional(z.nullable(z.record(z.string(), report))),
});

export const workspaceReport = z.object({
  items: z.array(z.extend(report, { uri: z.string() })),
});

export const registrations = z.object({
  registrations: z.array(
    z.object({ id: z.string(), method: z.string(), registerOptions: z.optional(z.unknown()) }),
  ),
});
export const unregistrations = z.object({
  /** Spelt so in the protocol. */
  unregisterations: z.array(z.object({ id: z.string(), method: z.string() })),
});

export const progress = z.object({
  token: z.union([z.string(), z.number()]),
  value: z.object({
    kind: z.enum(["begin", "report", "end"]),
    title: z.optional(z.string()),
    message: z.optional(z.nullable(z.string())),
    percentage: z.optional(z.nullable(z.number())),
  }),
});

/** The good ones of a list that may hold anything. */
export function goodOnes<Item>(
  schema: z.ZodMiniType<Item>,
  items: unknown,
  most = Number.POSITIVE_INFINITY,
): Item[] {
  if (!Array.isArray(items)) return [];
  const good: Item[] = [];
  for (const item of items) {
    if (good.length >= most) break;
    const { data } = schema.safeParse(item);
    if (data !== undefined) good.push(data);
  }
  return good;
}

const maybe = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.nullable(schema));

/** Or a link, which has other names for the same. */
export const anyLocation = z.union([
  location,
  z.pipe(
    z.object({ targetUri: z.string(), targetSelectionRange: range }),
    z.transform(({ targetUri, targetSelectionRange }) => ({
      uri: targetUri,
      range: targetSelectionRange,
    })),
  ),
]);

export const textEdit = z.object({ range, newText: z.string() });
export type LspTextEdit = z.infer<typeof textEdit>;

const markup = z.union([
  z.string(),
  z.object({ kind: z.string(), value: z.string() }),
  z.object({ language: z.string(), value: z.string() }),
]);
export type Markup = z.infer<typeof markup>;

export const hover = z.object({
  contents: z.union([markup, z.array(markup)]),
  range: maybe(range),
});

const editRange = z.union([
  range,
  z.pipe(
    z.object({ insert: range, replace: range }),
    z.transform(({ replace }) => replace),
  ),
]);

export const completionItem = z.object({
  label: z.string(),
  labelDetails: maybe(z.object({ detail: maybe(z.string()), description: maybe(z.string()) })),
  kind: maybe(z.number()),
  tags: maybe(z.array(z.number())),
  deprecated: maybe(z.boolean()),
  detail: maybe(z.string()),
  documentation: maybe(markup),
  sortText: maybe(z.string()),
  filterText: maybe(z.string()),
  insertText: maybe(z.string()),
  insertTextFormat: maybe(z.number()),
  textEdit: maybe(
    z.union([
      textEdit,
      z.pipe(
        z.object({ newText: z.string(), replace: range }),
        z.transform(({ newText, replace }) => ({ newText, range: replace })),
      ),
    ]),
  ),
  textEditText: maybe(z.string()),
  additionalTextEdits: maybe(z.array(textEdit)),
  commitCharacters: maybe(z.array(z.string())),
});
export type LspCompletionItem = z.infer<typeof completionItem>;

export const completionList = z.object({
  isIncomplete: maybe(z.boolean()),
  items: z.array(z.unknown()),
  itemDefaults: maybe(
    z.object({
      commitCharacters: maybe(z.array(z.string())),
      editRange: maybe(editRange),
      insertTextFormat: maybe(z.number()),
      data: z.optional(z.unknown()),
    }),
  ),
});

export const signatureHelp = z.object({
  signatures: z.array(
    z.object({
      label: z.string(),
      documentation: maybe(markup),
      parameters: maybe(
        z.array(
          z.object({
            label: z.union([z.string(), z.tuple([count, count])]),
            documentation: maybe(markup),
          }),
        ),
      ),
      activeParameter: maybe(z.number()),
    }),
  ),
  activeSignature: maybe(z.number()),
  activeParameter: maybe(z.number()),
});

export const documentSymbol = z.object({
  name: z.string(),
  detail: maybe(z.string()),
  kind: z.number(),
  range,
  selectionRange: range,
  children: z.optional(z.unknown()),
});
/** The older, flat kind. */
export const symbolInformation = z.object({ name: z.string(), kind: z.number(), location });

export const prepareRename = z.union([
  z.object({ range, placeholder: z.string() }),
  z.object({ defaultBehavior: z.boolean() }),
  range,
]);

const version = maybe(z.number());
const documentEdit = z.object({
  textDocument: z.object({ uri: z.string(), version }),
  edits: z.array(textEdit),
});
const overwriting = maybe(
  z.object({ overwrite: maybe(z.boolean()), ignoreIfExists: maybe(z.boolean()) }),
);
const fileOperation = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("create"), uri: z.string(), options: overwriting }),
  z.object({
    kind: z.literal("rename"),
    oldUri: z.string(),
    newUri: z.string(),
    options: overwriting,
  }),
  z.object({
    kind: z.literal("delete"),
    uri: z.string(),
    options: maybe(z.object({ ignoreIfNotExists: maybe(z.boolean()) })),
  }),
]);
export const workspaceEdit = z.object({
  changes: maybe(z.record(z.string(), z.array(textEdit))),
  documentChanges: maybe(z.array(z.union([documentEdit, fileOperation]))),
});

export const command = z.object({
  title: z.optional(z.string()),
  command: z.string(),
  arguments: maybe(z.array(z.unknown())),
});
export const codeAction = z.object({
  title: z.string(),
  kind: maybe(z.string()),
  isPreferred: maybe(z.boolean()),
  disabled: maybe(z.object({ reason: z.string() })),
  edit: z.optional(z.unknown()),
  /** An old server answers commands instead of actions: then this is a string. */
  command: z.optional(z.unknown()),
});

/** What `workspace/didChangeWatchedFiles` is registered with. */
export const watching = z.object({
  watchers: z.array(
    z.object({
      globPattern: z.union([
        z.string(),
        z.object({
          baseUri: z.union([z.string(), z.object({ uri: z.string() })]),
          pattern: z.string(),
        }),
      ]),
      kind: maybe(z.number()),
    }),
  ),
});
export type Watching = z.infer<typeof watching>;

/** `experimental/serverStatus`: whether its answers are those of the whole project. */
export const serverStatus = z.object({ quiescent: z.boolean() });
