import {type ChildProcess, execFileSync, spawn} from "node:child_process";
import {mkdirSync, readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {expect, test} from "vitest";
import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import {until} from "../delta/delta-workshop.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {kill} from "./children.ts";
import {long, note, sizeOf} from "./table.ts";
import {startWriter} from "./writers.ts";

const last = sizeOf("D4", {push: 0, long: 8});
const reason = cannotTrace();
if (reason !== null && long) throw new Error(`D4 ${reason}`);

/** Why no system call can be made to fail here; null if it can. */
function cannotTrace(): string | null {
  try {
    execFileSync("strace", ["-qq", "-o", "/dev/null", "true"], {stdio: "ignore"});
    return null;
  } catch {
    return "needs strace, and the right to trace";
  }
}

const faults = ["write:error=EIO", "write:error=ENOSPC", "fdatasync:error=EIO", "fdatasync:error=ENOSPC"];

/** The outcome of a writer whose k-th call on its segment failed in the kernel. */
type Outcome = {
  lost: string[];
  bad: number;
  alive: boolean;
  segments: number;
  later: number;
  calls: string[];
};

async function failCall(fault: string, k: number): Promise<Outcome> {
  const root = temporaryFolder();
  const folder = join(root, "delta");
  mkdirSync(folder);
  const acknowledged = new Set<string>();
  const writer = startWriter([folder, "M"], acknowledged);
  await until(async () => acknowledged.size > 0);
  const [segment = ""] = readdirSync(folder);
  const log = join(root, "calls");
  const tracer = trace(writer.process.pid!, join(folder, segment), {fault: `${fault}:when=${k}`, log});
  // The fault closes this segment; the writer continues with another.
  await until(async () => readFileSync(log, {flag: "a+"}).includes("INJECTED"));
  const before = acknowledged.size;
  await until(async () => readdirSync(folder).length > 1 && acknowledged.size > before + 5);
  const alive = writer.process.exitCode === null;
  await kill(writer);
  await new Promise((resolve) => (tracer.exitCode === null ? tracer.once("exit", resolve) : resolve(null)));
  await sleep(20);
  const read = await readBack(folder);
  const lost = [...acknowledged].filter((id) => !read.ids.has(id));
  const calls = readFileSync(log, "utf8").split("\n");
  return {
    lost,
    bad: read.bad,
    alive,
    segments: readdirSync(folder).length,
    later: acknowledged.size - before,
    calls,
  };
}

function trace(pid: number, path: string, {fault, log}: {fault: string; log: string}): ChildProcess {
  const args = [
    "-f",
    "-qq",
    "-o",
    log,
    "-P",
    path,
    "-e",
    "trace=write,fdatasync,fsync",
    "-e",
    `inject=${fault}`,
  ];
  return spawn("strace", [...args, "-p", String(pid)], {stdio: "ignore"});
}

async function readBack(folder: string): Promise<{ids: Set<string>; bad: number}> {
  const ids = new Set<string>();
  const reader = new DeltaReader(folder);
  await reader.poll(({record}) => {
    if (record.kind === "upsert") ids.add(record.key.parcelId);
  });
  return {ids, bad: reader.segments().reduce((sum, {state}) => sum + state.badLines, 0)};
}

test.runIf(last > 0 && reason === null).each(faults)(
  `D4: where the kernel lets a call fail (%s, the 1st to the ${last}th), nothing acknowledged is lost and the writer goes on`,
  async (fault) => {
    let stored = 0;
    for (let k = 1; k <= last; k++) {
      const {lost, bad, alive, segments, later, calls} = await failCall(fault, k);
      expect([k, lost, bad, alive, segments]).toEqual([k, [], 0, true, 2]);
      const failed = calls.findIndex((line) => line.includes("INJECTED"));
      expect(calls.slice(failed + 1).filter((line) => /write\(|sync\(/.test(line))).toEqual([]);
      stored += later;
    }
    const found = `0 acknowledged lost, no later call on the segment, ${stored} stored in the next one`;
    note("D4", `strace ${fault} at each of ${last} calls`, found);
  },
  last * 15_000 + 10_000,
);
