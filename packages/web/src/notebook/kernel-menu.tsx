import type { KernelOffer, NotebookInfo } from "@lockstep/workbench/contract";
import { createSignal, Show } from "solid-js";
import { Icon, Menu, type MenuItem, showProblem } from "../design/index.js";
import { call } from "../replica/link.js";
import { chooseKernel, restart } from "./actions.js";
import type { NotebookSession } from "./session.js";

const WORDS = {
  off: "not started",
  starting: "starting",
  idle: "idle",
  busy: "busy",
  dead: "stopped",
} as const;

/** The notebook's kernel and how it is; a click lists those that it could be. */
export function KernelMenu(props: {
  readonly session: NotebookSession;
  readonly info: NotebookInfo;
}) {
  const [menu, setMenu] = createSignal<{ x: number; y: number; items: MenuItem[] } | null>(null);
  const name = () => props.info.kernel.name ?? props.info.kernelName ?? "No kernel chosen";
  const show = async (button: HTMLElement) => {
    try {
      const offer = await call("notebook.kernels", { uri: props.info.uri });
      const { left, bottom } = button.getBoundingClientRect();
      setMenu({ x: left, y: bottom + 4, items: itemsOf(offer) });
    } catch (problem) {
      showProblem(problem);
    }
  };
  const itemsOf = ({ choices }: KernelOffer): MenuItem[] => [
    ...choices.map(
      ({ id, displayName, source, insideProject }): MenuItem => ({
        label: insideProject ? `${displayName}, of this project` : `${displayName}, ${source}`,
        ...(displayName === props.info.kernel.name ? { icon: "check" as const } : {}),
        run: () => void chooseKernel(props.session, id),
      }),
    ),
    ...(choices.length === 0
      ? [{ label: "No kernel was found", disabled: true, run: () => {} }]
      : []),
    { kind: "line" },
    { label: "Restart kernel…", icon: "refresh", run: () => void restart(props.session) },
  ];
  return (
    <>
      <button
        type="button"
        class="nb-kernel"
        aria-haspopup="menu"
        aria-expanded={menu() !== null}
        aria-label={`Kernel: ${name()}, ${WORDS[props.info.kernel.status]}. Choose another`}
        data-tip="Choose a kernel"
        onClick={({ currentTarget }) => void show(currentTarget)}
      >
        <span class={`nb-dot nb-dot-${props.info.kernel.status}`} />
        <span class="nb-kernel-name">{name()}</span>
        <span class="nb-kernel-status">{WORDS[props.info.kernel.status]}</span>
        <Icon name="chevron-down" />
      </button>
      <Show when={menu()}>
        {(at) => (
          <Menu label="Kernels" at={at()} items={at().items} onClose={() => setMenu(null)} />
        )}
      </Show>
    </>
  );
}
