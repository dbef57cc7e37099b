/** How much was added and removed, also for those who hear it. */
export function LineCounts(props: { readonly added: number; readonly removed: number }) {
  return (
    <span class="review-size">
      <span class="review-added">
        <span class="unseen">Lines added: </span>+{props.added}
      </span>
      <span class="review-removed">
        <span class="unseen">Lines removed: </span>−{props.removed}
      </span>
    </span>
  );
}
