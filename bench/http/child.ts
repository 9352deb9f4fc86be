import {type ChildProcess, spawn} from "node:child_process";
import {createServer, type RequestListener} from "node:http";
import type {AddressInfo} from "node:net";
import type {App} from "../../server/http/request-start.ts";

/** A server in its own process, so that it has its own core and heap. */
export type ServerProcess = {readonly pid: number; readonly port: number; stop(): Promise<void>};

/** Node flags with which `bin/cattle.js` runs a server; they bound the young generation. */
export const deployedFlags: readonly string[] = ["--max-semi-space-size=8"];

/** Starts a script that calls `announce`; rejects if it exits before it listens. */
export async function startServerProcess(script: string, words: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...deployedFlags, script, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once("data", (line: Buffer) => resolve(Number(line)));
    child.once("exit", (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  return {pid: child.pid!, port, stop: () => ended(child)};
}

/** Listens on a free loopback port and prints it for the waiting process. */
export function announce(app: RequestListener & Partial<App>): void {
  const server = createServer({...app.classes}, app).listen(0, "127.0.0.1", () => {
    console.log((server.address() as AddressInfo).port);
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill();
  });
}
