import {spawn} from "node:child_process";
import {Agent, get} from "node:http";
import {setTimeout as sleep} from "node:timers/promises";
import {fileURLToPath} from "node:url";
import {privateKib} from "../../../lib/system/process-figures.ts";
import {childProcesses} from "../../child-processes.ts";

const port = 8080;
/** Each key has connections of its own, so that none waits in this process for those of another. */
const agents = new Map<string, Agent>();
const agentOf = (key: string) => {
  const agent = agents.get(key) ?? new Agent({keepAlive: true, maxSockets: 256});
  agents.set(key, agent);
  return agent;
};

export type Told = {readonly status: number; readonly ms: number; readonly text: string};

export type Held = {readonly serverKib: number; readonly readersKib: number};

/** The program that is under attack, as it is deployed, with what it is asked over sockets. */
export type Program = {
  /** Asks with a key of its own, or with the one that asks for most. */
  ask(path: string, key?: string): Promise<Told>;
  /** Private memory of the server and of its child processes, which read replies, KiB. */
  held(): Held;
  /** Null while it runs. */
  end(): string | null;
  stop(): Promise<void>;
};

/** Starts `cattle serve` on a data folder and waits until it is ready. Throws with its log when it ends before. */
export async function startProgram(
  root: string,
  {key, settings}: {key: string; settings: Readonly<Record<string, string>>},
): Promise<Program> {
  const cattle = fileURLToPath(new URL("../../../bin/cattle.js", import.meta.url));
  const child = spawn(process.execPath, [cattle, "serve"], {
    env: {
      PATH: process.env["PATH"],
      CATTLE_DATA: root,
      CATTLE_PORT: String(port),
      CATTLE_METRICS_PORT: "0",
      CATTLE_DRAIN_MS: "0",
      CATTLE_POLL_MS: "500",
      CATTLE_RATE_PER_MINUTE: "1000000",
      CATTLE_MAX_IN_FLIGHT_PER_KEY: "1000",
      CATTLE_ALLOW_NETWORK_FS: "1",
      CATTLE_LOG_LEVEL: "error",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  const end = () =>
    child.exitCode === null && child.signalCode === null ? null : `${child.signalCode ?? child.exitCode}`;
  const ask = (path: string, own = key) => asked(path, own);
  for (let tries = 0; (await ask("/readyz")).status !== 200; tries++) {
    if (end() !== null || tries > 600) throw new Error(`the server did not start: ${said.slice(-2_000)}`);
    await sleep(100);
  }
  return {
    ask,
    held: () => ({
      serverKib: privateKib(child.pid!),
      readersKib: childProcesses(child.pid!).reduce((sum, pid) => sum + privateKib(pid), 0),
    }),
    end,
    async stop() {
      const over = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await over;
    },
  };
}

/** Asks; the status is 0 where the connection was cut. */
function asked(path: string, key: string): Promise<Told> {
  const started = performance.now();
  return new Promise((resolve) => {
    get({host: "127.0.0.1", port, path, agent: agentOf(key), headers: {"X-API-Key": key}}, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({status: response.statusCode ?? 0, ms: performance.now() - started, text}),
      );
    }).on("error", () => resolve({status: 0, ms: performance.now() - started, text: ""}));
  });
}
