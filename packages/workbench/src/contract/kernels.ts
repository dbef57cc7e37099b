/** What a kernel has printed, shown or thrown, as a notebook file (nbformat 4) has it. */
export type CellOutput = StreamOutput | DisplayOutput | ResultOutput | ErrorOutput;

export interface StreamOutput {
  readonly output_type: "stream";
  readonly name: "stdout" | "stderr";
  /** As it stands on the screen: what a carriage return goes over is gone. Colours are ANSI codes. */
  readonly text: string;
}

export interface DisplayOutput {
  readonly output_type: "display_data";
  readonly data: MimeBundle;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface ResultOutput {
  readonly output_type: "execute_result";
  readonly execution_count: number | null;
  readonly data: MimeBundle;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface ErrorOutput {
  readonly output_type: "error";
  readonly ename: string;
  readonly evalue: string;
  /** With ANSI codes. */
  readonly traceback: readonly string[];
}

/** The same thing in several forms: by MIME type, texts and base64 as one string, JSON as its value. */
export type MimeBundle = Readonly<Record<string, unknown>>;

/** From the output at `from` on, these are the outputs of a cell. */
export interface OutputChange {
  readonly from: number;
  readonly outputs: readonly CellOutput[];
}

/** "off" until the first run; "dead" when it ended by itself or could not be started. */
export type KernelStatus = "off" | "starting" | "idle" | "busy" | "dead";

/** The kernel of one notebook, as the page shows it. */
export interface KernelInfo {
  readonly status: KernelStatus;
  /** Such as "Python 3 (ipykernel)"; null while none is chosen. */
  readonly name: string | null;
  /** Why it is dead, or that it does not answer, as a sentence that says what to do; null otherwise. */
  readonly why: string | null;
}

/** A kernel that could be started. */
export interface KernelChoice {
  readonly id: string;
  readonly displayName: string;
  readonly language: string;
  /** Where it comes from: a folder or a program. */
  readonly source: string;
  /** It is a part of the project, so that starting it runs code of the project. */
  readonly insideProject: boolean;
}

/** Code that an agent runs in a notebook's kernel, or has run. */
export interface AgentRun {
  readonly id: string;
  /** The agent's name. */
  readonly agent: string;
  readonly code: string;
  /** "waiting" for its turn; "stopped" when it was taken back or interrupted, or took too long. */
  readonly status: "waiting" | "running" | "ok" | "error" | "stopped";
  readonly outputs: readonly CellOutput[];
  /** Milliseconds since 1970. */
  readonly since: number;
}
