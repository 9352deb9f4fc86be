import {readFileSync} from "node:fs";
import {join} from "node:path";
import {gzipSync} from "node:zlib";
import {afterEach, beforeEach, expect, test} from "vitest";
import {zipOf} from "../../packages/parcel-files/test/write-zip.ts";
import {type FetchSource, sourceOfMarketFeed} from "../../pipeline/fetch/jobs/source-address.ts";
import {diesel} from "../../pipeline/market/feeds/diesel.ts";
import {nass} from "../../pipeline/market/feeds/nass.ts";
import {loadFeedFetches} from "../../pipeline/market/reference/market-sources.ts";
import {readText, valuesOf} from "../pipeline/market/signals/read-text.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {animals, dated, playBulkFiles} from "./bulk-world.ts";
import {filesIn, night, quickRate} from "./fetched.ts";
import {type Answer, file, ReplayServer} from "./replay-server.ts";

const now = new Date("2026-11-25T05:30:00Z");
let server: ReplayServer;
let rawDir: string;
beforeEach(async () => {
  server = await ReplayServer.start();
  rawDir = temporaryFolder();
});
afterEach(() => server.stop());

/** A source of the registry as it is shipped, at a path of the server. */
function shipped(id: string, path: string): FetchSource {
  const feed = loadFeedFetches().find((each) => each.id === id)!;
  const source = sourceOfMarketFeed(feed);
  const url = server.origin + path;
  const hosts = new Set([new URL(url).host]);
  return {...source, url, hosts, rate: quickRate, feed: {...feed, url} as FetchSource["feed"]};
}

test("keeps the weekly diesel prices of the publisher's bulk file, which needs no key, and asks for it by its tag", async () => {
  playBulkFiles(server);
  const sources = [shipped("diesel-bulk", "/PET.zip")];
  const [first] = await night(sources, {rawDir, now});
  expect(first).toMatchObject({status: "new", reason: null, files: 1, requests: 1});
  const [name] = filesIn(rawDir).filter((each) => /diesel\/petroleum_\S+Z\.json$/.test(each));
  const body: unknown = JSON.parse(readFileSync(join(rawDir, name!), "utf8"));
  const read = await readText(diesel.read, "diesel/petroleum.json", body as object);
  expect(valuesOf(read, "key", "valid_from", "price_usd_per_gal")).toEqual([
    ["US", "2026-11-23", 3.811],
    ["US", "2026-11-16", 3.8],
    ["2", "2026-11-23", 3.711],
    ["3", "2026-11-16", 3.611],
  ]);
  server.forget();
  const [again] = await night(sources, {rawDir, now, areNamed: true});
  expect(again).toMatchObject({status: "unchanged", files: 0});
  expect(server.seen.map(({status}) => status)).toEqual([304]);
});

test("finds the newest of the dated statistics on their page, and keeps the lines of cattle, hay and corn of two years", async () => {
  playBulkFiles(server, [...dated("20261103"), ...dated("20261124"), "qs.census2022.txt.gz"]);
  const [outcome] = await night([shipped("nass-bulk", "/datasets/")], {rawDir, now});
  expect(outcome).toMatchObject({status: "new", reason: null, files: 2, requests: 4});
  expect(server.seen.map(({path}) => path)).toContain("/datasets/qs.animals_products_20261124.txt.gz");
  const [name] = filesIn(rawDir).filter((each) => /nass\/animals_\S+Z\.txt$/.test(each));
  const read = await readText(nass.read, "nass/animals.txt", readFileSync(join(rawDir, name!), "utf8"));
  expect(valuesOf(read, "area", "year", "value")).toEqual([
    ["AZ", 2026, 980_000],
    ["04003", 2026, 60_000],
  ]);
});

const states: readonly [string, Answer, string, RegExp][] = [
  ["is cut", file(() => gzipSync(animals).subarray(0, 60)), "failed", /the file was cut/],
  ["has none of the lines", file(() => gzipSync("A\tB\n1\t2\n")), "failed", /moved: no line of/],
  [
    "is larger than its entry allows",
    (_, reply) => {
      reply.writeHead(200, {"content-length": String(2 ** 40)});
      reply.write("x", () => setTimeout(() => reply.destroy(), 20));
    },
    "failed",
    /MiB, more than the 1024 MiB/,
  ],
  [
    "is a page",
    (_, reply) => void reply.writeHead(200).end("<html>"),
    "failed",
    /the file was cut, or is not/,
  ],
];
test.each(states)("a bulk file that %s stores nothing, and says why", async (_, answer, status, reason) => {
  playBulkFiles(server);
  server.on("/datasets/qs.animals", answer).on("/datasets/qs.crops", answer);
  const retries = {retries: 0, firstPauseMs: 1};
  const [outcome] = await night([shipped("nass-bulk", "/datasets/")], {rawDir, now, retries});
  expect(outcome).toMatchObject({status, files: 0, reason: expect.stringMatching(reason)});
  expect(filesIn(rawDir).filter((name) => name.startsWith("market/nass/"))).toEqual([]);
});

test("a page without the dated files says so", async () => {
  playBulkFiles(server, ["qs.census2022.txt.gz"]);
  const [outcome] = await night([shipped("nass-bulk", "/datasets/")], {rawDir, now});
  expect(outcome).toMatchObject({status: "failed", reason: expect.stringMatching(/moved: .* links no file/)});
});

test("the bulk files are not asked for where the keyed service has answered", async () => {
  const keyed = {...shipped("diesel", "/eia"), protocol: "eia"} as FetchSource;
  server.on("/eia", (_, reply) => {
    const data = [{period: "2026-11-23", duoarea: "NUS", product: "EPD2D", value: "3.811", units: "$/GAL"}];
    reply
      .writeHead(200, {"content-type": "application/json"})
      .end(JSON.stringify({response: {total: 1, data}}));
  });
  const outcomes = await night([keyed, shipped("diesel-bulk", "/PET.zip")], {
    ...{rawDir, now, environment: {CATTLE_EIA_KEY_FILE: "e"}, secrets: {e: "an-invented-key"}},
  });
  expect(outcomes.map(({status}) => status)).toEqual(["new", "not due"]);
});

test("gives up a bulk file that drips, and one that is large only when it is unpacked", async () => {
  const source = shipped("diesel-bulk", "/PET.zip");
  const zip = zipOf({"PET.txt": "x"});
  server.on("/PET.zip", (_, reply) => {
    let at = 0;
    const drip = setInterval(() => reply.write(zip.subarray(at, ++at)), 20);
    reply.writeHead(200).on("close", () => clearInterval(drip));
  });
  const retries = {retries: 0};
  const [slow] = await night([{...source, timeoutMs: 200}], {rawDir, now, retries});
  expect(slow).toMatchObject({
    status: "failed",
    reason: expect.stringMatching(/bytes in 200 ms are too few/),
  });
  const line = `{"series_id": "PET.EMD_EPD2D_PTE_NUS_DPG.W"}\n`;
  server.on(
    "/PET.zip",
    file(() => zipOf({"PET.txt": line.repeat(50_000)})),
  );
  const limits = {CATTLE_FETCH_FILE_GIB: 1 / 1024};
  const [large] = await night([source], {rawDir, now, retries, limits, areNamed: true});
  expect(large).toMatchObject({status: "failed", reason: expect.stringMatching(/larger than 1048576 bytes/)});
  expect(filesIn(rawDir)).toEqual([".fetch/diesel-bulk.json"]);
});
