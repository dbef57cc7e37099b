import { ViewPlugin } from "@codemirror/view";

/** When something takes room below the text, the line that the person writes in stays in sight. */
export const caretInSight = ViewPlugin.define((view) => {
  const { scrollDOM } = view;
  let height = scrollDOM.clientHeight;
  const observer = new ResizeObserver(() => {
    const lost = height - scrollDOM.clientHeight;
    height = scrollDOM.clientHeight;
    if (lost <= 0 || !view.hasFocus) return;
    const caret = view.coordsAtPos(view.state.selection.main.head);
    const hidden = caret ? caret.bottom - scrollDOM.getBoundingClientRect().bottom : 0;
    if (hidden > 0 && hidden <= lost) scrollDOM.scrollTop += hidden;
  });
  observer.observe(scrollDOM);
  return { destroy: () => observer.disconnect() };
});
