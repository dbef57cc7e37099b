/**
 * An open WebSocket, as much of it as the wire needs. Node's is made by `connect`; in a browser
 * or behind a relay another one does.
 */
export interface Socket {
  send(text: string): void;
  close(): void;
  /** Called once. What has arrived before is handed over then, so nothing is missed. */
  listen(listener: SocketListener): void;
}

export interface SocketListener {
  readonly message: (text: string) => void;
  /** The last call, with the code of the close frame; 1005 and 1006 where there was none. */
  readonly closed: (code: number, reason: string) => void;
}
