import { filePath, type Uri } from "@lockstep/protocol";
import type { Unshown } from "@lockstep/workbench/contract";
import { Match, Show, Switch } from "solid-js";
import { Button, EmptyState, type IconName, showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { copyText, mentionAt } from "./file-actions.js";
import { showTree } from "./requests.js";
import { sizeWords } from "./size-words.js";

const ICONS: Readonly<Record<Unshown["reason"], IconName>> = {
  binary: "file",
  large: "file",
  unreadable: "lock",
  special: "file",
  absent: "warning",
};

/** In the place of a text that cannot be shown: what the file is, why, and what can be done. */
export function UnshownFile(props: { readonly uri: Uri; readonly file: Unshown }) {
  return (
    <Show when={props.file.picture} fallback={<Words uri={props.uri} file={props.file} />} keyed>
      {(address) => (
        <figure class="files-picture">
          <div class="files-picture-frame">
            <img src={address} alt={props.file.label} draggable={false} />
          </div>
          <figcaption class="files-picture-words">
            <span>{facts(props.file)}</span>
            <Actions uri={props.uri} file={props.file} />
          </figcaption>
        </figure>
      )}
    </Show>
  );
}

function Words(props: { readonly uri: Uri; readonly file: Unshown }) {
  return (
    <EmptyState
      icon={ICONS[props.file.reason]}
      title={title(props.file)}
      actions={<Actions uri={props.uri} file={props.file} />}
    >
      <Switch fallback={props.file.why}>
        <Match when={props.file.reason === "binary"}>
          It cannot be edited here. Agents and programs can still read it.
        </Match>
        <Match when={props.file.reason === "large"}>
          The most that can be opened here is 50 MB. Agents and programs can still read it.
        </Match>
        <Match when={props.file.reason === "absent"}>
          It was deleted or renamed, or was never there. It opens here as soon as there is one.
        </Match>
      </Switch>
      <Show when={facts(props.file)}>
        {(words) => <p class="files-unshown-facts">{words()}</p>}
      </Show>
    </EmptyState>
  );
}

function Actions(props: { readonly uri: Uri; readonly file: Unshown }) {
  const path = () => filePath(props.uri) ?? "";
  const isFile = () => props.file.reason !== "absent" && props.file.reason !== "special";
  const again = () => void call("tab.open", { uri: props.uri, preview: true }).catch(showProblem);
  return (
    <div class="files-unshown-actions">
      <Show when={props.file.reason === "unreadable" || props.file.reason === "absent"}>
        <Button onClick={again}>Try again</Button>
      </Show>
      <Show when={props.file.reason !== "absent"}>
        <Button onClick={showTree}>Show in the tree</Button>
      </Show>
      <Button onClick={() => void copyText(path(), "the path")}>Copy path</Button>
      <Show when={isFile()}>
        <Button onClick={() => void mentionAt(path())}>Mention to agent</Button>
      </Show>
    </div>
  );
}

function title({ reason, label }: Unshown): string {
  if (reason === "absent") return `There is no file ${label}`;
  if (reason === "unreadable") return `${label} cannot be read`;
  if (reason === "special") return `${label} is not an ordinary file`;
  if (reason === "large") return `${label} is too large to open`;
  return `${label} is not text`;
}

/** "PNG image · 12.4 KB · in assets/icons"; "" where nothing is known. */
function facts({ reason, what, size, place }: Unshown): string {
  const kind = what ?? (reason === "binary" ? "Binary file" : null);
  const parts = [
    kind && upperFirst(kind),
    size === null ? null : sizeWords(size),
    place ? `in ${place}` : null,
  ];
  return parts.filter(Boolean).join(" · ");
}

const upperFirst = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
