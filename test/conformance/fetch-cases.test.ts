import {readFileSync} from "node:fs";
import {join} from "node:path";
import {afterAll, describe, expect, it} from "vitest";
import {counties} from "../../lib/geography/counties.ts";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import type {Outcome} from "../../pipeline/fetch/fetch-states.ts";
import {isNewer, listedReports} from "../../pipeline/fetch/jobs/report-list.ts";
import {sourceOfMarketFeed} from "../../pipeline/fetch/jobs/source-address.ts";
import {loadFeedFetches} from "../../pipeline/market/reference/market-sources.ts";
import {buildState} from "../../pipeline/parcels/build-state.ts";
import {registeredLayers} from "../../server/cadastre/county-layers.ts";
import {playCell} from "../fetch/fault-matrix.ts";
import {night} from "../fetch/fetched.ts";
import {marketWorld, playMarket} from "../fetch/market-world.ts";
import {ReplayServer} from "../fetch/replay-server.ts";
import {writeWorldRegistry} from "../fetch/world-registry.ts";
import {parquetRows} from "../pipeline/parcels/parquet-rows.ts";
import {countyAsker, layerEntry} from "../server/cadastre/county-fixture.ts";
import {layerWithoutPages} from "../server/cadastre/layer-without-pages.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";
import {rawFilesOf} from "./two-source-state.ts";

const asOf = "2026-11-21";
const textOf = (path: string) => readFileSync(join(corpus!, "cases/fetch", path), "utf8");

/** What a case gives now in words, and whether that is right; `came` and `right` stand in the table of the corpus. */
type Case = {readonly name: string; readonly ask: () => Promise<readonly [now: string, isRight: boolean]>};

const cases: readonly Case[] = [
  {
    name: "ma-lot-units",
    async ask() {
      const entries = loadParcelSources().filter(({id}) => id === "us-ma-service");
      const files = await rawFilesOf({"us-ma-service": "cases/fetch/ma-lot-units/rows.geojson"});
      const outDir = temporaryFolder();
      await buildState({
        ...{state: "MA", country: "US", entries, files, base: null, outDir, asOf},
        tempDir: temporaryFolder(),
      });
      const acres = (await parquetRows<{acres: number | null}>(outDir)).map((row) => row.acres);
      const isQuarter = (each: number | null) => each !== null && Math.abs(each - 0.25) < 0.001;
      return [
        `${acres.length} rows of ${[...new Set(acres)].join(", ")} acres`,
        acres.length === 30 && acres.every(isQuarter),
      ];
    },
  },
  {
    name: "corrected-list-down",
    async ask() {
      const list = listedReports(textOf("corrected-list-down/corrected.txt"));
      const isRead = list?.reports.length === 0 && list.unread === 0;
      const {outcome} = (await playCell("ams-text", "list gone"))!;
      const {status, files, losses} = outcome;
      return [
        `${isRead ? "an empty list is read" : "an empty list is not read"}; without any: ${status}, ${files} documents, ${losses.join("; ")}`,
        isRead && status === "new" && files > 0 && /^corrections unknown since/.test(losses.join()),
      ];
    },
  },
  {
    name: "index-v31",
    async ask() {
      const list = listedReports(textOf("index-v31/index.txt"));
      const [report] = list?.reports ?? [];
      const published = new Date(report?.publishedMs ?? 0).toISOString();
      return [
        `published ${published}, document ${report?.document}, title ${report?.title}`,
        list?.unread === 0 &&
          published.startsWith("2026-11-25T22:45:31") &&
          report?.document === "https://www.ams.usda.gov/mnreports/ams_2057.pdf" &&
          isNewer(report, "2026-11-25T08:00:00Z"),
      ];
    },
  },
  {
    name: "no-paging-on-miss",
    async ask() {
      const layer = await layerWithoutPages(false);
      const {ask, close} = countyAsker([layerEntry(layer.url)]);
      const {json} = await ask("parcel", {parcelId: "R-100-1", state: "TX", county: "Brazos"});
      await close();
      layer.close();
      const {lookup} = (json as {metadata: {lookup: {cadastreStatus: string}}}).metadata;
      return [lookup.cadastreStatus, lookup.cadastreStatus === "found"];
    },
  },
  {
    name: "bad-mars-key",
    async ask() {
      await using server = await ReplayServer.start();
      playMarket(server, marketWorld("2026-11-19"));
      const registry = temporaryFolder();
      writeWorldRegistry(registry, server.origin);
      const feeds = loadFeedFetches(`${registry}/market.json`).map(sourceOfMarketFeed);
      const [mars, printed] = (await night(
        ["mars", "ams-text"].map((id) => feeds.find((feed) => feed.id === id)!),
        {
          ...{rawDir: temporaryFolder(), now: new Date("2026-11-20T05:30:00Z")},
          ...{environment: {CATTLE_MARS_KEY_FILE: "m"}, secrets: {m: "expired"}},
        },
      )) as [Outcome, Outcome];
      return [
        `mars ${mars.status}; ams-text ${printed.status}, ${printed.files} documents`,
        mars.status === "key refused" && printed.status === "new" && printed.files > 0,
      ];
    },
  },
  {
    name: "optional-column-gone",
    async ask() {
      const {outcome} = (await playCell("us-wi-statewide", "optional column gone"))!;
      return [
        `${outcome.status}, ${outcome.files} pages; lacks ${outcome.losses.join("; ")}`,
        outcome.status === "new" && outcome.losses.length === 1,
      ];
    },
  },
  {
    name: "mt-miss-dead-host",
    async ask() {
      const montana = counties().filter(({state}) => state === "MT");
      const hosts = montana.map(({fips}) => doorsOf("MT", fips).map((door) => new URL(door).host)[0]);
      const [host, ...others] = new Set(hosts);
      return [
        `${montana.length} counties ask ${host}`,
        montana.length === 56 && host === "gisservice.mt.gov" && others.length === 0,
      ];
    },
  },
  {
    name: "alcona-allegan",
    async ask() {
      const doors = [...doorsOf("MI", "26001"), ...doorsOf("WV", "54047")];
      const foreign = doors.filter((door) => /allegan|marshall/i.test(door));
      return [`${foreign.length} layers of another county`, foreign.length === 0];
    },
  },
];

/** Addresses of the layers that a miss in a county asks. */
function doorsOf(state: string, key: string): string[] {
  return registeredLayers({})
    .forCounty({country: "US", state, key})
    .map(({source}) => source.cadastre.url);
}

it.skipIf(corpus === null)("each case of fetching is asked", () => {
  const readme = readFileSync(join(corpus!, "cases/README.md"), "utf8");
  const section = readme.split("\n## ").find((part) => part.startsWith("fetch\n"))!;
  const names = [...section.matchAll(/^\| ([a-z0-9-]+) \|/gm)].map(([, name]) => name!);
  expect(cases.map(({name}) => name).sort()).toEqual(names.filter((name) => name !== "case").sort());
});

describe.skipIf(corpus === null)("cases of fetching", {timeout: 60_000}, () => {
  const table: string[] = [];
  afterAll(() => {
    process.stdout.write(`| case | came | now | right |\n| --- | --- | --- | --- |\n${table.join("\n")}\n`);
  });
  it.each(cases)("$name", async ({name, ask}) => {
    const [now, isRight] = await ask();
    const line = readFileSync(join(corpus!, "cases/README.md"), "utf8")
      .split("\n")
      .find((each) => each.startsWith(`| ${name} |`));
    const [came = "", right = ""] = line?.split(" | ").slice(4) ?? [];
    table.push(`| ${name} | ${came} | ${now} | ${right.replace(/ \|$/, "")} |`);
    expect(isRight, now).toBe(true);
  });
});
