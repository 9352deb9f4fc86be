import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {sourceOfList} from "../../pipeline/fetch/jobs/source-address.ts";
import {readCheckedList} from "../../pipeline/market/signals/lists/check-list.ts";
import type {ListSource} from "../../schemas/list-source.ts";
import {RawMeta} from "../../schemas/raw-meta.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {filesIn, night, quickRate} from "./fetched.ts";
import {file, ReplayServer} from "./replay-server.ts";

let server: ReplayServer;
beforeEach(async () => {
  server = await ReplayServer.start();
});
afterEach(() => server.stop());

const firstNight = new Date("2026-11-20T05:30:00Z");
const secondNight = new Date("2026-11-28T05:30:00Z");
const roster = Buffer.from("Market Name,Town\nInvented Stock Yard,Nowhere\nSample Creek Livestock,Elm\n");

/** The map of an invented roster, as written into the registry. */
function written(facts: Record<string, unknown>): string {
  const path = join(temporaryFolder(), "ks-markets.json");
  const map = {
    ...{id: "ks-markets", feed: "directory", name: "Markets (invented)", publisher: "Nobody", url: null},
    ...{terms: "public record", state: "KS", match: [], source: "state-agriculture-reference-pages"},
    columns: {name: ["Market Name"], city: ["Town"]},
    accept: {minRows: 1, maxRejectShare: 0.1, rows: []},
    note: "Invented.",
    ...facts,
  };
  writeFileSync(path, JSON.stringify(map));
  return path;
}

function sourceOf(list: ListSource) {
  const source = sourceOfList(list);
  if (source === null) throw new Error("no source");
  return source;
}

test("stores a list whose map names a download in its own folder, and revalidates it when due", async () => {
  const rawDir = temporaryFolder();
  server.on(
    "/files/markets.csv",
    file(() => roster),
  );
  const download = {url: `${server.origin}/files/markets.csv`, cadence: {everyHours: 168}, rate: quickRate};
  const source = sourceOf(readCheckedList(written({download})));
  expect((await night([source], {rawDir, now: firstNight}))[0]).toMatchObject({status: "new", requests: 1});
  const path = "market/directory/ks-markets/markets_20261120T053000Z.csv";
  expect(filesIn(rawDir)).toEqual([
    ".fetch/ks-markets.json",
    ".fetch/paces/ks-markets.json",
    path,
    `${path}.meta.json`,
  ]);
  expect(RawMeta.parse(JSON.parse(readFileSync(join(rawDir, `${path}.meta.json`), "utf8")))).toMatchObject({
    source_id: "ks-markets",
    url: download.url,
    complete: true,
  });
  const early = new Date("2026-11-23T05:30:00Z");
  expect((await night([source], {rawDir, now: early}))[0]).toMatchObject({status: "not due", requests: 0});
  server.forget();
  expect((await night([source], {rawDir, now: secondNight}))[0]).toMatchObject({status: "unchanged"});
  expect(server.seen.map(({status}) => status)).toEqual([304]);
});

test("refuses an error page in place of the list, and keeps the existing file", async () => {
  const rawDir = temporaryFolder();
  let body = roster;
  server.on("/markets", (_, reply) => void reply.end(body));
  const download = {
    url: `${server.origin}/markets`,
    format: "csv",
    cadence: {everyHours: 24},
    rate: quickRate,
  };
  const source = sourceOf(readCheckedList(written({download})));
  await night([source], {rawDir, now: firstNight});
  const before = filesIn(rawDir);
  body = Buffer.from("<!DOCTYPE html><html><body>Sign in</body></html>");
  expect((await night([source], {rawDir, now: secondNight}))[0]).toMatchObject({
    status: "failed",
    reason: expect.stringContaining("expected .csv, got an HTML page"),
  });
  expect(filesIn(rawDir)).toEqual(before);
});

test("follows a list's redirect only to hosts that its map names", async () => {
  server.on(
    "/markets.csv",
    (_, reply) => void reply.writeHead(302, {location: "https://elsewhere.example/x"}).end(),
  );
  const download = {url: `${server.origin}/markets.csv`, cadence: {everyHours: 24}, rate: quickRate};
  const [outcome] = await night([sourceOf(readCheckedList(written({download})))], {
    rawDir: temporaryFolder(),
    now: firstNight,
  });
  expect(outcome).toMatchObject({
    status: "failed",
    reason: expect.stringContaining("not named by the entry"),
  });
});

test("ignores a map without a download, and locates the fault in an invalid one", () => {
  expect(sourceOfList(readCheckedList(written({})))).toBeNull();
  const address = "https://agriculture.example/markets.csv";
  expect(() => readCheckedList(written({download: {url: address}}))).toThrow("download.cadence");
  expect(() => readCheckedList(written({download: {url: "markets.csv", cadence: {everyHours: 1}}}))).toThrow(
    "download.url",
  );
});
