import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RpcError } from "./messages.js";
import { ConnectionClosed, Peer, type PeerOptions, RequestTimedOut } from "./peer.js";

/** A peer by itself: what goes in, and what came out. */
function alone(options: Partial<PeerOptions> = {}) {
  const sent: string[] = [];
  const peer = new Peer({ send: (text) => void sent.push(text), ...options });
  return { peer, sent, replies: () => sent.map((text) => JSON.parse(text)) };
}

/** Two peers, each the other's transport. */
function pair(left: Partial<PeerOptions>, right: Partial<PeerOptions>): [Peer, Peer] {
  const a: Peer = new Peer({ ...left, send: (text) => b.receive(text) });
  const b: Peer = new Peer({ ...right, send: (text) => a.receive(text) });
  return [a, b];
}

const request = (id: unknown, method = "m", params?: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

describe("answering", () => {
  it("answers under the request's own id, be it 0 or a string", () => {
    const { peer, replies } = alone({ onRequest: (method, params) => [method, params] });
    for (const id of [0, -1, 0.5, "", "x"]) peer.receive(request(id, "m", { a: 1 }));
    expect(replies()).toEqual(
      [0, -1, 0.5, "", "x"].map((id) => ({ jsonrpc: "2.0", id, result: ["m", { a: 1 }] })),
    );
  });

  it("answers what is quick while another answer waits", async () => {
    const { peer, replies } = alone({
      onRequest: (method) => (method === "slow" ? new Promise(() => {}) : "quick"),
    });
    peer.receive(request(1, "slow"));
    peer.receive(request(2, "fast"));
    expect(replies()).toEqual([{ jsonrpc: "2.0", id: 2, result: "quick" }]);
  });

  it("turns an RpcError into its code, message and data", async () => {
    const { peer, replies } = alone({
      onRequest: () => Promise.reject(new RpcError(-32602, "Invalid params: a", { a: 1 })),
    });
    peer.receive(request(1));
    await Promise.resolve().then(() => {});
    expect(replies()).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32602, message: "Invalid params: a", data: { a: 1 } },
      },
    ]);
  });

  it("keeps any other exception to itself, and reports it", () => {
    const faults: unknown[] = [];
    const secret = new Error("at /home/me/secret.ts");
    const { peer, sent, replies } = alone({
      onRequest: () => {
        throw secret;
      },
      onFault: (error) => void faults.push(error),
    });
    peer.receive(request(1));
    expect(replies()[0].error).toEqual({ code: -32603, message: "Internal error" });
    expect(sent.join()).not.toContain("secret");
    expect(faults).toEqual([secret]);
  });

  it("refuses an id that is still being answered, and takes it again afterwards", async () => {
    let finish: (value: string) => void = () => {};
    const { peer, replies } = alone({
      onRequest: () => new Promise((resolve) => (finish = resolve)),
    });
    peer.receive(request(1));
    peer.receive(request(1));
    expect(replies()[0].error.code).toBe(-32600);
    finish("done");
    await Promise.resolve().then(() => {});
    peer.receive(request(1));
    finish("again");
    await Promise.resolve().then(() => {});
    expect(
      replies()
        .slice(1)
        .map(({ result }) => result),
    ).toEqual(["done", "again"]);
  });

  it("says which method it does not know", () => {
    const { peer, replies } = alone();
    peer.receive(request(1));
    expect(replies()[0].error).toEqual({ code: -32601, message: "Method not found" });
  });
});

describe("what is no request", () => {
  it("gets the code of JSON-RPC, under null where there is no id", () => {
    const { peer, sent } = alone({ onRequest: () => "answered" });
    const code = (text: string) => {
      peer.receive(text);
      const { id, error } = JSON.parse(sent.pop() ?? "{}");
      return [id, error?.code];
    };
    expect(code("{")).toEqual([null, -32700]);
    expect(code("")).toEqual([null, -32700]);
    for (const text of ["null", "1", '"x"', "true", "{}", '{"jsonrpc":"2.0"}', "[]"]) {
      expect(code(text)).toEqual([null, -32600]);
    }
    expect(code('{"jsonrpc":"1.0","id":7,"method":"m"}')).toEqual([7, -32600]);
    expect(code('{"jsonrpc":"2.0","id":7,"method":1}')).toEqual([7, -32600]);
    for (const id of [null, true, {}, []]) expect(code(request(id))).toEqual([null, -32600]);
  });

  it("gets no answer if it is a notification or a stray response", () => {
    const { peer, sent } = alone({ onNotification: () => {} });
    peer.receive('{"jsonrpc":"2.0","method":"m"}');
    peer.receive('{"jsonrpc":"2.0","id":99,"result":1}');
    peer.receive('{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}');
    peer.receive('{"jsonrpc":"2.0","id":null,"error":"what"}');
    expect(sent).toEqual([]);
  });

  it("never makes the peer throw, whatever it is", () => {
    const { peer } = alone({ onRequest: (_method, params) => params, acceptsBatch: () => true });
    fc.assert(fc.property(fc.string(), (text) => peer.receive(text)));
    fc.assert(fc.property(fc.json(), (text) => peer.receive(text)));
    const shape = fc.record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0", null),
        id: fc.jsonValue(),
        method: fc.oneof(fc.string(), fc.jsonValue()),
        params: fc.jsonValue(),
        result: fc.jsonValue(),
        error: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(fc.property(shape, (message) => peer.receive(JSON.stringify(message))));
    peer.receive("[".repeat(100_000) + "]".repeat(100_000));
  });
});

describe("batches", () => {
  const batch = `[${request(1)},{"jsonrpc":"2.0","method":"n"},3,${request(2)}]`;

  it("are answered as one, where they are accepted", async () => {
    const { peer, sent } = alone({ onRequest: async () => "ok", acceptsBatch: () => true });
    peer.receive(batch);
    await expect.poll(() => sent.length).toBe(1);
    const replies = JSON.parse(sent[0] ?? "") as { id: unknown }[];
    expect(replies.map(({ id }) => id)).toEqual([1, null, 2]);
  });

  it("are refused as one, elsewhere", () => {
    const { peer, replies } = alone({ onRequest: () => "ok" });
    peer.receive(batch);
    expect(replies()).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  it("of notifications alone get no answer", async () => {
    let told = 0;
    const { peer, sent } = alone({ onNotification: () => void told++, acceptsBatch: () => true });
    peer.receive('[{"jsonrpc":"2.0","method":"n"}]');
    await Promise.resolve().then(() => {});
    expect(told).toBe(1);
    expect(sent).toEqual([]);
  });
});

describe("asking", () => {
  it("resolves to the result and rejects with the error", async () => {
    const [left] = pair(
      {},
      {
        onRequest: (method) => {
          if (method === "bad") throw new RpcError(-1, "no");
          return { hello: method };
        },
      },
    );
    expect(await left.request("x")).toEqual({ hello: "x" });
    await expect(left.request("bad")).rejects.toMatchObject({ code: -1, message: "no" });
  });

  it("cancels at the other side when it is aborted, and nothing is answered", async () => {
    let theirs: AbortSignal | undefined;
    const [left] = pair(
      {},
      {
        onRequest: (_method, _params, { signal }) => {
          theirs = signal;
          return new Promise(() => {});
        },
      },
    );
    const controller = new AbortController();
    const answer = left.request("slow", {}, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
    expect(theirs?.aborted).toBe(true);
    await expect(left.request("x", {}, { signal: controller.signal })).rejects.toThrow("enough");
  });

  it("gives a signal that is asked for late the cancellation it missed", () => {
    let later: () => AbortSignal = () => AbortSignal.abort();
    const { peer } = alone({
      onRequest: (_method, _params, incoming) => {
        later = () => incoming.signal;
        return new Promise(() => {});
      },
    });
    peer.receive(request(5));
    peer.receive('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}');
    expect(later().aborted).toBe(true);
  });

  it("gives up after its time, and tells the other side", async () => {
    const { peer, replies } = alone();
    await expect(peer.request("m", {}, { timeoutMs: 1 })).rejects.toThrow(RequestTimedOut);
    expect(replies()[1]).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
  });

  it("rejects, and aborts what it was answering, when the connection ends", async () => {
    let theirs: AbortSignal | undefined;
    const { peer, sent } = alone({
      onRequest: (_method, _params, { signal }) => {
        theirs = signal;
        return new Promise(() => {});
      },
    });
    peer.receive(request(1));
    const answer = peer.request("m");
    peer.close();
    await expect(answer).rejects.toThrow(ConnectionClosed);
    await expect(peer.request("m")).rejects.toThrow(ConnectionClosed);
    expect(theirs?.aborted).toBe(true);
    const before = sent.length;
    peer.notify("n");
    peer.receive(request(2));
    expect(sent.length).toBe(before);
  });
});

describe("what is asked at one time", () => {
  const limits = { requests: 2, characters: 1_000 };
  const codes = (replies: { error?: { code: number } }[]) =>
    replies.map(({ error }) => error?.code);

  it("is bounded in number, and free again when one is answered", async () => {
    const answers: (() => void)[] = [];
    const { peer, replies } = alone({
      limits,
      onRequest: () => new Promise<void>((resolve) => answers.push(resolve)),
    });
    for (const id of [1, 2, 3]) peer.receive(request(id));
    expect(replies()).toMatchObject([{ id: 3, error: { code: -32000 } }]);
    answers[0]?.();
    await Promise.resolve().then(() => {});
    peer.receive(request(4));
    expect(codes(replies())).toEqual([-32000, undefined]);
    expect(answers).toHaveLength(3);
  });

  it("counts the work of a cancelled request until it ends", async () => {
    let end = () => {};
    const { peer, sent } = alone({
      limits: { ...limits, requests: 1 },
      onRequest: () => new Promise<void>((resolve) => (end = resolve)),
    });
    peer.receive(request(1));
    peer.receive(
      JSON.stringify({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: 1 },
      }),
    );
    peer.receive(request(2));
    expect(sent).toHaveLength(1);
    end();
    await Promise.resolve().then(() => {});
    peer.receive(request(3));
    expect(sent).toHaveLength(1);
  });

  it("is bounded in length: one may be long, the next is refused", () => {
    const { peer, replies } = alone({ limits, onRequest: () => new Promise(() => {}) });
    peer.receive(request(1, "m", "x".repeat(2_000)));
    peer.receive(request(2));
    expect(replies()).toMatchObject([{ id: 2, error: { code: -32000 } }]);
  });

  it("takes batches up to a thousand messages", () => {
    const { peer, replies } = alone({ acceptsBatch: () => true, onRequest: () => 1 });
    peer.receive(JSON.stringify(Array(1_001).fill(1)));
    expect(replies()).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });
});

it("an answer that is no JSON is an internal error, and is reported", async () => {
  const faults: unknown[] = [];
  const { peer, replies } = alone({
    onRequest: (method) => (method === "later" ? Promise.resolve(1n) : 1n),
    onFault: (error) => void faults.push(error),
  });
  peer.receive(request(1));
  peer.receive(request(2, "later"));
  await Promise.resolve().then(() => {});
  expect(replies()).toMatchObject([
    { id: 1, error: { code: -32603 } },
    { id: 2, error: { code: -32603 } },
  ]);
  expect(faults).toHaveLength(2);
});
