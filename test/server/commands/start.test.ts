import {type ChildProcess, spawn} from "node:child_process";
import {once} from "node:events";
import {readFileSync, rmSync, truncateSync, writeFileSync} from "node:fs";
import {createServer, get} from "node:http";
import {type AddressInfo, connect} from "node:net";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {afterEach, beforeEach, describe, expect, it, onTestFinished} from "vitest";
import {z} from "zod";
import {ConfigError} from "../../../lib/errors.ts";
import {createKey} from "../../../lib/keys/api-keys.ts";
import {packageRoot} from "../../../lib/paths.ts";
import {readLeases} from "../../../lib/process/run-folder.ts";
import {readSettings} from "../../../lib/read-settings.ts";
import {marketServing} from "../../../lib/storage/build-layout.ts";
import {dataFolder} from "../../../lib/storage/data-folder.ts";
import {type RunningServer, startServer} from "../../../server/commands/start.ts";
import {defineEndpoint} from "../../../server/http/endpoint.ts";
import {marketEndpoints} from "../../../server/market/market-endpoints.ts";
import {until} from "../../delta/delta-workshop.ts";
import {freePort} from "../../free-port.ts";
import {silentLog} from "../../silent-log.ts";
import {publish, writeBuild} from "../build-fixture.ts";
import {temporaryFolder} from "../server-fixture.ts";

const [first, second] = ["20261120-aaaaaa", "20261121-bbbbbb"];
let folder: ReturnType<typeof temporaryFolder>;
let server: RunningServer | null;
let key: string;

const slow = defineEndpoint({
  path: "/slow",
  operationId: "slow",
  summary: "answers after a while, for the test",
  family: "market",
  scope: "market",
  parameters: z.strictObject({}),
  response: z.unknown(),
  answer: async (call) => {
    await sleep(300);
    return {body: JSON.stringify(call.generation.buildId)};
  },
});

beforeEach(async () => {
  folder = temporaryFolder();
  server = null;
  key = (await createKey(join(folder.path, "keys.json"))).key;
  await writeBuild(folder.path, first);
  publish(folder.path, first);
});
afterEach(async () => {
  await server?.stop();
  folder.remove();
});

async function start(changes: Record<string, string> = {}): Promise<RunningServer> {
  const settings = readSettings({
    CATTLE_DATA: folder.path,
    CATTLE_PORT: "0",
    CATTLE_METRICS_PORT: "0",
    CATTLE_DRAIN_MS: "0",
    CATTLE_POLL_MS: "100",
    // A busy test machine must not look like overload.
    CATTLE_MAX_LOOP_DELAY_MS: "60000",
    ...changes,
  });
  server = await startServer({
    settings,
    version: "test",
    log: silentLog,
    endpoints: [...marketEndpoints, slow],
    openState: () => {
      throw new Error("no state is in these builds");
    },
    now: () => new Date("2026-11-22T00:00:00Z"),
  });
  return server;
}

type Body = Record<string, unknown>;
type Answered = {status: number; body: Body; etag: string | undefined; connection: string | undefined};

function ask(port: number, path: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = get(
      {host: "127.0.0.1", port, path, headers: {"X-API-Key": key}, agent: false},
      (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            body: JSON.parse(text),
            etag: response.headers.etag,
            connection: response.headers.connection,
          }),
        );
      },
    );
    request.on("error", reject);
  });
}

function flipBit(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
}

const untilServed = (port: number, buildId: string) =>
  until(async () => (await ask(port, "/readyz")).body["build_id"] === buildId);

async function leased(): Promise<string> {
  return [...(await readLeases(dataFolder(folder.path))).builds].join();
}

describe("serving builds", () => {
  it("H1: adopts a newly published build by itself and goes back on rollback", async () => {
    const {port} = await start();
    expect((await ask(port, "/barns")).body["build_id"]).toBe(first);
    await writeBuild(folder.path, second);
    publish(folder.path, second);
    await untilServed(port, second);
    expect((await ask(port, "/barns")).body["build_id"]).toBe(second);
    await until(async () => (await leased()) === second);
    publish(folder.path, first);
    await untilServed(port, first);
  });

  it("H1: fails no request and mixes no builds while builds are swapped under load", async () => {
    const running = await start({CATTLE_POLL_MS: "600000", CATTLE_RATE_PER_MINUTE: "1000000"});
    await writeBuild(folder.path, second);
    let swapping = true;
    const tags = new Map<string, unknown>();
    let answers = 0;
    const askOn = async () => {
      while (swapping) {
        const {status, body, etag} = await ask(running.port, "/price-by-county?zip=73101");
        expect(status).toBe(200);
        answers += 1;
        tags.set(`${body["build_id"]} ${etag}`, body);
      }
    };
    const load = Array.from({length: 16}, askOn);
    for (let swap = 0; swap < 6; swap++) {
      publish(folder.path, swap % 2 === 0 ? second : first);
      await running.refresh();
    }
    swapping = false;
    await Promise.all(load);
    expect(answers).toBeGreaterThan(50);
    expect(tags.size).toBe(2);
  });

  it("H3: a request that began before a swap is answered from the build at its start", async () => {
    const running = await start({CATTLE_POLL_MS: "600000"});
    await writeBuild(folder.path, second);
    const pending = ask(running.port, "/slow");
    await sleep(50);
    publish(folder.path, second);
    await running.refresh();
    expect((await ask(running.port, "/readyz")).body["build_id"]).toBe(second);
    expect((await pending).body).toBe(first);
  });

  it("B5: refuses a build with a file too short, missing, extra or damaged, and serves the old one", async () => {
    const running = await start({CATTLE_POLL_MS: "600000"});
    const damages: ((build: string) => void)[] = [
      (build) => truncateSync(join(build, marketServing, "barns.arrow"), 10),
      (build) => writeFileSync(join(build, marketServing, "extra.arrow"), "x"),
      (build) => flipBit(join(build, marketServing, "barns.arrow")),
      (build) => writeFileSync(join(build, "manifest.json"), "{}"),
    ];
    for (const [index, damage] of damages.entries()) {
      const buildId = `2026112${index + 2}-cccccc`;
      damage(await writeBuild(folder.path, buildId));
      publish(folder.path, buildId);
      await running.refresh();
      const {status, body} = await ask(running.port, "/readyz");
      expect([status, body["status"], body["build_id"]]).toEqual([200, "degraded", first]);
      expect(body["reasons"]).toEqual([`build_refused:${buildId}`]);
    }
    publish(folder.path, first);
    await running.refresh();
    expect((await ask(running.port, "/readyz")).body["status"]).toBe("ready");
  });

  it("goes back to the build before when the full check finds another SHA-256", async () => {
    const running = await start({CATTLE_POLL_MS: "600000"});
    const manifest = join(await writeBuild(folder.path, second), "manifest.json");
    const text = readFileSync(manifest, "utf8");
    writeFileSync(manifest, text.replace(/"sha256": "[0-9a-f]{64}"/, `"sha256": "${"0".repeat(64)}"`));
    publish(folder.path, second);
    await running.refresh();
    await untilServed(running.port, first);
    expect((await ask(running.port, "/readyz")).body["reasons"]).toEqual([`build_refused:${second}`]);
  });

  it("starts with the newest retained build that verifies when the published one is damaged", async () => {
    const folderOfSecond = await writeBuild(folder.path, second);
    truncateSync(join(folderOfSecond, marketServing, "barns.arrow"), 10);
    publish(folder.path, second);
    const {port} = await start();
    expect((await ask(port, "/readyz")).body).toMatchObject({status: "degraded", build_id: first});
  });

  it("starts without the damaged part when no retained build verifies: its answers are 503", async () => {
    truncateSync(join(folder.path, "builds", first, marketServing, "barns.arrow"), 10);
    const {port} = await start();
    expect((await ask(port, "/readyz")).body).toMatchObject({status: "degraded", build_id: first});
    expect((await ask(port, "/barns")).body["type"]).toBe("/problems/build-unavailable");
  });

  it("is not ready, but alive, without any build", async () => {
    rmSync(dataFolder(folder.path).builds, {recursive: true});
    const {port} = await start();
    expect((await ask(port, "/healthz")).status).toBe(200);
    expect((await ask(port, "/readyz")).status).toBe(503);
  });

  it("shares one port between processes, each with its part of the limits", async () => {
    const one = await start({CATTLE_PROCESSES: "2"});
    const two = await start({CATTLE_PROCESSES: "2", CATTLE_PORT: String(one.port)});
    expect(two.port).toBe(one.port);
    expect((await ask(one.port, "/barns")).status).toBe(200);
    await one.stop();
    expect((await ask(two.port, "/barns")).status).toBe(200);
  });

  it("O4: says 503 while it drains, answers the requests in flight, and then takes no more", async () => {
    const running = await start({CATTLE_DRAIN_MS: "200"});
    const pending = ask(running.port, "/slow");
    await sleep(50);
    const stopped = running.stop();
    server = null;
    const readiness = await ask(running.port, "/readyz");
    expect([readiness.status, readiness.connection]).toEqual([503, "close"]);
    expect((await pending).status).toBe(200);
    await stopped;
    expect(await leased()).toBe("");
    await expect(ask(running.port, "/healthz")).rejects.toThrow();
  });
});

/** A port of loopback that is taken. */
async function takenPort(): Promise<number> {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo).port;
}

describe("a start is whole or not at all", () => {
  it("has its lease on the disk when the first caller can connect", async () => {
    await start();
    expect(await leased()).toBe(first);
  });

  it.each(["CATTLE_PORT", "CATTLE_METRICS_PORT"])(
    "names %s where the port is in use, and leaves nothing open",
    async (setting) => {
      const other = await takenPort();
      const failed = start({[setting]: String(other)}).catch((error: unknown) => error);
      const error = await failed;
      expect(error).toBeInstanceOf(ConfigError);
      expect(String(error)).toBe(
        `ConfigError: ${setting}: 127.0.0.1:${other} is in use: stop the program that listens there, or choose another port.`,
      );
      expect(await leased()).toBe("");
    },
  );

  it("opens no port of answers where that of the metrics cannot be had", async () => {
    const port = await freePort();
    const other = await takenPort();
    const failed = start({CATTLE_PORT: String(port), CATTLE_METRICS_PORT: String(other)});
    let answered = 0;
    const asking = setInterval(
      () =>
        void fetch(`http://127.0.0.1:${port}/healthz`).then(
          () => answered++,
          () => 0,
        ),
      1,
    );
    await failed.catch(() => undefined);
    clearInterval(asking);
    expect(answered).toBe(0);
  });

  it.each(["CATTLE_PORT", "CATTLE_METRICS_PORT"])(
    "cattle serve ends with 78 and one line where %s is in use",
    async (setting) => {
      const other = await takenPort();
      const {status, stderr} = await ended(
        spawn(process.execPath, [join(packageRoot, "bin/cattle.js"), "serve"], {
          env: {
            PATH: process.env["PATH"],
            CATTLE_DATA: folder.path,
            CATTLE_PORT: "0",
            CATTLE_METRICS_PORT: "0",
            [setting]: String(other),
          },
        }),
      );
      expect([status, stderr]).toEqual([
        78,
        `${setting}: 127.0.0.1:${other} is in use: stop the program that listens there, or choose another port.\n`,
      ]);
    },
  );

  /** Sends bytes as they are and gives what comes back. */
  const sent = (port: number, bytes: string) =>
    new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(port, "127.0.0.1", () => socket.end(bytes));
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => resolve(text));
    });
  const withoutId = (text: string) => text.replaceAll(/[0-9a-f-]{36}/g, "").replaceAll(/Date: .*/g, "");

  it("gives a request without a key the same body, whatever it expects and with or without a host", async () => {
    const {port} = await start();
    const usual = await sent(port, "GET /price-by-county HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(usual).toMatch(/^HTTP\/1\.1 403 /);
    for (const head of ["Host: a\r\nExpect: 100-continue", "Host: a\r\nExpect: something", "X-A: a"]) {
      const text = await sent(port, `GET /price-by-county HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`);
      expect(withoutId(text), head).toBe(withoutId(usual));
    }
  });

  it("refuses a request of HTTP/1.1 without a host that has a key with the problem of all bad requests", async () => {
    const {port} = await start();
    const text = await sent(port, `GET /openapi.json HTTP/1.1\r\nX-API-Key: ${key}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*"type":"\/problems\/invalid-request"/);
  });
});

async function ended(child: ChildProcess): Promise<{status: number | null; stderr: string}> {
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const [status] = (await once(child, "close")) as [number | null];
  return {status, stderr};
}
