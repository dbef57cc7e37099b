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
