import { type Accessor, createMemo, createSignal, onCleanup } from "solid-js";

/** Rows above and below the visible ones, so that a quick scroll shows no gap. */
const SPARE = 6;

export interface Shown<Row> {
  readonly row: Row;
  readonly index: number;
}

export interface VirtualRows<Row> {
  /** Only these are in the page; not in their order. */
  readonly visible: Accessor<readonly Shown<Row>[]>;
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
      // Always the same number of rows, whatever part of a row is at the top.
      const places = Math.min(rows().length, Math.ceil(room() / rowHeight()) + 1 + 2 * SPARE);
      const above = Math.floor(top() / rowHeight()) - SPARE;
      const first = Math.max(0, Math.min(rows().length - places, above));
      return { first, last: first + places };
    },
    undefined,
    { equals: (a, b) => a.first === b.first && a.last === b.last },
  );
  // Each place in the page keeps its row until the row is out of sight, so that scrolling by a few
  // rows changes a few places. The same row in the same place is the same object.
  const visible = createMemo<readonly Shown<Row>[]>((before) => {
    const { first, last } = bounds();
    const all = rows();
    const places = last - first;
    const shown: Shown<Row>[] = new Array(places);
    for (let index = first; index < last; index++) {
      const row = all[index];
      if (row === undefined) continue;
      const place = index % places;
      const known = before.length === places ? before[place] : undefined;
      shown[place] = known?.row === row && known.index === index ? known : { row, index };
    }
    return shown;
  }, []);
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
