import { state } from "../replica/state.js";

export function SettingsPage() {
  return <p>{state().settings.files.user}</p>;
}
