import { parseUri, type Uri } from "@lockstep/protocol";
import * as z from "zod/mini";

/** What several calls take. */

/** In its canonical spelling, whatever the window sent. */
export const uri = z.pipe(
  z.string().check(z.maxLength(8_192)),
  z.transform((text, context): Uri => {
    const found = parseUri(text);
    if (found !== null) return found;
    context.issues.push({ code: "custom", message: "Not a URI", input: text });
    return z.NEVER;
  }),
);
export const id = z.string().check(z.minLength(1), z.maxLength(200));
/** A count of lines, characters, columns: never negative. */
export const count = z.int().check(z.nonnegative());
export const nothing = z.object({});
