import {spawn} from "node:child_process";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "../../lib/paths.ts";
import {processorMs} from "../../lib/process/process-identity.ts";

/** What a command took. A machine that does other work stretches the seconds, and hardly those of the processor. */
export type Spent = {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
  readonly output: string;
};

const lookMs = 100;

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
    cpuSeconds = (processorMs(child.pid!) ?? cpuSeconds * 1_000) / 1_000;
    peakMb = peakMbOf(child.pid!) || peakMb;
  }, lookMs);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearInterval(look);
  if (code !== 0) throw new Error(`cattle ${words.join(" ")}: ended with ${code}\n${output}${errors}`);
  return {seconds: (performance.now() - started) / 1000, cpuSeconds, peakMb, output};
}

/** The most memory that a process has held, in MB; 0 for a process that is gone. */
function peakMbOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
