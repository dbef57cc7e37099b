import { Show } from "solid-js";
import { replica } from "./replica/state.js";

/** The whole page. */
export function App() {
  return (
    <Show when={replica()} fallback={<p>Connecting…</p>}>
      {(state) => <h1>{state().workspace.name}</h1>}
    </Show>
  );
}
