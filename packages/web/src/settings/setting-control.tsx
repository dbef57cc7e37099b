import { Switch as Choose, createSignal, Match } from "solid-js";
import { Select, Switch, TextField } from "../design/index.js";
import type { Control, Setting } from "./setting-list.js";

interface SettingControlProps {
  readonly setting: Setting;
  readonly value: unknown;
  readonly disabled: boolean;
  /** The id of the element that says more about it. */
  readonly describedBy: string;
  readonly onChange: (value: unknown) => void;
}

type Of<Kind extends Control["kind"]> = Extract<Control, { readonly kind: Kind }>;

/** Edits one setting; what is typed counts when the field is left, or with Enter. */
export function SettingControl(props: SettingControlProps) {
  const as = <Kind extends Control["kind"]>(kind: Kind): Of<Kind> | false =>
    props.setting.control.kind === kind && (props.setting.control as Of<Kind>);
  return (
    <Choose>
      <Match when={as("switch")}>
        <Switch
          bare
          label={props.setting.label}
          on={props.value === true}
          disabled={props.disabled}
          describedBy={props.describedBy}
          onChange={props.onChange}
        />
      </Match>
      <Match when={as("choice")}>
        {(control) => (
          <Select
            bare
            label={props.setting.label}
            value={String(props.value)}
            options={control().options}
            disabled={props.disabled}
            describedBy={props.describedBy}
            onChange={props.onChange}
          />
        )}
      </Match>
      <Match when={as("number")}>
        {(control) => <NumberField {...props} control={control()} />}
      </Match>
      <Match when={as("text")}>
        {(control) => (
          <TextField
            bare
            label={props.setting.label}
            value={String(props.value)}
            placeholder={control().placeholder}
            disabled={props.disabled}
            onChange={(event) => props.onChange(event.currentTarget.value.trim())}
          />
        )}
      </Match>
      <Match when={as("lines")}>
        {(control) => (
          <textarea
            class="input settings-lines"
            rows={Math.max(2, asLines(props.value).length + 1)}
            spellcheck={false}
            aria-label={`${props.setting.label}, one on each line`}
            aria-describedby={props.describedBy}
            placeholder={control().placeholder}
            disabled={props.disabled}
            value={asLines(props.value).join("\n")}
            onChange={(event) => props.onChange(toLines(event.currentTarget.value))}
          />
        )}
      </Match>
      <Match when={as("file")}>
        {(control) => (
          <p class="settings-in-file">
            Edit it in <code>lockstep.json</code>:
            <br />
            <code>{control().example}</code>
          </p>
        )}
      </Match>
    </Choose>
  );
}

function NumberField(props: SettingControlProps & { readonly control: Of<"number"> }) {
  const [problem, setProblem] = createSignal<string>();
  const take = (typed: string) => {
    const value = Number(typed);
    const { least, most } = props.control;
    const right = typed.trim() !== "" && Number.isInteger(value) && value >= least && value <= most;
    setProblem(right ? undefined : `A whole number from ${least} to ${most}.`);
    if (right) props.onChange(value);
  };
  return (
    <TextField
      bare
      class="settings-number"
      label={props.setting.label}
      inputmode="numeric"
      value={String(props.value)}
      problem={problem()}
      disabled={props.disabled}
      onChange={(event) => take(event.currentTarget.value)}
    />
  );
}

const asLines = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);
const toLines = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
