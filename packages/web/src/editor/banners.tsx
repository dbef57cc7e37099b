import type { Uri } from "@lockstep/protocol";
import type { DocumentInfo, ProposalInfo } from "@lockstep/workbench/contract";
import { Match, onCleanup, Show, Switch } from "solid-js";
import { runCommand } from "../commands.js";
import { Banner, Button, showProblem } from "../design/index.js";
import { AsTextBanner } from "../notebook/as-text-banner.js";
import { call } from "../replica/link.js";
import { state } from "../replica/state.js";
import { setView } from "../replica/view.js";
import { focusElement } from "../shell/regions.js";

/** What there is to know and to decide about a document, above its text. */
export function Banners(props: { readonly info: DocumentInfo }) {
  const uri = () => props.info.uri;
  return (
    <div class="editor-banners">
      <Switch>
        <Match when={props.info.clash === "changed"}>
          <Changed uri={uri()} />
        </Match>
        <Match when={props.info.clash === "deleted" && props.info.trouble === null}>
          <Deleted uri={uri()} label={props.info.label} />
        </Match>
      </Switch>
      <Show when={props.info.trouble}>{(why) => <Trouble uri={uri()} why={why()} />}</Show>
      <Show when={props.info.readOnly}>{(why) => <Banner tone="info">{why()}</Banner>}</Show>
      <AsTextBanner uri={uri()} />
      <Show when={proposalFor(uri())}>{(proposal) => <Proposed proposal={proposal()} />}</Show>
    </div>
  );
}

function Changed(props: { readonly uri: Uri }) {
  thenText();
  const settle = (choice: "mine" | "theirs") =>
    call("document.settle", { uri: props.uri, choice }).catch(showProblem);
  const merge = async () => {
    const { uri } = props;
    try {
      await call("document.settle", { uri, choice: "merge" });
      const found = Object.values(state().proposals).find(
        (proposal) => proposal.uri === uri && proposal.kind === "merge",
      );
      if (found) setView({ kind: "review", id: found.id });
    } catch (problem) {
      showProblem(problem);
    }
  };
  return (
    <Banner
      tone="warn"
      actions={
        <>
          <Button size="s" onClick={() => settle("mine")}>
            Keep mine
          </Button>
          <Button size="s" onClick={() => settle("theirs")}>
            Take the file’s
          </Button>
          <Button size="s" kind="primary" onClick={() => void merge()}>
            Merge…
          </Button>
        </>
      }
    >
      The file has changed on disk and you have unsaved edits.
    </Banner>
  );
}

function Deleted(props: { readonly uri: Uri; readonly label: string }) {
  thenText();
  return (
    <Banner
      tone="warn"
      actions={
        <>
          <Button size="s" kind="primary" onClick={() => save(props.uri)}>
            Save anyway
          </Button>
          <Button size="s" onClick={() => runCommand("tab.close")}>
            Close
          </Button>
        </>
      }
    >
      {props.label} was deleted on disk. Your text is still here.
    </Banner>
  );
}

function Trouble(props: { readonly uri: Uri; readonly why: string }) {
  thenText();
  return (
    <Banner
      tone="error"
      actions={
        <>
          <Button
            size="s"
            kind="primary"
            onClick={() => call("document.save", { uri: props.uri }).catch(showProblem)}
          >
            Try again
          </Button>
          <Button size="s" onClick={() => runCommand("file.saveAs")}>
            Save as…
          </Button>
        </>
      }
    >
      {props.why}
    </Banner>
  );
}

function Proposed(props: { readonly proposal: ProposalInfo }) {
  const sentence = () =>
    props.proposal.kind === "merge"
      ? "Your edits and the file’s wait to be merged."
      : `${props.proposal.agent.name} proposes a change to this file.`;
  return (
    <div class="editor-proposed" role="status">
      <span class="editor-proposed-dot" />
      <span>{sentence()}</span>
      <Button
        size="s"
        kind="quiet"
        onClick={() => setView({ kind: "review", id: props.proposal.id })}
      >
        Review
      </Button>
    </div>
  );
}

const save = (uri: Uri) => call("document.save", { uri, overwrite: true }).catch(showProblem);

/** The button that was pressed goes with its banner: the person is in the text from then on, not nowhere. */
function thenText(): void {
  onCleanup(() => {
    if (document.activeElement?.closest(".editor-banners"))
      focusElement(".nb-selected, .editor .cm-content");
  });
}

const proposalFor = (uri: Uri): ProposalInfo | undefined =>
  Object.values(state().proposals).find(
    (proposal) => proposal.uri === uri && proposal.kind !== "orphaned",
  );
