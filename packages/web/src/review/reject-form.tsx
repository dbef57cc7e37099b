import { createSignal, onMount } from "solid-js";
import { Button, Kbd, TextField } from "../design/index.js";
import type { ReviewSession } from "./review-session.js";

/** Asks why, which the agent can learn from; it may stay empty. */
export function RejectForm(props: {
  readonly session: ReviewSession;
  readonly onClose: () => void;
}) {
  const [reason, setReason] = createSignal("");
  let form: HTMLFormElement | undefined;
  onMount(() => form?.querySelector("input")?.focus());
  const close = () => {
    props.session.setRejecting(false);
    props.onClose();
  };
  return (
    <form
      class="review-reject"
      aria-label="Reject the proposal"
      ref={(element) => {
        form = element;
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void props.session.reject(reason());
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      <TextField
        bare
        label="Reason for rejecting"
        placeholder={`Tell ${props.session.info().agent.name} what to do instead (optional)`}
        maxLength={10_000}
        value={reason()}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <Button kind="danger" type="submit">
        Reject all <Kbd keys="Enter" />
      </Button>
      <Button kind="quiet" onClick={close}>
        Cancel
      </Button>
    </form>
  );
}
