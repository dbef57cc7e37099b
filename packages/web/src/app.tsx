import { createSignal, Show } from "solid-js";
import { linkStatus } from "./replica/link.js";
import { replica } from "./replica/state.js";
import { Safe } from "./shell/safe.js";
import { Connecting, Expired } from "./shell/screens.js";
import { Shell } from "./shell/shell.js";
import { followTheme } from "./shell/theme.js";

/** The whole page. What is shown once stays while the link is lost, and under the expired screen. */
export function App() {
  followTheme();
  const [looksOn, setLooksOn] = createSignal(false);
  const isExpired = () => linkStatus() === "expired" && !looksOn();
  return (
    <>
      <div class="app" inert={isExpired()}>
        <Safe what="The page">
          <Show when={replica()} fallback={<Connecting />}>
            <Shell />
          </Show>
        </Safe>
      </div>
      <Show when={isExpired()}>
        <Expired
          folder={replica()?.workspace.folders[0]?.path}
          onLook={replica() ? () => setLooksOn(true) : undefined}
        />
      </Show>
    </>
  );
}
