import { ErrorBoundary, type ParentProps, Suspense } from "solid-js";
import { Button, EmptyState } from "../design/index.js";

/** A part of the page that fails takes only its own place down, and can be tried again. */
export function Safe(props: ParentProps<{ readonly what: string }>) {
  return (
    <ErrorBoundary
      fallback={(problem: unknown, reset) => (
        <EmptyState
          icon="warning"
          title={`${props.what} had a fault`}
          actions={
            <>
              <Button onClick={reset}>Try again</Button>
              <Button kind="quiet" onClick={() => location.reload()}>
                Reload the page
              </Button>
            </>
          }
        >
          <p>Your files and unsaved edits are safe in the workbench.</p>
          <pre class="shell-fault">{wording(problem)}</pre>
        </EmptyState>
      )}
    >
      <Suspense>{props.children}</Suspense>
    </ErrorBoundary>
  );
}

function wording(problem: unknown): string {
  console.error(problem);
  return problem instanceof Error ? problem.message : String(problem);
}
