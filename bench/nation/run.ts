import {spawn} from "node:child_process";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "../../lib/paths.ts";

/** What a command took. A machine that does other work stretches the seconds, and hardly those of the processor. */
export type Spent = {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
  readonly output: string;
};

const lookMs = 100;
/** Ticks of a second in `/proc/<pid>/stat`, on every Linux of these processors. */
const ticks = 100;

/** Runs a command of the program in a process of its own. Throws for one that does not end with 0. */
export async function cattle(words: readonly string[], env: Record<string, string>): Promise<Spent> {
  const started = performance.now();
  const child = spawn(process.execPath, [join(packageRoot, "bin", "cattle.js"), ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {...process.env, ...env},
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (text: Buffer) => {
    output += text;
  });
  child.stderr.on("data", (text: Buffer) => {
    errors += text;
  });
  let [peakMb, cpuSeconds] = [0, 0];
  const look = setInterval(() => {
    cpuSeconds = cpuSecondsOf(child.pid!) || cpuSeconds;
    peakMb = memoryMb(child.pid!, "VmHWM") || peakMb;
  }, lookMs);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearInterval(look);
  if (code !== 0) throw new Error(`cattle ${words.join(" ")}: ended with ${code}\n${output}${errors}`);
  return {seconds: (performance.now() - started) / 1000, cpuSeconds, peakMb, output};
}

/** A line of a process's `/proc/<pid>/status` in MB; 0 for a process that is gone. */
export function memoryMb(pid: number, line: "VmHWM" | "RssAnon"): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(new RegExp(`^${line}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

/** Processor time of a process; 0 for one that is gone. */
function cpuSecondsOf(pid: number): number {
  try {
    // The name before the bracket may have blanks; user and system time are the 14th and 15th field of all.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) / ticks;
  } catch {
    return 0;
  }
}
