import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { IDE_CHECKS, type IdeSubject, type Result, verifyIde } from "../src/index.js";
import { type Json, startBadServer } from "./bad-server.js";
import { BAD_SERVERS, MORE_BAD_SERVERS } from "./bad-servers/index.js";
import { goodServer } from "./good-server.js";

async function verify(
  subject: IdeSubject,
  wanted?: (clause: string) => boolean,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for await (const result of verifyIde(subject, wanted)) results.push(result);
  return results;
}

const failures = (results: readonly Result[]) =>
  results.flatMap(({ clause, verdict }) =>
    verdict.kind === "fail" ? [[clause, verdict.why]] : [],
  );

describe.concurrent("verifyIde", () => {
  it("finds nothing wrong with our own server, and skips nothing that it could see", async () => {
    await using good = await goodServer();
    const results = await verify(good.subject);
    expect(failures(results)).toEqual([]);
    expect(results.map(({ clause }) => clause)).toEqual(IDE_CHECKS.map(({ clause }) => clause));
    const skipped = results.filter(({ verdict }) => verdict.kind === "skipped");
    // A machine without a network has no address beyond loopback.
    expect(skipped.filter(({ clause }) => clause !== "C61")).toEqual([]);
  });

  it("finds nothing wrong with our own server behind the relay of the bad ones, and closes its tabs", async () => {
    await using good = await goodServer();
    const opened = new Set<string>();
    const sees = ({ params }: Json) => {
      const { name, arguments: args } = (params ?? {}) as { name?: string; arguments?: Json };
      if (name === "openFile") opened.add(basename(String(args?.filePath)));
      if (name === "close_tab") opened.delete(String(args?.tab_name));
    };
    await using honest = await startBadServer({ name: "honest", breaks: [], sees }, good);
    expect(failures(await verify(honest.subject))).toEqual([]);
    // One file was never there, so there is no tab of it.
    expect(opened.size).toBe(1);
  });

  it("says that somebody has to decide, where nobody does", async () => {
    await using good = await goodServer();
    const { decide: _nobody, ...subject } = good.subject;
    const results = await verify(subject);
    expect(failures(results)).toEqual([]);
    const why = (clause: string) => results.find((result) => result.clause === clause)?.verdict;
    expect(why("C37")).toEqual({
      kind: "skipped",
      why: "somebody has to accept a proposal",
    });
    expect(why("C38")).toMatchObject({ kind: "skipped" });
  });

  for (const bad of BAD_SERVERS) {
    it(`finds ${bad.name}, and nothing else`, async () => {
      await using good = await goodServer();
      await using server = await startBadServer(bad, good);
      const failed = failures(await verify(server.subject)).map(([clause]) => clause);
      const found = bad.survives ? failed.slice(0, bad.breaks.length) : failed;
      expect(found).toEqual(bad.breaks);
    });
  }

  for (const bad of MORE_BAD_SERVERS) {
    it(`finds ${bad.name}`, async () => {
      await using good = await goodServer();
      await using server = await startBadServer(bad, good);
      const results = await verify(server.subject, (clause) => bad.breaks.includes(clause));
      expect(failures(results).map(([clause]) => clause)).toEqual(bad.breaks);
    });
  }
});

it("every check is known to fail, but for one that would have us listen to the outside", () => {
  const broken = new Set([...BAD_SERVERS, ...MORE_BAD_SERVERS].flatMap(({ breaks }) => breaks));
  const never = IDE_CHECKS.map(({ clause }) => clause).filter((clause) => !broken.has(clause));
  expect(never).toEqual(["C61"]);
});
