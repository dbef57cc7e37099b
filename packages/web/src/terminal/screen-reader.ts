import { createSignal } from "solid-js";
import { addCommands } from "../commands.js";

const KEY = "lockstep.terminal.screenReader";
const [on, setOn] = createSignal(localStorage.getItem(KEY) === "on");

/** Whether terminals keep their lines where screen readers find them. It costs speed, so it is off at first. */
export const screenReader = on;

addCommands([
  {
    id: "terminal.screenReader",
    title: "Terminal: Toggle Screen Reader Mode",
    run: () => {
      setOn(!on());
      localStorage.setItem(KEY, on() ? "on" : "off");
    },
  },
]);
