import { ConnectionClosed, Peer } from "@lockstep/protocol";
import type {
  CallInput,
  CallName,
  CallOutput,
  EventName,
  Events,
} from "@lockstep/workbench/contract";
import { createSignal } from "solid-js";

/**
 * "expired": the server does not know this window's cookie any more, and only a new launch helps.
 * "lost": nobody answers; the window goes on trying.
 */
export type LinkStatus = "connecting" | "open" | "lost" | "expired";

type Listener<Name extends EventName> = (event: Events[Name]) => void;

/** As in the contract: longer messages go by HTTP. */
const LARGEST_MESSAGE = 256 * 1024;
const RETRY_MS = [50, 100, 250, 500, 1_000, 2_000];

const [status, setStatus] = createSignal<LinkStatus>("connecting");
const listeners = new Map<EventName, Set<Listener<EventName>>>();
const openers = new Set<() => Promise<void>>();
let peer: Peer | null = null;
let failures = 0;

export const linkStatus = status;

/** Asks the workbench. Fails with its sentence, or with ConnectionClosed while there is no link. */
export async function call<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
): Promise<CallOutput<Name>> {
  if (!peer) throw new ConnectionClosed("Lockstep is not reachable at the moment");
  const at = peer;
  const long = JSON.stringify(input);
  const params = long.length > LARGEST_MESSAGE ? { $body: await upload(long) } : input;
  return (await whole(await at.request(name, params))) as CallOutput<Name>;
}

/**
 * Tells the workbench, without an answer. Where it cannot be reached, which the page shows anyway, or
 * does not know any more what is spoken of, nothing is to be done.
 */
export function tell<Name extends CallName>(name: Name, input: CallInput<Name>): void {
  void call(name, input).catch(() => {});
}

/** Hears an event of the workbench, until disposed. */
export function on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
  const set = listeners.get(name) ?? new Set();
  listeners.set(name, set);
  set.add(listener as Listener<EventName>);
  return () => set.delete(listener as Listener<EventName>);
}

/** Runs whenever the link has been made, the first time and after each loss, one after the other. */
export function onLink(opener: () => Promise<void>): () => void {
  openers.add(opener);
  if (status() === "open") void opener();
  return () => openers.delete(opener);
}

/** Opens the link and keeps it open. */
export function connect(): void {
  const socket = new WebSocket(`ws://${location.host}/socket`);
  const mine = new Peer({
    send: (text) => socket.send(text),
    onNotification: (method, params) => void hear(method as EventName, params),
  });
  socket.addEventListener("open", async () => {
    peer = mine;
    try {
      for (const opener of openers) await opener();
      if (peer !== mine) return;
      failures = 0;
      setStatus("open");
    } catch (error) {
      if (error instanceof ConnectionClosed) return;
      console.error(error);
      // Half a link is none: it is made again, a little later each time.
      socket.close();
    }
  });
  socket.addEventListener("message", ({ data }) => mine.receive(String(data)));
  socket.addEventListener("close", async () => {
    mine.close();
    if (peer === mine) peer = null;
    // Said at once: whoever has the port now may never answer.
    if (status() === "open") setStatus("lost");
    if (await isExpired()) return void setStatus("expired");
    setTimeout(connect, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
  });
}

async function hear(name: EventName, params: unknown): Promise<void> {
  const event = (await whole(params)) as Events[EventName];
  for (const listener of listeners.get(name) ?? []) listener(event);
}

/** A living editor answers at once. */
const ANSWER_MS = 5_000;

/** A socket that is refused does not say why; a request does. */
async function isExpired(): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch("/alive", { cache: "no-store", signal }).catch(() => null);
  return answer?.status === 401;
}

async function upload(text: string): Promise<string> {
  const answer = await fetch("/body", { method: "POST", body: text });
  if (!answer.ok) throw new Error(`Sending failed: ${answer.status}`);
  return answer.text();
}

async function whole(value: unknown): Promise<unknown> {
  if (typeof value !== "object" || value === null || !("$body" in value)) return value;
  const answer = await fetch(`/body/${value.$body}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`Fetching failed: ${answer.status}`);
  return answer.json();
}
