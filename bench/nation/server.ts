import {spawn} from "node:child_process";
import {once} from "node:events";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {packageRoot} from "../../lib/paths.ts";
import {privateKib} from "../../lib/system/process-figures.ts";
import {freePort} from "../../test/free-port.ts";

/** A running server over a data folder. */
export type Served = {
  /** Milliseconds from process start to the first "ready". */
  readonly readyMs: number;
  /** True if the answer is 200: generated rows may share an address. */
  answers(path: string): Promise<boolean>;
  /** Asks one question; returns the milliseconds until its body is complete. Throws for a status other than 200. */
  ask(path: string): Promise<number>;
  /** The id of the build being served. */
  build(): Promise<string>;
  anonMb(): number;
  /** True while a process of the server checks the bytes of its build. */
  isChecking(): boolean;
  stop(): Promise<void>;
};

/** Starts the server of this checkout, or of `BENCH_BIN`, with limits that no bench reaches. */
export async function serve(env: Record<string, string>, key: string): Promise<Served> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [process.env["BENCH_BIN"] ?? join(packageRoot, "bin", "cattle.js"), "serve", "--port", String(port)],
    {
      stdio: ["ignore", "ignore", "inherit"],
      env: {
        ...process.env,
        ...env,
        CATTLE_METRICS_PORT: "0",
        CATTLE_LOG_LEVEL: "error",
        CATTLE_CADASTRE: "0",
        CATTLE_DRAIN_MS: "0",
        CATTLE_POLL_MS: "200",
        CATTLE_RATE_PER_MINUTE: "1000000",
        CATTLE_OWNER_SEARCH_PER_DAY: "10000000",
        CATTLE_MAX_LOOP_DELAY_MS: "60000",
      },
    },
  );
  while (
    !(await fetch(`${base}/readyz`).then(
      ({ok}) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await sleep(20);
  }
  const get = (path: string) => fetch(`${base}${path}`, {headers: {"X-API-Key": key}});
  return {
    readyMs: performance.now() - started,
    async answers(path) {
      const answer = await get(path);
      await answer.arrayBuffer();
      return answer.ok;
    },
    async ask(path) {
      const asked = performance.now();
      const answer = await get(path);
      const body = await answer.text();
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body.slice(0, 300)}`);
      return performance.now() - asked;
    },
    async build() {
      return ((await (await fetch(`${base}/readyz`)).json()) as {build_id: string}).build_id;
    },
    anonMb: () => Math.round(privateKib(child.pid!) / 1024),
    isChecking: () =>
      readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8")
        .split(" ")
        .filter(Boolean)
        .some((pid) => commandLine(pid).includes("verify-program")),
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}

/** The command line of a process; empty if it has ended. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
