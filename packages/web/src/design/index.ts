import "./design.css";

export { AskLayer, ask } from "./ask.js";
export { Badge } from "./badge.js";
export { Banner, TONE_ICONS } from "./banner.js";
export { Button, IconButton } from "./button.js";
export { CopyButton } from "./copy-button.js";
export { Dialog } from "./dialog.js";
export { EmptyState } from "./empty-state.js";
export { Select, Switch, TextField } from "./field.js";
export { Icon, type IconName } from "./icon.js";
export { Kbd } from "./kbd.js";
export { Menu, type MenuItem } from "./menu.js";
export { Progress } from "./progress.js";
export { SidebarHead } from "./sidebar-head.js";
export {
  dismissLatestToast,
  forgetMessages,
  type Message,
  messages,
  showProblem,
  showToast,
  ToastArea,
} from "./toast.js";
export { TooltipLayer } from "./tooltip.js";
