import { stat } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { isListening } from "@lockstep/client";
import { expect, Fault, NotChecked } from "../../check.js";
import type { UpgradeReply } from "../upgrade.js";
import type { IdeCheck } from "./ide-check.js";

export const security: readonly IdeCheck[] = [
  {
    clause: "C55",
    title: "Only the user may read the lock file",
    async check({ lockFile }) {
      if (!process.getuid) throw new NotChecked("this system has no such modes");
      const { mode, uid } = await stat(lockFile);
      expect(uid === process.getuid(), `user ${uid} owns it`);
      expect((mode & 0o077) === 0, `its mode is ${(mode & 0o777).toString(8)}, not 600`);
    },
  },
  {
    clause: "C56",
    title: "Nobody gets in without the lock file's token",
    async check(ide) {
      const token = await ide.token();
      expect(token !== "", "the lock file has no authToken");
      const others = [undefined, "", "wrong", token.slice(0, -1), `${token}x`];
      for (const other of others) {
        const reply = await ide.upgrade({ token: other });
        const given = other === undefined ? "no token" : "a wrong token";
        expect(!isIn(reply), `${given} was let in`);
      }
    },
  },
  {
    clause: "C57",
    title: "A wrong token is answered with 401, or with close 1008 after the upgrade",
    async check(ide) {
      const reply = await ide.upgrade({ token: "wrong" });
      if (isIn(reply)) throw new NotChecked("no token is asked for, see C56");
      const { status, closeCode } = reply;
      if (status === 101) expect(closeCode === 1008, `it was closed with ${closeCode}`);
      else expect(status === 401, `it was answered with ${status}`);
    },
  },
  {
    clause: "C59",
    title: "Web pages are refused, whatever token they have",
    async check(ide) {
      const token = await ide.token();
      for (const origin of ["https://evil.example", "null"]) {
        const reply = await ide.upgrade({ token, origin });
        expect(!isIn(reply), `Origin ${origin} was let in`);
      }
    },
  },
  {
    clause: "C60",
    title: "A request that is addressed to another host is refused",
    async check(ide) {
      const host = `evil.example:${ide.port}`;
      const reply = await ide.upgrade({ token: await ide.token(), host });
      expect(!isIn(reply), `Host ${host} was let in`);
    },
  },
  {
    clause: "C61",
    title: "Nothing listens beyond loopback",
    async check({ port }) {
      const addresses = Object.values(networkInterfaces())
        .flatMap((all) => all ?? [])
        .filter(({ internal, family }) => !internal && family === "IPv4");
      if (addresses.length === 0) throw new NotChecked("this machine has no other address");
      for (const { address } of addresses) {
        if (await isListening(port, address)) throw new Fault(`it listens on ${address}`);
      }
    },
  },
];

function isIn({ status, closeCode }: UpgradeReply): boolean {
  return status === 101 && closeCode === null;
}
