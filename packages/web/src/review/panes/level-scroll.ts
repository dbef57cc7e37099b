/** Scrolls two elements together; answers how to stop. */
export function scrollTogether(a: HTMLElement, b: HTMLElement): () => void {
  // Where each was put by the other: that scroll is no wish of the person's.
  const put = new Map<HTMLElement, string>();
  const place = ({ scrollTop, scrollLeft }: HTMLElement) => `${scrollTop} ${scrollLeft}`;
  const follow = (leader: HTMLElement, follower: HTMLElement) => () => {
    if (put.get(leader) === place(leader)) return void put.delete(leader);
    put.delete(leader);
    const { scrollTop, scrollLeft } = leader;
    if (place(follower) === place(leader)) return;
    follower.scrollTop = scrollTop;
    follower.scrollLeft = scrollLeft;
    put.set(follower, place(follower));
  };
  const onA = follow(a, b);
  const onB = follow(b, a);
  a.addEventListener("scroll", onA, { passive: true });
  b.addEventListener("scroll", onB, { passive: true });
  return () => {
    a.removeEventListener("scroll", onA);
    b.removeEventListener("scroll", onB);
  };
}
