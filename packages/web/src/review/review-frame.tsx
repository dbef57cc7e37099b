import { onCleanup, onMount, type ParentProps } from "solid-js";
import { addCommands } from "../commands.js";
import { keepFocus, mayTakeFocus } from "./keep-focus.js";
import { type Act, type Acts, handleReviewKey, KEYS } from "./review-keys.js";

interface ReviewFrameProps extends ParentProps {
  readonly label: string;
  /** For a look besides a review's. */
  readonly class?: string;
  readonly acts: Acts;
  /** In the palette: "review" or "turn", and what the acts are called there. */
  readonly kind: string;
  readonly titles: readonly (readonly [Act, string])[];
  /** Reads what buttons go with, see {@link keepFocus}. */
  readonly watch: () => void;
  readonly ref?: (frame: HTMLElement) => void;
}

/**
 * Where changes are decided, in a proposal or in a turn: it has the focus and the keys. The palette
 * offers them too; they are the frame's own, because they must not work from elsewhere.
 */
export function ReviewFrame(props: ReviewFrameProps) {
  let root: HTMLElement | undefined;
  onMount(() => {
    if (!root) return;
    root.addEventListener("keydown", (event) => handleReviewKey(event, props.acts), true);
    keepFocus(root, props.watch);
    if (mayTakeFocus()) root.focus({ preventScroll: true });
  });
  onCleanup(
    addCommands(
      props.titles.map(([act, title]) => ({
        id: `${props.kind}.${act}`,
        title,
        ownKeys: KEYS[act],
        run: () => void props.acts[act]?.(),
      })),
    ),
  );
  return (
    <section
      class={props.class ? `review ${props.class}` : "review"}
      aria-label={props.label}
      tabindex="-1"
      data-region-focus
      ref={(element) => {
        root = element;
        props.ref?.(element);
      }}
    >
      {props.children}
    </section>
  );
}
