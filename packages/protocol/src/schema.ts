import type * as z from "zod/mini";

/** Any schema, so that other packages can speak of one without depending on zod. */
export type Schema = z.core.$ZodType;
/** What is read by it. */
export type SchemaOutput<Given extends Schema> = z.output<Given>;
/** What is written for it: a field with a default may be left out. */
export type SchemaInput<Given extends Schema> = z.input<Given>;
