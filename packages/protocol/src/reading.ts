import * as z from "zod/mini";

/** What a value turned out to be by its schema; or, in a sentence, why it is not that. */
export type Reading<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly problem: string };

/** Reads a value by a schema, of any flavour of zod 4. */
export function readBy<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
): Reading<z.output<Schema>> {
  const { success, data, error } = z.safeParse(schema, value);
  return success ? { ok: true, data } : { ok: false, problem: z.prettifyError(error) };
}

/** Reads JSON text by a schema; text that is no JSON is a problem like any other. */
export function readJson<Schema extends z.core.$ZodType>(
  schema: Schema,
  text: string,
): Reading<z.output<Schema>> {
  try {
    return readBy(schema, JSON.parse(text));
  } catch {
    return { ok: false, problem: "not JSON" };
  }
}
