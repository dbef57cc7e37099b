import { baseName, filePath, printable, type Uri } from "@lockstep/protocol";
import type { Unshown } from "../contract/documents.js";
import type { RefusedFile } from "./disk-file.js";
import { placeOf } from "./document-uri.js";
import { LARGEST_PICTURE } from "./pictures.js";

/** Why a file has no document. */
export type Refusal =
  | (RefusedFile & { readonly reason: Unshown["reason"] })
  | { readonly reason: "absent"; readonly why: string };

/** What the tab of such a file says. */
export function unshown(uri: Uri, refusal: Refusal, folders: readonly string[]): Unshown {
  const name = { label: printable(baseName(filePath(uri) ?? uri)), place: placeOf(uri, folders) };
  const { reason, why } = refusal;
  if (reason === "absent") return { ...name, reason, why, what: null, size: null, picture: null };
  const { what, stats } = refusal;
  const size = stats && Number(stats.size);
  const isPicture = what?.picture != null && size !== null && size <= LARGEST_PICTURE;
  const address = `/picture?uri=${encodeURIComponent(uri)}&changed=${stats?.ctimeNs}`;
  const picture = isPicture ? address : null;
  return { ...name, reason, why, what: what?.name ?? null, size, picture };
}
