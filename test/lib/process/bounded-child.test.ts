import {spawnSync} from "node:child_process";
import {existsSync} from "node:fs";
import {expect, test, vi} from "vitest";
import {packageRoot} from "../../../lib/paths.ts";
import {BoundedChild} from "../../../lib/system/bounded-child.ts";

const program = new URL("./bounded-program.ts", import.meta.url);
const child = new BoundedChild(program);
const bounds = {deadlineMs: 1_000, maxKib: 512 * 1024};
const ask = (kind: string, changes = {}) => child.ask({kind}, {...bounds, ...changes});

test("gives the results of tasks, which one process does one after another", async () => {
  const [first, second] = (await Promise.all([ask("hello"), ask("hello")])) as {pid: number}[];
  expect(first).toEqual({pid: first!.pid, big: 1n, map: new Map([["a", 1]])});
  expect(second!.pid).toBe(first!.pid);
});

test.each([
  ["spin", "reading it takes more than 1 s."],
  ["wait", "reading it takes more than 1 s."],
  ["eat", "reading it takes more than 512 MiB of memory."],
  ["die", "reading it ended its process."],
])("refuses a task that would %s, and does the next one", async (kind, reason) => {
  await expect(ask(kind, kind === "eat" ? {deadlineMs: 60_000} : {})).rejects.toThrow(reason);
  expect(await ask("hello")).toMatchObject({big: 1n});
});

test("a task that is aborted ends at once, one that waits is not begun, and the next one is done", async () => {
  const spin = {deadlineMs: 60_000, maxKib: bounds.maxKib};
  const [running, waiting] = [new AbortController(), new AbortController()];
  const refused = [
    expect(child.ask({kind: "spin"}, spin, running.signal)).rejects.toThrow("reading it was cancelled."),
    expect(child.ask({kind: "spin"}, spin, waiting.signal)).rejects.toThrow("reading it was cancelled."),
  ];
  const next = ask("hello");
  expect(child.pending).toBe(3);
  waiting.abort();
  setTimeout(() => running.abort(), 500);
  await Promise.all(refused);
  expect(await next).toMatchObject({big: 1n});
  expect(child.pending).toBe(0);
});

test.runIf(process.platform === "linux")(
  "a task that spins is refused for its processor time, though the clock stands",
  async () => {
    vi.useFakeTimers({toFake: ["setTimeout", "clearTimeout"]});
    try {
      await expect(ask("spin")).rejects.toThrow("reading it takes more than 1 s.");
    } finally {
      vi.useRealTimers();
    }
  },
);

test("passes on what a task throws, a fault of the user as one, with its code", async () => {
  await expect(ask("user")).rejects.toMatchObject({name: "UserError", message: "not a list."});
  await expect(ask("disk")).rejects.toMatchObject({name: "Error", code: "ENOSPC"});
});

test("refuses a result that is larger than it may be", async () => {
  await expect(ask("large")).rejects.toThrow(/is 2000\d\d\d bytes; at most 1000000 are allowed/);
});

test("a process that had nothing to do for a while is ended, and the next task has another", async () => {
  const {pid} = (await ask("hello")) as {pid: number};
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(process.platform !== "linux");
  expect(((await ask("hello")) as {pid: number}).pid).not.toBe(pid);
});

test("an idle child keeps no process alive", () => {
  const text = `import {BoundedChild} from "./lib/system/bounded-child.ts";
    const child = new BoundedChild(new URL("./test/lib/process/bounded-program.ts", "file://${packageRoot}/"));
    await child.ask({kind: "hello"}, {deadlineMs: 300_000, maxKib: 1e6});`;
  const {status, signal} = spawnSync(process.execPath, ["--input-type=module", "-e", text], {
    cwd: packageRoot,
    timeout: 300_000,
  });
  expect([status, signal]).toEqual([0, null]);
});
