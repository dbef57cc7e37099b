interface SplitterProps {
  readonly label: string;
  /** "vertical" stands between left and right. */
  readonly orientation: "vertical" | "horizontal";
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** 1: dragging right or down makes it larger; -1: smaller. */
  readonly direction: 1 | -1;
  readonly onChange: (value: number) => void;
  /** Double click, or Enter. */
  readonly onToggle: () => void;
}

const KEY_STEP = 16;

/** The line between two parts, to be dragged or moved with the arrow keys. */
export function Splitter(props: SplitterProps) {
  const along = (event: PointerEvent) =>
    props.orientation === "vertical" ? event.clientX : event.clientY;
  const drag = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    if (event.button !== 0) return;
    const line = event.currentTarget;
    const from = along(event);
    const value = props.value;
    line.setPointerCapture(event.pointerId);
    const move = (next: PointerEvent) =>
      props.onChange(value + (along(next) - from) * props.direction);
    line.addEventListener("pointermove", move);
    line.addEventListener(
      "lostpointercapture",
      () => line.removeEventListener("pointermove", move),
      { once: true },
    );
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> =
      props.orientation === "vertical"
        ? { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }
        : { ArrowUp: -KEY_STEP, ArrowDown: KEY_STEP };
    const step = steps[event.key];
    if (step !== undefined) props.onChange(props.value + step * props.direction);
    else if (event.key === "Enter") props.onToggle();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is not a thematic break
    <div
      role="separator"
      class={`shell-splitter shell-splitter-${props.orientation}`}
      tabIndex="0"
      aria-label={props.label}
      aria-orientation={props.orientation}
      aria-valuemin={props.least}
      aria-valuemax={props.most}
      aria-valuenow={props.value}
      onPointerDown={drag}
      onDblClick={() => props.onToggle()}
      onKeyDown={onKey}
    />
  );
}
