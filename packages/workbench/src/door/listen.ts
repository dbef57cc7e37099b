import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Ports below Linux's range for outgoing connections: nothing takes one while Lockstep restarts. */
const STEADY_PORTS = { first: 10_000, last: 32_767 };
/** No browser opens a page at this one, which is among them. */
const REFUSED_BY_BROWSERS = 10_080;
const TRIES = 64;
/** Where connections wait until Node takes them. */
const BACKLOG = 1024;

/** Binds 127.0.0.1, at the wanted port if it is free. Answers the port that it got. */
export async function listen(server: Server, wanted: number | undefined): Promise<number> {
  if (wanted !== undefined && (await listenAt(server, wanted))) return wanted;
  for (let tries = 0; tries < TRIES; tries++) {
    const { first, last } = STEADY_PORTS;
    const port = first + Math.floor(Math.random() * (last - first + 1));
    if (await listenAt(server, port)) return port;
  }
  await listenAt(server, 0);
  return (server.address() as AddressInfo).port;
}

/** False if the port is taken, or not for us. */
function listenAt(server: Server, port: number): Promise<boolean> {
  if (port === REFUSED_BY_BROWSERS) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      server.off("listening", listening);
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(false);
      else reject(error);
    };
    const listening = () => {
      server.off("error", failed);
      resolve(true);
    };
    server.once("error", failed);
    server.once("listening", listening);
    server.listen({ port, host: "127.0.0.1", exclusive: true, backlog: BACKLOG });
  });
}
