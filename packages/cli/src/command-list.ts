import type { Command } from "./command.js";

/** Loaded when called, so that no command pays for another. */
export const COMMANDS = {
  open: () => import("./commands/open.js"),
  demo: () => import("./commands/demo.js"),
  reset: () => import("./commands/reset.js"),
  serve: () => import("./commands/serve.js"),
  review: () => import("./commands/review.js"),
  doctor: () => import("./commands/doctor.js"),
  ls: () => import("./commands/ls.js"),
  call: () => import("./commands/call.js"),
  watch: () => import("./commands/watch.js"),
  tap: () => import("./commands/tap.js"),
  replay: () => import("./commands/replay.js"),
  verify: () => import("./commands/verify.js"),
  run: () => import("./commands/run.js"),
  mcp: () => import("./commands/mcp.js"),
  relay: () => import("./commands/relay.js"),
  completion: () => import("./commands/completion.js"),
} satisfies Readonly<Record<string, () => Promise<{ command: Command }>>>;

export const HELP = `lockstep: keeps editors and coding agents in step

  lockstep [folder]             open the editor on a folder, in the browser
  lockstep demo                 a tour with a scripted agent on a sample project
  lockstep reset [folder]       forget what Lockstep keeps of a folder
  lockstep serve [folder]       serve a folder's files to agents, without the editor
  lockstep review               go through agents' proposals in the terminal
  lockstep doctor               say why an agent would or would not connect here
  lockstep ls                   list the editors that announce themselves
  lockstep call <tool> [json]   call a tool of a running editor
  lockstep watch                show what an editor tells agents, as it happens
  lockstep tap [-- command]     record what an agent and an editor say to each other
  lockstep replay FILE          play a recording's agent, or its editor
  lockstep verify               check an editor, or an agent, against the protocol
  lockstep run [-- command]     run claude, or another command, connected to an editor
  lockstep mcp                  the editor's tools for any agent that speaks MCP
  lockstep relay                an editor here for agents in a container or on a host
  lockstep completion <shell>   complete commands and flags in bash, zsh or fish

  lockstep <command> --help     more on a command, with examples
  lockstep open --help          more on lockstep [folder]
  lockstep --version

Examples:
  lockstep                      open the current folder; type claude in its terminal
  lockstep ~/project --no-open  print the address instead of opening a browser`;
