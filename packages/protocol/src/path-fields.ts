import * as z from "zod/mini";

/** Whether a field holds a path, or a `file:` URI; other URIs in such a field are left alone. */
export type PathField = "path" | "uri";

const marked = z.registry<{ readonly field: PathField }>();

/** Marks a schema's field as one that holds a path, so that a relay can translate it. */
export function holdsPath<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  marked.add(schema, { field: "path" });
  return schema;
}

/** Marks a schema's field as one that holds a URI. */
export function holdsUri<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  marked.add(schema, { field: "uri" });
  return schema;
}

type Translate = (text: string, field: PathField) => string;
type Unknown = (value: unknown) => unknown;

/**
 * The same value with every path in it translated, found by the marks of its schema. What the schema
 * does not know becomes what `unknown` makes of it; it passes unchanged where nobody says otherwise, so
 * that fields of other versions survive.
 *
 * @example
 * mapPaths(openFile.input, { filePath: "/here/a.ts" }, (path) => path.replace("/here", "/there"));
 */
export function mapPaths(
  schema: z.core.$ZodType,
  value: unknown,
  translate: Translate,
  unknown: Unknown = (same) => same,
): unknown {
  const mark = marked.get(schema);
  if (mark) return typeof value === "string" ? translate(value, mark.field) : unknown(value);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
      return mapPaths(def.innerType, value, translate, unknown);
    case "array":
      return Array.isArray(value)
        ? value.map((item) => mapPaths(def.element, item, translate, unknown))
        : unknown(value);
    case "object":
      return isRecord(value) ? mapFields(def.shape, value, translate, unknown) : unknown(value);
    case "union":
      return def.options.reduce((mapped, option) => mapPaths(option, mapped, translate), value);
    default:
      return value;
  }
}

function mapFields(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  value: Readonly<Record<string, unknown>>,
  translate: Translate,
  unknown: Unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
      return [key, field ? mapPaths(field, item, translate, unknown) : unknown(item)];
    }),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
