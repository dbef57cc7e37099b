import type { NotebookInfo } from "@lockstep/workbench/contract";
import { createEffect, on } from "solid-js";
import { keysLabel } from "../commands.js";
import { Button, IconButton } from "../design/index.js";
import { focusRegion } from "../shell/regions.js";
import {
  clearOutputs,
  insertCell,
  interrupt,
  restart,
  restartAndRunAll,
  runAll,
  runAndStep,
} from "./actions.js";
import { KernelMenu } from "./kernel-menu.js";
import type { NotebookSession } from "./session.js";

/** What can be done with the notebook as a whole, and its kernel. */
export function NotebookToolbar(props: {
  readonly session: NotebookSession;
  readonly info: NotebookInfo;
}) {
  const isAtWork = () => ["busy", "starting"].includes(props.info.kernel.status);
  // Interrupt cannot be pressed twice: the cell gets the focus that it loses, and the keys go on working.
  createEffect(
    on(isAtWork, () => {
      if (document.activeElement?.matches(".nb-toolbar :disabled")) focusRegion("middle");
    }),
  );
  const runSelected = () => {
    const key = props.session.selected;
    if (key !== null) void runAndStep(props.session, key);
  };
  return (
    <div class="nb-toolbar" role="toolbar" aria-label="Notebook">
      <IconButton
        icon="play"
        label="Run cell and go to the next"
        keys={keysLabel("Shift+Enter")}
        onClick={runSelected}
      />
      <Button kind="quiet" size="s" onClick={() => void runAll(props.session)}>
        Run all
      </Button>
      <IconButton
        icon="stop"
        label="Interrupt"
        disabled={!isAtWork()}
        onClick={() => void interrupt(props.session)}
      />
      <IconButton
        icon="refresh"
        label="Restart the kernel"
        onClick={() => void restart(props.session)}
      />
      <Button kind="quiet" size="s" onClick={() => void restartAndRunAll(props.session)}>
        Restart and run all
      </Button>
      <Button kind="quiet" size="s" onClick={() => void clearOutputs(props.session)}>
        Clear outputs
      </Button>
      <span class="nb-toolbar-line" />
      <Button
        kind="quiet"
        size="s"
        icon="add"
        onClick={() => void insertCell(props.session, "below", "code")}
      >
        Code
      </Button>
      <Button
        kind="quiet"
        size="s"
        icon="add"
        onClick={() => void insertCell(props.session, "below", "markdown")}
      >
        Text
      </Button>
      <span class="nb-toolbar-space" />
      <KernelMenu session={props.session} info={props.info} />
    </div>
  );
}
