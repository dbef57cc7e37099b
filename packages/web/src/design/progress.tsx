/** 0 to 1; null while nobody can say. */
export function Progress(props: { readonly value: number | null; readonly label: string }) {
  return (
    <div
      class="progress"
      classList={{ "progress-unknown": props.value === null }}
      role="progressbar"
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={props.value === null ? undefined : Math.round(props.value * 100)}
    >
      <div class="progress-bar" style={{ transform: `scaleX(${props.value ?? 1})` }} />
    </div>
  );
}
