import type { NotebookInfo } from "@lockstep/workbench/contract";
import { createResource, Match, Suspense, Switch } from "solid-js";
import { Banner, Button, CopyButton } from "../design/index.js";
import { call } from "../replica/link.js";
import { restart } from "./actions.js";
import type { NotebookSession } from "./session.js";

/** Why nothing can be run, and what to do: no Jupyter on this machine, or a kernel that has ended. */
export function KernelTrouble(props: {
  readonly session: NotebookSession;
  readonly info: NotebookInfo;
}) {
  const [offer, { refetch }] = createResource(
    () => props.info.uri,
    (uri) => call("notebook.kernels", { uri }).catch(() => undefined),
  );
  const install = () => {
    // What was found before stays while it is looked again.
    const found = offer.latest;
    return found && found.choices.length === 0 ? found.install : undefined;
  };
  return (
    // Waited for here: the cells are shown without knowing which kernels there are.
    <Suspense>
      <Switch>
        <Match when={install()}>
          {(command) => (
            <Banner
              tone="info"
              actions={
                <Button size="s" onClick={() => void refetch()}>
                  Look again
                </Button>
              }
            >
              <span class="nb-install">
                <span>Cells run in Jupyter, which is not on this machine yet. Install it:</span>
                <span class="nb-command">
                  <code>{command()}</code>
                  <CopyButton text={command()} label="Copy the command" />
                </span>
              </span>
            </Banner>
          )}
        </Match>
        <Match when={props.info.kernel.why}>
          {(why) => (
            <Banner
              tone="error"
              actions={
                <Button size="s" kind="primary" onClick={() => void restart(props.session)}>
                  Restart the kernel
                </Button>
              }
            >
              {why()}
            </Banner>
          )}
        </Match>
      </Switch>
    </Suspense>
  );
}
