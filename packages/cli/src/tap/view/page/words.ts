import type { Row } from "../page-data.js";

/** Since the recording began. */
export function clock(at: number): string {
  const minutes = Math.floor(at / 60_000);
  const seconds = (at % 60_000) / 1000;
  return `${minutes}:${seconds.toFixed(3).padStart(6, "0")}`;
}

export function duration(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function sizeOf(characters: number): string {
  if (characters < 1024) return `${characters} B`;
  if (characters < 1024 * 1024) return `${Math.round(characters / 1024)} KB`;
  return `${(characters / 1024 / 1024).toFixed(1)} MB`;
}

export const ROLES: Readonly<Record<Row["role"], string>> = {
  request: "request",
  answer: "answer",
  failure: "failed",
  notification: "notification",
  other: "frame",
  life: "connection",
};

export const SENDERS: Readonly<Record<Row["from"], string>> = {
  agent: "Agent",
  ide: "Editor",
  tap: "Tap",
};
