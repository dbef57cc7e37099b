/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Something that a person would see. */
export interface Sight {
  readonly selector: string;
  /** What its text has to contain, without spaces: some editors show other ones than they hold. */
  readonly text?: string;
}

/** When and where something was seen. */
export interface Seen {
  /** After the frame that shows it, in wall time. */
  readonly at: number;
  /** Its middle. */
  readonly x: number;
  readonly y: number;
}

declare global {
  /** Lives in the page, and takes times where they happen: a question from outside comes late. */
  var benchWitness: {
    see(sight: Sight): Promise<Seen>;
    /** After the frame that is about to be made. */
    painted(): Promise<number>;
    /** When the last click was made, by its event, in wall time. */
    clickedAt: number;
  };
}

/** Runs in the page before anything else does. It must not refer to anything outside of itself. */
export function witness(): void {
  const wallTime = (time: number) => performance.timeOrigin + time;
  /** Called while a frame is prepared; urgent, so that it is done before the next one is. */
  const afterFrame = (done: () => void) =>
    void scheduler.postTask(done, { priority: "user-blocking" });
  const look = ({ selector, text }: Sight): DOMRect | undefined => {
    for (const element of document.querySelectorAll(selector)) {
      if (text !== undefined && !element.textContent?.includes(text)) continue;
      const box = element.getBoundingClientRect();
      if (box.width > 0 && box.height > 0) return box;
    }
    return undefined;
  };
  globalThis.benchWitness = {
    see: (sight) =>
      new Promise((resolve) => {
        const again = () => {
          const box = look(sight);
          if (!box) return void requestAnimationFrame(again);
          const x = box.left + box.width / 2;
          const y = box.top + box.height / 2;
          afterFrame(() => resolve({ at: wallTime(performance.now()), x, y }));
        };
        requestAnimationFrame(again);
      }),
    painted: () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => afterFrame(() => resolve(wallTime(performance.now()))));
      }),
    clickedAt: Number.NaN,
  };
  const clicked = ({ timeStamp }: MouseEvent) => {
    globalThis.benchWitness.clickedAt = wallTime(timeStamp);
  };
  addEventListener("click", clicked, { capture: true });
}
