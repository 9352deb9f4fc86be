import {readFileSync, rmSync, truncateSync, writeFileSync} from "node:fs";
import {get} from "node:http";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {pino} from "pino";
import {afterEach, beforeEach, describe, expect, it} from "vitest";
import {z} from "zod";
import {readLeases} from "../../../lib/process/leases.ts";
import {readSettings} from "../../../lib/settings.ts";
import {marketServing} from "../../../lib/storage/build-layout.ts";
import {dataFolder} from "../../../lib/storage/data-folder.ts";
import {type RunningServer, startServer} from "../../../server/commands/start.ts";
import {createKey} from "../../../server/http/api-keys.ts";
import {defineEndpoint} from "../../../server/http/endpoint.ts";
import {marketEndpoints} from "../../../server/market/routes.ts";
import {until} from "../../delta/delta-workshop.ts";
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
    log: pino({level: "silent"}),
    endpoints: [...marketEndpoints, slow],
    openState: () => {
      throw new Error("no state is in these builds");
    },
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
