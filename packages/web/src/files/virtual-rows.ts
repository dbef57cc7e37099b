import { type Accessor, createMemo, createSignal, onCleanup } from "solid-js";

/** Rows above and below the visible ones, so that a quick scroll shows no gap. */
const SPARE = 6;

export interface VirtualRows<Row> {
  /** Only these are in the page. */
  readonly visible: Accessor<readonly { readonly row: Row; readonly index: number }[]>;
  /** Pixels of all rows together. */
  readonly height: Accessor<number>;
  readonly rowHeight: Accessor<number>;
  /** For the element that scrolls. */
  readonly attach: (scroller: HTMLElement) => void;
  /** Scrolls as little as needed. */
  readonly reveal: (index: number) => void;
  /** How many rows fit: for Page Up and Page Down. */
  readonly page: Accessor<number>;
}

/** Keeps only the rows in the page that can be seen. All have the height of the token --row. */
export function createVirtualRows<Row>(rows: Accessor<readonly Row[]>): VirtualRows<Row> {
  const [top, setTop] = createSignal(0);
  const [room, setRoom] = createSignal(0);
  const [rowHeight, setRowHeight] = createSignal(24);
  let scroller: HTMLElement | null = null;

  const attach = (element: HTMLElement) => {
    scroller = element;
    const measure = () => {
      setRoom(element.clientHeight);
      setRowHeight(Number.parseFloat(getComputedStyle(element).getPropertyValue("--row")) || 24);
    };
    element.addEventListener("scroll", () => setTop(element.scrollTop), { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    onCleanup(() => observer.disconnect());
  };
  const bounds = createMemo(
    () => {
      const first = Math.max(0, Math.floor(top() / rowHeight()) - SPARE);
      const last = Math.min(rows().length, Math.ceil((top() + room()) / rowHeight()) + SPARE);
      return { first, last };
    },
    undefined,
    { equals: (a, b) => a.first === b.first && a.last === b.last },
  );
  const visible = createMemo(() => {
    const { first, last } = bounds();
    return rows()
      .slice(first, last)
      .map((row, at) => ({ row, index: first + at }));
  });
  const reveal = (index: number) => {
    if (!scroller || index < 0) return;
    const from = index * rowHeight();
    const bottom = scroller.scrollTop + scroller.clientHeight;
    if (from < scroller.scrollTop) scroller.scrollTop = from;
    else if (from + rowHeight() > bottom) {
      scroller.scrollTop = from + rowHeight() - scroller.clientHeight;
    }
    setTop(scroller.scrollTop);
  };
  return {
    visible,
    height: () => rows().length * rowHeight(),
    rowHeight,
    attach,
    reveal,
    page: () => Math.max(1, Math.floor(room() / rowHeight()) - 1),
  };
}
