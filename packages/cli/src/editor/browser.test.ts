import { describe, expect, it } from "vitest";
import { candidates } from "./browser.js";

const URL = "http://127.0.0.1:1/?launch=$&";

describe("the programs that may open an address", () => {
  it("are the person's own first, with the address where they want it", () => {
    const env = { BROWSER: "firefox --new-tab %s::w3m", DISPLAY: ":0" };
    expect(candidates(URL, env, "linux")).toEqual([
      ["firefox", "--new-tab", URL],
      ["w3m", URL],
      ["xdg-open", URL],
    ]);
  });

  it("are none without a screen: the terminal is no place for a browser", () => {
    expect(candidates(URL, {}, "linux")).toEqual([]);
    expect(candidates(URL, { WAYLAND_DISPLAY: "wayland-0" }, "linux")).toEqual([["xdg-open", URL]]);
    expect(candidates(URL, { WSL_DISTRO_NAME: "Debian" }, "linux")).toEqual([["wslview", URL]]);
  });

  it("are the system's own elsewhere", () => {
    expect(candidates(URL, {}, "darwin")).toEqual([["open", URL]]);
    expect(candidates(URL, {}, "win32")).toEqual([["cmd.exe", "/c", "start", '""', URL]]);
  });
});
