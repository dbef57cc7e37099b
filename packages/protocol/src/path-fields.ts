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

/**
 * The same value with every path in it translated, found by the marks of its schema. What the schema
 * does not know passes unchanged, so that fields of other versions survive.
 *
 * @example
 * mapPaths(openFile.input, { filePath: "/here/a.ts" }, (path) => path.replace("/here", "/there"));
 */
export function mapPaths(
  schema: z.core.$ZodType,
  value: unknown,
  translate: (text: string, field: PathField) => string,
): unknown {
  const mark = marked.get(schema);
  if (mark && typeof value === "string") return translate(value, mark.field);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
      return mapPaths(def.innerType, value, translate);
    case "array":
      return Array.isArray(value)
        ? value.map((item) => mapPaths(def.element, item, translate))
        : value;
    case "object":
      return isRecord(value) ? mapFields(def.shape, value, translate) : value;
    case "union":
      return def.options.reduce((mapped, option) => mapPaths(option, mapped, translate), value);
    default:
      return value;
  }
}

function mapFields(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  value: Readonly<Record<string, unknown>>,
  translate: (text: string, field: PathField) => string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
      return [key, field ? mapPaths(field, item, translate) : item];
    }),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
