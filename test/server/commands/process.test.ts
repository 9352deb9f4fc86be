import {type ChildProcess, spawn} from "node:child_process";
import {connect, type Socket} from "node:net";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {createKey} from "../../../lib/keys/api-keys.ts";
import {packageRoot} from "../../../lib/paths.ts";
import {publish, writeBuild} from "../build-fixture.ts";
import {temporaryFolder} from "../server-fixture.ts";

const url = (path: string) => JSON.stringify(pathToFileURL(join(packageRoot, path)).href);
/** A program that serves like `cattle serve`, with the market endpoints alone. */
const program = `
  const [{serve}, {marketEndpoints}, {createLog}, {readSettings}] = await Promise.all(
    [${["server/commands/serve-command.ts", "server/market/market-endpoints.ts", "server/http/log.ts", "lib/read-settings.ts"].map(url).join()}].map((file) => import(file)),
  );
  const settings = readSettings();
  const openState = () => { throw new Error("no state is in these builds"); };
  const log = createLog(settings);
  process.exitCode = await serve({settings, version: "test", log, endpoints: marketEndpoints, openState});
`;

let folder: ReturnType<typeof temporaryFolder>;
let child: ChildProcess | null = null;
let key: string;

beforeEach(async () => {
  folder = temporaryFolder();
  key = (await createKey(join(folder.path, "keys.json"))).key;
  await writeBuild(folder.path, "20261121-aaaaaa");
  publish(folder.path, "20261121-aaaaaa");
});
afterEach(() => {
  child?.kill("SIGKILL");
  folder.remove();
});

function start(): {port: Promise<number>; exit: Promise<number | null>} {
  const environment = {
    PATH: process.env["PATH"],
    CATTLE_DATA: folder.path,
    CATTLE_PORT: "0",
    CATTLE_METRICS_PORT: "0",
    CATTLE_DRAIN_MS: "100",
    CATTLE_MAX_LOOP_DELAY_MS: "60000",
  };
  const started = spawn(process.execPath, ["--input-type=module", "-e", program], {env: environment});
  child = started;
  let text = "";
  const port = new Promise<number>((resolve, reject) => {
    started.stdout.on("data", (chunk) => {
      text += chunk;
      const found = /"port":(\d+)/.exec(text)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    started.stderr.on("data", (chunk) => {
      text += chunk;
    });
    started.once("exit", () => reject(new Error(text)));
  });
  const exit = new Promise<number | null>((resolve) => started.once("exit", resolve));
  return {port, exit};
}

describe("the server process", () => {
  it("O4: answers, and ends with 0 on SIGTERM", async () => {
    const {port, exit} = start();
    const address = `http://127.0.0.1:${await port}`;
    const reply = await fetch(`${address}/barns`, {headers: {"X-API-Key": key}});
    expect(await reply.json()).toMatchObject({build_id: "20261121-aaaaaa"});
    child?.kill("SIGTERM");
    expect(await exit).toBe(0);
  });

  it("goes on when nobody reads its log any more", async () => {
    const {port, exit} = start();
    const address = `http://127.0.0.1:${await port}`;
    child?.stdout?.destroy();
    for (const _ of [1, 2, 3]) expect((await fetch(`${address}/barns`)).status).toBe(403);
    child?.kill("SIGTERM");
    expect(await exit).toBe(0);
  });

  it("answers a caller with a key while 2,000 connections say nothing", async () => {
    const {port} = start();
    const at = await port;
    const silent = await Promise.all(Array.from({length: 2_000}, () => silentConnection(at)));
    try {
      const {status} = await fetch(`http://127.0.0.1:${at}/barns`, {headers: {"X-API-Key": key}});
      // All of them are still there: the answer waited for none of their time limits.
      expect([status, silent.filter((socket) => socket.closed).length]).toEqual([200, 0]);
    } finally {
      for (const socket of silent) socket.destroy();
    }
  });

  it("looks at the keys and the build at once on SIGHUP", async () => {
    const {port} = start();
    const address = `http://127.0.0.1:${await port}`;
    const second = (await createKey(join(folder.path, "keys.json"))).key;
    child?.kill("SIGHUP");
    const status = async () =>
      (await fetch(`${address}/openapi.json`, {headers: {"X-API-Key": second}})).status;
    await expect.poll(status, {interval: 25}).toBe(200);
  });
});

function silentConnection(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket)).once("error", reject);
    // Without a reader a socket does not notice that it was closed.
    socket.resume();
  });
}
