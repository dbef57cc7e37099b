import { type ComponentProps, createUniqueId, For, Show, splitProps } from "solid-js";
import { Icon, type IconName } from "./icon.js";

interface TextFieldProps extends ComponentProps<"input"> {
  readonly label: string;
  /** The label is for screen readers only; the placeholder must then say enough to all others. */
  readonly bare?: boolean;
  readonly hint?: string | undefined;
  /** What is wrong, as a sentence. */
  readonly problem?: string | undefined;
  readonly icon?: IconName;
}

export function TextField(props: TextFieldProps) {
  const [own, rest] = splitProps(props, ["label", "bare", "hint", "problem", "icon", "class"]);
  const id = createUniqueId();
  const note = () => own.problem ?? own.hint;
  return (
    <div class={`field ${own.class ?? ""}`}>
      <Show when={!own.bare}>
        <label class="field-label" for={id}>
          {own.label}
        </label>
      </Show>
      <div class="field-box">
        <Show when={own.icon}>{(name) => <Icon name={name()} class="field-icon" />}</Show>
        <input
          type="text"
          spellcheck={false}
          autocomplete="off"
          {...rest}
          id={id}
          class="input"
          aria-label={own.bare ? own.label : undefined}
          aria-invalid={own.problem ? true : undefined}
          aria-describedby={note() ? `${id}-note` : undefined}
        />
      </div>
      <Show when={note()}>
        <p id={`${id}-note`} class="field-note" classList={{ "field-problem": !!own.problem }}>
          {note()}
        </p>
      </Show>
    </div>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly disabled?: boolean;
  /** The label is for screen readers only. */
  readonly bare?: boolean;
  readonly describedBy?: string | undefined;
  readonly onChange: (on: boolean) => void;
}

export function Switch(props: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={props.on}
      aria-label={props.bare ? props.label : undefined}
      aria-describedby={props.describedBy}
      disabled={props.disabled}
      onClick={() => props.onChange(!props.on)}
    >
      <span class="switch-track">
        <span class="switch-knob" />
      </span>
      <Show when={!props.bare}>
        <span>{props.label}</span>
      </Show>
    </button>
  );
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly bare?: boolean;
  readonly value: Value;
  readonly disabled?: boolean;
  readonly describedBy?: string | undefined;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const id = createUniqueId();
  return (
    <div class="field">
      <Show when={!props.bare}>
        <label class="field-label" for={id}>
          {props.label}
        </label>
      </Show>
      <div class="field-box">
        <select
          id={id}
          class="input select"
          aria-label={props.bare ? props.label : undefined}
          aria-describedby={props.describedBy}
          disabled={props.disabled}
          value={props.value}
          onChange={(event) => props.onChange(event.currentTarget.value as Value)}
        >
          <For each={props.options}>
            {({ value, label }) => (
              <option value={value} selected={value === props.value}>
                {label}
              </option>
            )}
          </For>
        </select>
        <Icon name="chevron-down" class="select-mark" />
      </div>
    </div>
  );
}
