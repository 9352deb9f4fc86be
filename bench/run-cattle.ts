import {spawn} from "node:child_process";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "../lib/paths.ts";
import {privateKib, processorMs} from "../lib/system/process-figures.ts";
import {childProcesses} from "../test/child-processes.ts";

/** Cost of one process when last observed: CPU time, peak resident memory, peak private memory. */
type Cost = {readonly cpuMs: number; readonly residentKib: number; readonly privateKib: number};

/** Cost of a command. Other load stretches the seconds but hardly the CPU time. */
export type Run = {
  readonly code: number | null;
  readonly seconds: number;
  /** Seconds until its first output; 0 if it had none. */
  readonly firstSeconds: number;
  readonly output: string;
  /** The end of its stdout and stderr. */
  readonly said: string;
  readonly own: Cost;
  /** Its child processes and their descendants. */
  readonly others: readonly Cost[];
  /** Peak of the private memory of all of them together. */
  readonly allPrivateKib: number;
};

const lookMs = 50;
const nothing: Cost = {cpuMs: 0, residentKib: 0, privateKib: 0};

/** Runs a command as an operator does, and samples its processes until it exits. */
export async function runCattle(words: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1_000;
  const child = spawn(process.execPath, [join(packageRoot, "bin", "cattle.js"), ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {...process.env, ...env},
  });
  let [firstSeconds, output, said] = [0, "", ""];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      firstSeconds ||= seconds();
      said = `${said}${chunk}`.slice(-10_000);
    });
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  const pid = child.pid!;
  const costs = new Map<number, Cost>();
  let allPrivateKib = 0;
  const look = () => {
    let privateNow = 0;
    for (const each of treeOf(pid)) {
      const before = costs.get(each) ?? nothing;
      const own = privateKib(each);
      privateNow += own;
      costs.set(each, {
        cpuMs: processorMs(each) ?? before.cpuMs,
        residentKib: Math.max(before.residentKib, residentKib(each)),
        privateKib: Math.max(before.privateKib, own),
      });
    }
    allPrivateKib = Math.max(allPrivateKib, privateNow);
  };
  const looking = setInterval(look, lookMs);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearInterval(looking);
  const {[pid]: own = nothing, ...others} = Object.fromEntries(costs);
  return {
    code,
    seconds: seconds(),
    firstSeconds,
    output,
    said,
    own,
    others: Object.values(others),
    allPrivateKib,
  };
}

/** The same; throws if the command does not exit with 0. */
export async function runWell(words: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const run = await runCattle(words, env);
  if (run.code !== 0) throw new Error(`cattle ${words.join(" ")}: ended with ${run.code}\n${run.said}`);
  return run;
}

/** A process and its descendants, without those that have exited meanwhile. */
function treeOf(pid: number): number[] {
  try {
    return [pid, ...childProcesses(pid).flatMap(treeOf)];
  } catch {
    return [];
  }
}

function residentKib(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
