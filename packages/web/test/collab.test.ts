import { history, undo } from "@codemirror/commands";
import { EditorState, type Transaction, type TransactionSpec } from "@codemirror/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areEditsComing, CollabClient, hasUnsentEdits } from "../src/editor/collab.js";
import { Authority, Mail, MailWire } from "./shared-text-link.js";

/** A window without a view. */
class Desk {
  readonly wire: MailWire;
  readonly refusals: string[] = [];
  state = EditorState.create();
  client: CollabClient | null = null;

  constructor(authority: Authority, mail: Mail) {
    this.wire = new MailWire(authority, mail);
  }

  async open(mail: Mail): Promise<this> {
    const attached = this.wire.attach("a");
    await mail.deliverAll();
    const client = new CollabClient({
      name: "a",
      snapshot: await attached,
      wire: this.wire,
      onRefused: (why) => this.refusals.push(why),
      isUndoable: (by) => by === "revert",
    });
    const extensions = [client.extension, history()];
    this.state = EditorState.create({ doc: client.text, extensions });
    const desk = this;
    client.start({
      get state() {
        return desk.state;
      },
      dispatch: (transaction) => {
        desk.state = transaction.state;
      },
    });
    this.client = client;
    return this;
  }

  take({ state }: Transaction): void {
    this.state = state;
    this.client?.push();
  }

  edit(spec: TransactionSpec): void {
    this.take(this.state.update(spec));
  }

  type(at: number, insert: string): void {
    this.edit({ changes: { from: at % (this.state.doc.length + 1), insert } });
  }

  erase(at: number, count: number): void {
    const from = at % (this.state.doc.length + 1);
    this.edit({ changes: { from, to: Math.min(this.state.doc.length, from + count) } });
  }

  get text(): string {
    return this.state.doc.toString();
  }
}

async function office(text: string, desks: number) {
  const authority = new Authority(text);
  const mail = new Mail();
  const people: Desk[] = [];
  for (let number = 0; number < desks; number++) {
    people.push(await new Desk(authority, mail).open(mail));
  }
  const [one, two] = people as [Desk, Desk];
  return { authority, mail, people, one, two };
}

const at = fc.nat(200);
const desk = fc.nat(1);
const typing = fc.record({ kind: fc.constant("type" as const), desk, at });
const erasing = fc.record({ kind: fc.constant("erase" as const), desk, at, count: fc.nat(4) });
const delivery = fc.record({ kind: fc.constant("deliver" as const), at });
const ownEdit = fc.record({ kind: fc.constant("workbench" as const), at });
const cut = fc.record({ kind: fc.constant("cut" as const), desk });
const mend = fc.record({ kind: fc.constant("mend" as const), desk });
const restart = fc.record({
  kind: fc.constant("restart" as const),
  how: fc.constantFrom("anew" as const, "resumed" as const),
});
type Step =
  | { readonly kind: "type"; readonly desk: number; readonly at: number }
  | { readonly kind: "erase"; readonly desk: number; readonly at: number; readonly count: number }
  | { readonly kind: "deliver" | "workbench"; readonly at: number }
  | { readonly kind: "cut" | "mend"; readonly desk: number }
  | { readonly kind: "restart"; readonly how: "anew" | "resumed" };

/** Plays the steps, then mends all links and lets everything arrive. Answers what was typed. */
async function play(steps: readonly Step[], text: string) {
  const { authority, mail, people } = await office(text, 2);
  const typed: string[] = [];
  const token = () => {
    typed.push(`<${typed.length}>`);
    return `${typed.at(-1)}\n`.slice(0, typed.length % 3 === 0 ? undefined : -1);
  };
  for (const step of steps) {
    const person = "desk" in step ? (people[step.desk] as Desk) : (people[0] as Desk);
    if (step.kind === "type") person.type(step.at, token());
    else if (step.kind === "erase") person.erase(step.at, step.count);
    else if (step.kind === "deliver") await mail.deliver(step.at);
    else if (step.kind === "cut") person.wire.cut();
    else if (step.kind === "mend") person.wire.mend();
    else if (step.kind === "restart") {
      for (const { wire } of people) wire.cut();
      authority.restart(step.how);
      for (const { wire } of people) wire.mend();
    } else if (step.kind === "workbench") {
      const from = step.at % (authority.text.text.length + 1);
      authority.text.edit({ from, insert: token() });
    }
  }
  for (const { wire } of people) wire.mend();
  await mail.deliverAll();
  for (const { client } of people) client?.push();
  await mail.deliverAll();
  return { people, shared: authority.text.toString(), typed };
}

/** After any such steps every window shows the workbench's text, and has nothing left to send. */
const expectAgreement = (step: fc.Arbitrary<Step>) =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { people, shared } = await play(steps, "one\ntwo\nthree");
      for (const { text, client } of people) {
        expect(text).toBe(shared);
        expect(client?.unsent).toBe(false);
      }
      for (const { client } of people) client?.dispose();
    }),
    { numRuns: 150 },
  );

describe("windows on one text", () => {
  it("end with the workbench's text, however messages and edits interleave", async () => {
    const step = fc.oneof(typing, erasing, delivery, delivery, ownEdit);
    await expectAgreement(step);
  });

  it("end with the workbench's text when links break and the workbench restarts", async () => {
    const step = fc.oneof(typing, erasing, delivery, delivery, ownEdit, cut, mend, restart);
    await expectAgreement(step);
  });

  it("lose nothing that anybody typed, whatever breaks", async () => {
    const step = fc.oneof(typing, delivery, delivery, ownEdit, cut, mend, restart);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { people, shared, typed } = await play(steps, "");
        // Somebody may have typed into a token, so its characters are looked for in order.
        for (const token of typed) expect(isWithin(token, shared)).toBe(true);
        for (const { client } of people) client?.dispose();
      }),
      { numRuns: 150 },
    );
  });
});

const isWithin = (token: string, text: string): boolean => {
  let from = 0;
  for (const character of token) {
    from = text.indexOf(character, from) + 1;
    if (from === 0) return false;
  }
  return true;
};

describe("an edit", () => {
  it("is unsent until the workbench has confirmed it", async () => {
    const { mail, one } = await office("x", 1);
    expect(hasUnsentEdits()).toBe(false);
    one.type(1, "y");
    expect(hasUnsentEdits()).toBe(true);
    await mail.deliverAll();
    expect(hasUnsentEdits()).toBe(false);
    one.client?.dispose();
  });

  it("reaches the workbench with the first message, without a wait", async () => {
    const { authority, mail, one } = await office("x", 1);
    one.type(1, "y");
    await mail.deliver();
    expect(authority.text.toString()).toBe("xy");
    one.client?.dispose();
  });

  it("made without a link is sent when there is one, on top of what was missed", async () => {
    const { authority, mail, one } = await office("one\ntwo", 1);
    one.wire.cut();
    one.type(3, "!");
    authority.text.edit({ from: 7, insert: "?" });
    await mail.deliverAll();
    one.wire.mend();
    await mail.deliverAll();
    expect(authority.text.toString()).toBe("one!\ntwo?");
    expect(one.text).toBe("one!\ntwo?");
    one.client?.dispose();
  });

  it("that arrived before the workbench crashed is not made twice", async () => {
    const { authority, mail, one } = await office("one", 1);
    one.type(3, "!");
    await mail.deliver();
    one.wire.cut();
    authority.restart("anew");
    one.wire.mend();
    await mail.deliverAll();
    expect(authority.text.toString()).toBe("one!");
    expect(one.text).toBe("one!");
    one.client?.dispose();
  });

  it("that the workbench refuses is taken back, with the reason", async () => {
    const { authority, mail, one } = await office("one\ntwo", 1);
    authority.refusal = "The file is read-only.";
    one.type(3, "!");
    one.erase(0, 1);
    await mail.deliverAll();
    expect(one.text).toBe("one\ntwo");
    expect(one.refusals).toEqual(["The file is read-only."]);
    expect(one.client?.unsent).toBe(false);
    authority.refusal = null;
    one.type(0, "zero\n");
    await mail.deliverAll();
    expect(authority.text.toString()).toBe("zero\none\ntwo");
    one.client?.dispose();
  });

  it("to a text that nobody knows any more are kept, and not waited for", async () => {
    const { authority, mail, one } = await office("one", 1);
    authority.isGone = true;
    one.type(3, "!");
    expect(areEditsComing()).toBe(true);
    await mail.deliverAll();
    expect(one.refusals).toEqual(["It is not open."]);
    expect(hasUnsentEdits()).toBe(true);
    expect(areEditsComing()).toBe(false);
    authority.isGone = false;
    one.type(4, "!");
    expect(areEditsComing()).toBe(true);
    await mail.deliverAll();
    expect(authority.text.toString()).toBe("one!!");
    expect(hasUnsentEdits()).toBe(false);
    one.client?.dispose();
  });

  it("by the workbench can be undone where the person asked for it, and only there", async () => {
    const { authority, mail, one } = await office("mine", 1);
    authority.text.edit({ from: 4, insert: " from disk" }, "disk");
    await mail.deliverAll();
    authority.text.edit({ from: 0, to: 4, insert: "saved" }, "revert");
    await mail.deliverAll();
    expect(one.text).toBe("saved from disk");
    expect(one.client?.unsent).toBe(false);
    undo({ state: one.state, dispatch: (transaction) => one.take(transaction) });
    await mail.deliverAll();
    expect(authority.text.toString()).toBe("mine from disk");
    expect(undo({ state: one.state, dispatch: (transaction) => one.take(transaction) })).toBe(
      false,
    );
    one.client?.dispose();
  });

  it("can be undone after others have edited and after a restart", async () => {
    const { authority, mail, one, two } = await office("one\ntwo", 2);
    one.type(3, "!");
    await mail.deliverAll();
    two.type(0, "zero\n");
    await mail.deliverAll();
    for (const { wire } of [one, two]) wire.cut();
    authority.restart("anew");
    authority.text.edit({ from: 0, insert: "top\n" });
    for (const { wire } of [one, two]) wire.mend();
    await mail.deliverAll();
    undo({ state: one.state, dispatch: (transaction) => one.take(transaction) });
    await mail.deliverAll();
    expect(authority.text.toString()).toBe("top\nzero\none\ntwo");
    expect(two.text).toBe(authority.text.toString());
    for (const { client } of [one, two]) client?.dispose();
  });
});
