import {readdirSync, readFileSync, renameSync, symlinkSync} from "node:fs";
import {Agent, get} from "node:http";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {expect, test} from "vitest";
import {build} from "../../pipeline/publish/build.ts";
import {
  ask,
  type DeltaWorkshop,
  deltaWorkshop,
  rollNumbers,
  type TestBody,
  until,
} from "../delta/delta-workshop.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {p99} from "./asking.ts";
import {kill, startChild} from "./children.ts";
import {byNumber, everyParcel} from "./known-county.ts";
import {note, sizeOf} from "./table.ts";

const loaded = sizeOf("H1", {push: 0, long: 200});
/** Private memory wanders by a twentieth within some hundred swaps; over more of them a leak shows, and that does not. */
const idle = sizeOf("H2", {push: 0, long: 1_500});
const connections = 64;

type Two = {shop: DeltaWorkshop; ids: [string, string]};

/** Two builds that differ in the value of every parcel: an answer tells which one it is from. */
async function twoBuilds(): Promise<Two> {
  const shop = deltaWorkshop(temporaryFolder(), everyParcel());
  const pins = rollNumbers(40);
  shop.roll(pins);
  const {buildId: a} = await build(shop.options());
  shop.roll(pins, 2000);
  const {buildId: b} = await build(shop.options());
  return {shop, ids: [a, b]};
}

function publish({data}: DeltaWorkshop, buildId: string): void {
  const beside = join(data.root, ".current-0");
  symlinkSync(join("builds", buildId), beside);
  renameSync(beside, data.current);
}

type Seen = {ms: number[]; bad: string[]; mixed: number};

/** 64 connections that stay open and ask without pause for a parcel whose value differs between the builds. */
async function ask64(
  {shop, ids}: Two,
  port: number,
  {seen, stop}: {seen: Seen; stop: () => boolean},
): Promise<void> {
  const agent = new Agent({keepAlive: true, maxSockets: connections});
  const path = byNumber("100-A");
  const one = async () => {
    while (!stop()) {
      const started = performance.now();
      const told = await request(agent, {port, key: shop.key, path});
      seen.ms.push(performance.now() - started);
      if (told.status !== 200) seen.bad.push(`${told.status} ${told.text.slice(0, 100)}`);
      else {
        const {metadata, property} = JSON.parse(told.text) as TestBody;
        if (property.totalMarketValue !== (metadata.buildId === ids[0] ? 1000 : 2000)) seen.mixed += 1;
      }
    }
  };
  await Promise.all(Array.from({length: connections}, one));
  agent.destroy();
}

function request(
  agent: Agent,
  {port, key, path}: {port: number; key: string; path: string},
): Promise<{status: number; text: string}> {
  return new Promise((resolve) => {
    get({host: "127.0.0.1", port, path, agent, headers: {"X-API-Key": key}}, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({status: response.statusCode ?? 0, text}));
    }).on("error", (error) => resolve({status: 0, text: error.message}));
  });
}

test.runIf(loaded > 0)(
  `H1: ${loaded} swaps under 64 connections fail no request and mix no builds`,
  async () => {
    const two = await twoBuilds();
    const child = startChild("miss-server.ts", [two.shop.root, two.shop.key]);
    const port = await child.ready;
    const [steady, swapping] = [0, 1].map((): Seen => ({ms: [], bad: [], mixed: 0})) as [Seen, Seen];
    let over = false;
    const before = ask64(two, port, {seen: steady, stop: () => over});
    await sleep(15_000);
    over = true;
    await before;
    over = false;
    const during = ask64(two, port, {seen: swapping, stop: () => over});
    for (let swap = 0; swap < loaded; swap++) {
      publish(two.shop, two.ids[swap % 2]!);
      await sleep(2_000);
    }
    over = true;
    await during;
    await kill(child);
    const [calm, busy] = [p99(steady.ms), p99(swapping.ms)];
    note(
      "H1",
      `${loaded} swaps under ${connections} connections`,
      `${swapping.ms.length} answers, ${swapping.bad.length} failed, ${swapping.mixed} mixed; p99 ${calm.toFixed(1)} ms steady, ${busy.toFixed(1)} ms swapping`,
    );
    expect([swapping.bad, swapping.mixed]).toEqual([[], 0]);
  },
  loaded * 3_000 + 120_000,
);

test.runIf(idle > 0)(
  `H2: ${idle} swaps leak no memory, file or mapping`,
  async () => {
    const two = await twoBuilds();
    const child = startChild("miss-server.ts", [two.shop.root, two.shop.key]);
    const place = {key: two.shop.key, port: await child.ready};
    const kib: number[] = [];
    const counts: Open[] = [];
    for (let swap = 0; swap < idle; swap++) {
      const wanted = two.ids[swap % 2]!;
      publish(two.shop, wanted);
      await until(async () => {
        const {body} = await ask(place, place, byNumber("100-A"));
        return body.metadata?.buildId === wanted;
      });
      // The server collects its garbage when it is told to.
      child.process.kill("SIGUSR2");
      await sleep(30);
      kib.push(anonymousKib(child.process.pid!));
      counts.push(openThings(child.process.pid!, two.shop.data.root));
    }
    await kill(child);
    const mean = (part: readonly number[]) => part.reduce((sum, value) => sum + value, 0) / part.length;
    const from = Math.floor(idle / 10);
    const [early, late] = [mean(kib.slice(from, from * 3)), mean(kib.slice(-from * 2))];
    // Collected mappings go in bursts: the most of two windows is compared, not two moments.
    const [first, last] = [counts.slice(from, from * 3), counts.slice(-from * 2)].map(mostOf) as [Open, Open];
    const growth = (late / early - 1) * 100;
    note(
      "H2",
      `${idle} swaps, garbage collected after each`,
      `RssAnon ${(early / 1024).toFixed(1)} -> ${(late / 1024).toFixed(1)} MiB (${growth.toFixed(1)} %), at most ${first.files} -> ${last.files} files, ${first.maps} -> ${last.maps} mappings, ${last.deleted} deleted`,
    );
    expect(growth).toBeLessThanOrEqual(5);
    expect(last.files).toBeLessThanOrEqual(first.files + 5);
    expect(last.maps).toBeLessThanOrEqual(first.maps + 30);
    expect(last.deleted).toBe(0);
  },
  idle * 6_000 + 60_000,
);

function anonymousKib(pid: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

type Open = {files: number; maps: number; deleted: number};

function mostOf(counts: readonly Open[]): Open {
  const most = (name: keyof Open) => Math.max(...counts.map((count) => count[name]));
  return {files: most("files"), maps: most("maps"), deleted: most("deleted")};
}

function openThings(pid: number, root: string): Open {
  const maps = readFileSync(`/proc/${pid}/maps`, "utf8")
    .split("\n")
    .filter((line) => line.includes(root));
  return {
    files: readdirSync(`/proc/${pid}/fd`).length,
    maps: maps.length,
    deleted: maps.filter((line) => line.endsWith("(deleted)")).length,
  };
}
