import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileUri } from "@lockstep/protocol";
import { describe, expect, it } from "vitest";
import { titled, whyNoJupyter } from "../../../../e2e/src/needs.js";
import { KernelSession } from "../../src/kernels/kernel-session.js";
import { findKernels } from "../../src/kernels/kernel-specs.js";
import { reaches, type Scene, scene, writeSpec } from "./scene.js";

const reason = whyNoJupyter();

const LAUNCH = ["-m", "ipykernel_launcher", "-f", "{connection_file}"];
const SYSTEM = ["/usr/bin/python3", ...LAUNCH];

describe.skipIf(reason)(titled("a kernel that starts", reason), () => {
  it("listens where nobody else can look, and leaves nothing behind", async () => {
    const { session } = await scene();
    const { outputs } = await session.run({
      code: "import sys; print(get_ipython().config['IPKernelApp']['connection_file'])",
    });
    const file = "text" in (outputs[0] ?? {}) ? String(Object(outputs[0]).text).trim() : "";
    const folder = join(file, "..");
    expect(folder.startsWith(tmpdir())).toBe(true);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const connection = JSON.parse(await readFile(file, "utf8"));
    expect(connection).toMatchObject({ transport: "ipc", signature_scheme: "hmac-sha256" });
    expect(connection.key).toMatch(/^[0-9a-f]{64}$/);
    await session.shutdown();
    expect(() => readdirSync(folder)).toThrow("ENOENT");
    expect(session.info.status).toBe("off");
  });

  it("works over ports of this machine where it knows nothing else", async () => {
    const { session } = await sceneWith("ports", SYSTEM, { language: "other" });
    const { outputs } = await session.run({ code: "1 + 1" });
    expect(outputs).toMatchObject([{ data: { "text/plain": "2" } }]);
  });

  it("works in the notebook's folder, and finds the modules there", async () => {
    const { session, folder } = await scene({
      prepare: (project) => writeFile(join(project, "beside.py"), "name = 'beside'\n"),
    });
    const code = "import os, beside\nprint(os.getcwd(), beside.name)";
    const { outputs } = await session.run({ code });
    expect(outputs).toMatchObject([{ text: `${folder} beside\n` }]);
  });

  it("that takes its time is waited for", async () => {
    const slow = ["/bin/sh", "-c", 'sleep 2; exec "$@"', "sh", ...SYSTEM];
    const { session } = await sceneWith("slow", slow);
    expect(await session.run({ code: "print('here')" })).toMatchObject({
      status: "ok",
      outputs: [{ text: "here\n" }],
    });
  });

  it("that never answers is ended, and says so", async () => {
    const { session } = await sceneWith("mute", ["/bin/sh", "-c", "exec sleep 600"], {}, 1_500);
    await expect(session.run({ code: "1" })).rejects.toThrow(
      "The kernel “mute” did not answer within 2 s and was ended. Try again, or choose another kernel.",
    );
    expect(session.info).toMatchObject({ status: "dead", why: expect.stringContaining("2 s") });
  });

  it("that never answers can be stopped", async () => {
    const { session } = await sceneWith("mute", ["/bin/sh", "-c", "exec sleep 600"]);
    const running = session.run({ code: "1" }).catch((problem: Error) => problem.message);
    await reaches(session, "starting");
    await session.shutdown();
    expect(await running).toBe("The kernel was stopped before it was ready.");
    expect(session.info.status).toBe("off");
  });

  it("that ends at once says what it said", async () => {
    const { session } = await sceneWith("bad", ["/bin/sh", "-c", "echo no luck >&2; exit 3"]);
    await expect(session.start()).rejects.toThrow(
      "The kernel “bad” ended while it started (exit code 3). It said: no luck",
    );
  });

  it("that is not there says how to get one", async () => {
    const { session } = await sceneWith("gone", ["/nowhere/python3", ...LAUNCH]);
    await expect(session.start()).rejects.toThrow(
      /^The kernel “gone” could not be started: \/nowhere\/python3: there is no such program\. .*install one: /,
    );
  });

  it("that stops answering is told as such, until it answers again", async () => {
    const { session } = await scene();
    await session.start();
    const { pid } = session;
    process.kill(pid ?? 0, "SIGSTOP");
    await expect
      .poll(() => session.info.why, { timeout: 20_000 })
      .toBe("The kernel does not answer. If it stays like this, restart it.");
    process.kill(pid ?? 0, "SIGCONT");
    await expect.poll(() => session.info.why, { timeout: 20_000 }).toBe(null);
  });
});

describe.skipIf(reason)(titled("without a kernel", reason), () => {
  it("in the Python that was chosen, the command that installs it is told", async () => {
    const { session, folder } = await scene({
      prepare: async (project) => {
        const python = join(project, "../bare");
        execFileSync("/usr/bin/python3", ["-m", "venv", "--without-pip", python]);
        const argv = [join(python, "bin/python"), ...LAUNCH];
        await writeSpec(join(project, "../.local/share/jupyter"), "python3", argv);
      },
    });
    const python = join(folder, "../bare/bin/python");
    await expect(session.run({ code: "1" })).rejects.toThrow(
      `${python} has no Jupyter kernel. Install it: ${python} -m pip install ipykernel`,
    );
  });
});

describe.skipIf(reason)(titled("where no kernel is described", reason), () => {
  it("one is found in a Python that has it, and not in one that has not", async () => {
    const { folder } = await scene();
    const empty = join(folder, "../bare");
    execFileSync("/usr/bin/python3", ["-m", "venv", "--without-pip", empty]);
    const env = { HOME: join(folder, ".."), PATH: `${empty}/bin:/usr/bin` };
    const found = await findKernels([folder], env, []);
    expect(found.map(({ id }) => id)).toEqual(["/usr/bin/python3"]);
  });

  for (const [what, python] of [
    ["and no Python has one", "bin"],
    ["and there is no Python", "nothing"],
  ]) {
    it(`${what}, the command that installs it is told`, async () => {
      const { folder, uri } = await scene();
      const home = join(folder, "..");
      execFileSync("/usr/bin/python3", ["-m", "venv", "--without-pip", join(home, "bare")]);
      const env = { HOME: home, PATH: join(home, "bare", python ?? "") };
      const session = new KernelSession(uri, {
        env,
        report: () => {},
        startPatienceMs: 1_000,
        folder,
        find: () => findKernels([folder], env, []),
        allows: async () => false,
      });
      const install = existsSync("/etc/debian_version")
        ? "sudo apt install python3-ipykernel"
        : "pip install ipykernel";
      await expect(session.run({ code: "1" })).rejects.toThrow(
        `No Jupyter kernel was found. Install one: ${install}`,
      );
      session.prefer({ language: "julia" });
      await expect(session.run({ code: "1" })).rejects.toThrow(
        "No Jupyter kernel for julia was found. Install one, or choose another kernel.",
      );
    });
  }
});

describe.skipIf(reason)(titled("a kernel that is a part of the project", reason), () => {
  const prepare = async (folder: string) => {
    await mkdir(join(folder, ".venv/bin"), { recursive: true });
    const python = join(folder, ".venv/bin/python");
    await writeFile(python, `#!/bin/sh\necho ran >> "${folder}/ran"\nexec /usr/bin/python3 "$@"\n`);
    await chmod(python, 0o755);
    await writeSpec(join(folder, ".venv/share/jupyter"), "python3", ["python", ...LAUNCH]);
  };
  const ran = (folder: string) => readFile(join(folder, "ran"), "utf8").catch(() => "");

  it("is not started unless the person allows it", async () => {
    const { session, folder, asked, store } = await scene({ prepare, answer: false });
    await expect(session.run({ code: "1" })).rejects.toThrow(
      "The kernel “python3” is a part of this project, and you have not allowed it to run. Allow it, or choose another kernel.",
    );
    expect(asked).toEqual(["Start the kernel “python3” of this project?"]);
    expect(await ran(folder)).toBe("");
    expect(store.state.permissions).toEqual({});
  });

  it("has no say in a kernel from elsewhere by modules of the same name", async () => {
    const { session, kernels, folder } = await scene({
      prepare: async (project) => {
        await prepare(project);
        for (const name of ["ipykernel_launcher", "ipykernel", "traitlets", "zmq", "IPython"])
          await writeFile(
            join(project, `${name}.py`),
            `open("${project}/ran", "w").write("planted")\n`,
          );
      },
    });
    const choices = await kernels.choices();
    session.choose(choices.find(({ insideProject }) => !insideProject)?.id ?? "");
    expect(await session.run({ code: "1" })).toMatchObject({ status: "ok" });
    expect(await ran(folder)).toBe("");
  });

  it("is asked about once", async () => {
    const { session, folder, asked, store } = await scene({ prepare, answer: true });
    expect(await session.run({ code: "1" })).toMatchObject({ status: "ok" });
    await session.restart();
    expect(asked).toHaveLength(1);
    expect(await ran(folder)).toBe("ran\nran\n");
    expect(Object.values(store.state.permissions)).toMatchObject([
      { title: "Notebooks may start the project's kernel “python3”" },
    ]);
  });

  it("ends when the person takes that back, and others do not", async () => {
    const { session, kernels, folder, store, permissions, faults } = await scene({
      prepare,
      answer: true,
    });
    const other = kernels.of(fileUri(join(folder, "other.ipynb")));
    const choices = await kernels.choices();
    other.choose(choices.find(({ insideProject }) => !insideProject)?.id ?? "");
    await Promise.all([session.start(), other.start()]);
    const [permission] = Object.values(store.state.permissions);
    await permissions.handlers["permission.revoke"]({ id: permission?.id ?? "" }, null as never);
    await reaches(session, "off");
    expect(session.pid).toBe(null);
    expect(await other.run({ code: "1" })).toMatchObject({ status: "ok" });
    expect(faults).toEqual([]);
  });

  it("can be passed over for another one", async () => {
    const { session, kernels, asked } = await scene({ prepare, answer: false });
    const choices = await kernels.choices();
    expect(choices[0]).toMatchObject({ insideProject: true });
    const other = choices.find(({ insideProject }) => !insideProject);
    session.choose(other?.id ?? "");
    expect(await session.run({ code: "1" })).toMatchObject({ status: "ok" });
    expect(asked).toEqual([]);
  });

  it("is known by where its program lies and its links lead, not by where it is described", async () => {
    const { kernels } = await scene({
      first: ".venv/bin",
      prepare: async (folder) => {
        await prepare(folder);
        const data = join(folder, "../.local/share/jupyter");
        const program = join(folder, ".venv/bin/python");
        await writeSpec(data, "outside", [program, ...LAUNCH]);
        execFileSync("ln", ["-s", program, join(folder, "../innocent")]);
        await writeSpec(data, "linked", [join(folder, "../innocent"), ...LAUNCH]);
        await writeSpec(data, "relative", ["./.venv/bin/python", ...LAUNCH]);
        await writeSpec(data, "script", ["/bin/sh", join(folder, ".venv/bin/python")]);
        await writeSpec(data, "bare", ["python", ...LAUNCH]);
        await writeSpec(data, "honest", SYSTEM);
      },
    });
    const choices = await kernels.choices();
    const inside = choices.filter((each) => each.insideProject).map((each) => each.displayName);
    expect(inside.sort()).toEqual(["bare", "linked", "outside", "python3", "relative", "script"]);
    expect(choices.find(({ displayName }) => displayName === "honest")).toBeDefined();
  });

  it("is not described by what is no description", async () => {
    const { kernels } = await scene({
      prepare: async (folder) => {
        const data = join(folder, "../.local/share/jupyter/kernels");
        for (const [name, text] of [
          ["empty", ""],
          ["list", "[]"],
          ["no-argv", '{"argv":[],"display_name":"x"}'],
          ["wrong", '{"argv":[1],"display_name":"x"}'],
        ] as const) {
          await mkdir(join(data, name), { recursive: true });
          await writeFile(join(data, name, "kernel.json"), text);
        }
        await mkdir(join(data, "folder", "kernel.json"), { recursive: true });
      },
    });
    const names = (await kernels.choices()).map(({ displayName }) => displayName);
    expect(names).toEqual(["Python 3 (ipykernel)"]);
  });
});

/** A project whose notebooks find this kernel first. */
async function sceneWith(
  name: string,
  argv: readonly string[],
  more: object = {},
  startPatienceMs = 60_000,
): Promise<Scene> {
  const made = await scene({
    startPatienceMs,
    prepare: (folder) => writeSpec(join(folder, "../.local/share/jupyter"), name, argv, more),
  });
  made.session.prefer({ name });
  return made;
}
