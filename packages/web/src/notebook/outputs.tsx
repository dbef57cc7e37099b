import type { ShownOutput } from "@lockstep/workbench/contract";
import { createEffect, createResource, For, Match, Show, Suspense, Switch } from "solid-js";
import { OutputText } from "./output-text.js";

type Data = Extract<ShownOutput, { readonly kind: "data" }>;

/** What a run has printed, shown and thrown, in order. */
export function Outputs(props: { readonly outputs: readonly ShownOutput[] }) {
  return (
    <Show when={props.outputs.length > 0}>
      <div class="nb-outputs">
        <For each={props.outputs}>{(output) => <Output output={output} />}</For>
      </div>
    </Show>
  );
}

function Output(props: { readonly output: ShownOutput }) {
  const of = <Kind extends ShownOutput["kind"]>(kind: Kind) =>
    (props.output.kind === kind ? props.output : false) as
      | Extract<ShownOutput, { kind: Kind }>
      | false;
  return (
    <Switch>
      <Match when={of("stream")}>
        {(stream) => (
          <div class="nb-output" classList={{ "nb-stderr": stream().name === "stderr" }}>
            <OutputText text={stream().text} />
          </div>
        )}
      </Match>
      <Match when={of("error")}>
        {(error) => (
          <div class="nb-output nb-error">
            <Show
              when={error().traceback}
              fallback={
                <p class="nb-error-name">
                  {[error().name, error().message].filter(Boolean).join(": ")}
                </p>
              }
            >
              <OutputText text={error().traceback} />
            </Show>
          </div>
        )}
      </Match>
      <Match when={of("data")}>{(data) => <Shown data={data()} />}</Match>
      <Match when={of("unknown")}>
        {(unknown) => <Unknown words={`An output of the unknown type “${unknown().type}”.`} />}
      </Match>
    </Switch>
  );
}

const BINARY = /^image\/(?:png|jpeg|gif|webp)$/;

function Shown(props: { readonly data: Data }) {
  const mime = () => props.data.mime;
  const named = () => `[${props.data.types.join(", ") || "nothing"}]`;
  return (
    <Switch fallback={<Unknown words={`An output that this page cannot show: ${named()}.`} />}>
      <Match when={BINARY.test(mime() ?? "") || mime() === "image/svg+xml"}>
        <div class="nb-output nb-picture">
          <img
            src={address(props.data)}
            alt={props.data.plain || "Picture without a description"}
            width={props.data.size?.width}
            height={props.data.size?.height}
          />
        </div>
      </Match>
      <Match when={mime() === "text/html" || mime() === "text/markdown"}>
        <Rich data={props.data} />
      </Match>
      <Match when={mime() === "text/latex"}>
        <div class="nb-output">
          <span class="nb-note">LaTeX</span>
          <OutputText text={props.data.text} />
        </div>
      </Match>
      <Match when={mime() !== null}>
        <div class="nb-output">
          <OutputText text={props.data.text} />
        </div>
      </Match>
    </Switch>
  );
}

/** As the address of an image nothing in it can run, and nothing is fetched for it. */
function address({ mime, text }: Data): string {
  if (mime !== "image/svg+xml") return `data:${mime};base64,${text.replace(/\s+/g, "")}`;
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

/** Cleaned HTML. What has nothing left then is shown as plain text. */
function Rich(props: { readonly data: Data }) {
  const [rich] = createResource(() => import("./rich.js"));
  const fragment = () => {
    const cleaners = rich();
    if (!cleaners) return null;
    const { mime, text } = props.data;
    return mime === "text/html" ? cleaners.cleanHtml(text) : cleaners.renderMarkdown(text, {});
  };
  const isEmpty = (found: DocumentFragment) =>
    found.textContent?.trim() === "" && !found.querySelector("img, hr, td");
  return (
    // Waited for here: the notebook around it stays on the page, with its focus and its place.
    <Suspense>
      <Show when={fragment()}>
        {(found) => (
          <Show when={!isEmpty(found())} fallback={<Left data={props.data} />}>
            {/* What scrolls must be within reach of the keyboard. */}
            <section class="nb-output nb-rich" aria-label="Output" tabindex="0">
              <div ref={(element) => createEffect(() => element.replaceChildren(found()))} />
            </section>
          </Show>
        )}
      </Show>
    </Suspense>
  );
}

function Left(props: { readonly data: Data }) {
  return (
    <Show
      when={props.data.plain}
      fallback={<Unknown words="An output whose HTML has nothing that is safe to show." />}
    >
      {(plain) => (
        <div class="nb-output">
          <OutputText text={plain()} />
        </div>
      )}
    </Show>
  );
}

function Unknown(props: { readonly words: string }) {
  return <p class="nb-output nb-note">{props.words}</p>;
}
