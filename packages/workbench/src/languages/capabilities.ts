import type { ClientCapabilities } from "vscode-languageserver-protocol";

/** What the workbench can do with what a server says: all of this, and nothing else. */
export const CAPABILITIES: ClientCapabilities = {
  general: { positionEncodings: ["utf-16"] },
  window: { workDoneProgress: true, showMessage: {}, showDocument: { support: false } },
  workspace: {
    applyEdit: true,
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ["create", "rename", "delete"],
      failureHandling: "abort",
    },
    configuration: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    workspaceFolders: true,
    executeCommand: { dynamicRegistration: true },
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration: true, didSave: true },
    publishDiagnostics: {
      versionSupport: true,
      relatedInformation: true,
      codeDescriptionSupport: true,
      dataSupport: true,
      tagSupport: { valueSet: [1, 2] },
    },
    diagnostic: {
      dynamicRegistration: true,
      relatedDocumentSupport: true,
      relatedInformation: true,
      codeDescriptionSupport: true,
      dataSupport: true,
      tagSupport: { valueSet: [1, 2] },
    },
    completion: {
      dynamicRegistration: true,
      contextSupport: true,
      insertTextMode: 1,
      completionItem: {
        snippetSupport: true,
        commitCharactersSupport: true,
        documentationFormat: ["markdown", "plaintext"],
        deprecatedSupport: true,
        tagSupport: { valueSet: [1] },
        insertReplaceSupport: false,
        labelDetailsSupport: true,
        resolveSupport: { properties: ["documentation", "detail", "additionalTextEdits"] },
      },
      completionList: { itemDefaults: ["commitCharacters", "editRange", "insertTextFormat"] },
    },
    hover: { dynamicRegistration: true, contentFormat: ["markdown", "plaintext"] },
    signatureHelp: {
      dynamicRegistration: true,
      contextSupport: true,
      signatureInformation: {
        documentationFormat: ["markdown", "plaintext"],
        parameterInformation: { labelOffsetSupport: true },
        activeParameterSupport: true,
      },
    },
    definition: { dynamicRegistration: true, linkSupport: true },
    typeDefinition: { dynamicRegistration: true, linkSupport: true },
    implementation: { dynamicRegistration: true, linkSupport: true },
    references: { dynamicRegistration: true },
    documentSymbol: { dynamicRegistration: true, hierarchicalDocumentSymbolSupport: true },
    codeAction: {
      dynamicRegistration: true,
      isPreferredSupport: true,
      disabledSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ["edit", "command"] },
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ["", "quickfix", "refactor", "source", "source.fixAll"] },
      },
    },
    formatting: { dynamicRegistration: true },
    rangeFormatting: { dynamicRegistration: true },
    rename: { dynamicRegistration: true, prepareSupport: true },
  },
  // rust-analyzer answers from the start, and tells only by this that it knows nothing yet.
  experimental: { serverStatusNotification: true },
};

/** Where a server says at its start that it can answer a method. */
const PROVIDERS: Readonly<Record<string, string>> = {
  "textDocument/completion": "completionProvider",
  "textDocument/hover": "hoverProvider",
  "textDocument/signatureHelp": "signatureHelpProvider",
  "textDocument/definition": "definitionProvider",
  "textDocument/typeDefinition": "typeDefinitionProvider",
  "textDocument/implementation": "implementationProvider",
  "textDocument/references": "referencesProvider",
  "textDocument/documentSymbol": "documentSymbolProvider",
  "textDocument/codeAction": "codeActionProvider",
  "textDocument/formatting": "documentFormattingProvider",
  "textDocument/rangeFormatting": "documentRangeFormattingProvider",
  "textDocument/rename": "renameProvider",
  "textDocument/diagnostic": "diagnosticProvider",
  "workspace/executeCommand": "executeCommandProvider",
};

/** Keys of an object of unknown origin. */
export type Loose = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a server offers, from the start or since it said so. */
export class Offers {
  readonly #fixed: Loose;
  /** By id; a server that registers without end is not believed beyond this. */
  readonly #registered = new Map<string, { readonly method: string; readonly options: unknown }>();

  constructor(capabilities: unknown) {
    this.#fixed = isObject(capabilities) ? capabilities : {};
  }

  register(id: string, method: string, options: unknown): void {
    if (this.#registered.size < MOST_REGISTERED) this.#registered.set(id, { method, options });
  }

  unregister(id: string): void {
    this.#registered.delete(id);
  }

  /** Its options for a method, as far as they are an object; null if it does not offer it. */
  of(method: string): Loose | null {
    const fixed = this.#fixed[PROVIDERS[method] ?? ""];
    if (fixed) return isObject(fixed) ? fixed : {};
    for (const each of this.#registered.values()) {
      if (each.method === method) return isObject(each.options) ? each.options : {};
    }
    return null;
  }

  /** Texts are told change by change, or only whole. */
  get incremental(): boolean {
    const { textDocumentSync: sync } = this.#fixed;
    return (isObject(sync) ? sync.change : sync) === 2;
  }

  /** Null: it does not want to hear of saves. */
  get save(): { readonly includeText: boolean } | null {
    const { textDocumentSync: sync } = this.#fixed;
    const save = isObject(sync) ? sync.save : null;
    const option = save || this.of("textDocument/didSave");
    return option ? { includeText: isObject(option) && option.includeText === true } : null;
  }
}

const MOST_REGISTERED = 1_000;
