import type { SignatureHelp } from "../contract/languages.js";
import * as lsp from "./lsp.js";
import { markdown } from "./markdown.js";

/** Overloads. */
const MOST = 50;

export function signatureHelp(answer: unknown): SignatureHelp | null {
  const { data } = lsp.signatureHelp.safeParse(answer);
  if (!data || data.signatures.length === 0) return null;
  const signatures = data.signatures.slice(0, MOST).map(({ label, documentation, parameters }) => ({
    label,
    documentation: markdown(documentation),
    parameters: (parameters ?? []).map((parameter) => ({
      ...placeOf(parameter.label, label),
      documentation: markdown(parameter.documentation),
    })),
  }));
  const signature = Math.min(Math.max(data.activeSignature ?? 0, 0), signatures.length - 1);
  const active = data.signatures[signature]?.activeParameter ?? data.activeParameter ?? 0;
  const count = signatures[signature]?.parameters.length ?? 0;
  return { signatures, signature, parameter: active >= 0 && active < count ? active : null };
}

/** Where a parameter stands: told by the server, or found by its text. */
function placeOf(parameter: string | readonly [number, number], label: string) {
  if (typeof parameter !== "string") return { from: parameter[0], to: parameter[1] };
  const from = label.indexOf(parameter);
  return from < 0 ? { from: 0, to: 0 } : { from, to: from + parameter.length };
}
