import { ErrorBoundary, type ParentProps, Show, Suspense } from "solid-js";
import { Button, EmptyState } from "../design/index.js";

/** A part of the page that fails takes only its own place down, and can be tried again. */
export function Safe(props: ParentProps<{ readonly what: string }>) {
  return (
    <ErrorBoundary
      fallback={(problem: unknown, reset) => (
        <Show
          when={isOutdated(problem)}
          fallback={<Fault what={props.what} problem={problem} onRetry={reset} />}
        >
          <EmptyState
            icon="refresh"
            title="Reload to go on"
            actions={
              <Button kind="primary" onClick={() => location.reload()}>
                Reload the page
              </Button>
            }
          >
            This part of the page could not be fetched; Lockstep may have been updated. Your unsaved
            edits are kept.
          </EmptyState>
        </Show>
      )}
    >
      <Suspense>{props.children}</Suspense>
    </ErrorBoundary>
  );
}

function Fault(props: {
  readonly what: string;
  readonly problem: unknown;
  readonly onRetry: () => void;
}) {
  console.error(props.problem);
  return (
    <EmptyState
      icon="warning"
      title={`${props.what} had a fault`}
      actions={
        <>
          <Button onClick={() => props.onRetry()}>Try again</Button>
          <Button kind="quiet" onClick={() => location.reload()}>
            Reload the page
          </Button>
        </>
      }
    >
      <p>Your files and unsaved edits are safe in the workbench.</p>
      <pre class="shell-fault">{messageOf(props.problem)}</pre>
    </EmptyState>
  );
}

const messageOf = (problem: unknown): string =>
  problem instanceof Error ? problem.message : String(problem);

/** The browser's words for a module or a style that is not there any more. */
const isOutdated = (problem: unknown): boolean =>
  /dynamically imported|importing a module|preload css/i.test(messageOf(problem));
