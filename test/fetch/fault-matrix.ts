import {isIndispensable, mainNames, unmetByColumns} from "../../lib/parcels/conform/column-references.ts";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {zipOf} from "../../packages/parcel-files/test/write-zip.ts";
import {linesToMend} from "../../pipeline/commands/fetch-output.ts";
import type {Outcome} from "../../pipeline/fetch/fetch-states.ts";
import {type FetchSource, sourceOfParcels} from "../../pipeline/fetch/jobs/source-address.ts";
import {refusalOfSource} from "../../pipeline/parcels/datasets.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type LayerHabits, layer} from "./arcgis-world.ts";
import {playBulkFiles} from "./bulk-world.ts";
import {fileSource, night, quickRate} from "./fetched.ts";
import {marketWorld, playMarket} from "./market-world.ts";
import {playedSources} from "./played-sources.ts";
import {type Answer, changed, file, json, ReplayServer} from "./replay-server.ts";

/** What goes wrong at one source. */
export const faults = [
  "list gone",
  "first 500",
  "403",
  "optional column gone",
  "id renamed",
  "half a page",
  "HTML",
  "redirect",
  "key refused",
  "clock a day off",
] as const;
export type Fault = (typeof faults)[number];

/** A night with one fault at one source, beside a healthy one; null where the source has nothing that the fault could hit. */
export type Cell = {
  readonly source: string;
  readonly keyed: boolean;
  readonly fault: Fault;
  readonly outcome: Outcome;
  /** The healthy source of the same night. */
  readonly beside: Outcome;
  /** Lines of the night's report that name what a person can mend. */
  readonly lines: readonly string[];
};

const today = "2026-11-19";
const at = new Date("2026-11-20T05:30:00Z");
const tomorrow = new Date("2026-11-21T05:30:00Z");
/** Paths of each market feed, its list or first question first. */
const marketPaths: Readonly<Record<string, readonly string[]>> = {
  mars: ["/mars/reports", "/mars"],
  "ams-text": ["/texts/listCorrectedReports", "/texts/listPublishedReports", "/mnreports"],
  lmr: ["/lmr/reports"],
  nass: ["/nass/get_counts", "/nass/api_GET"],
  usdm: ["/usdm"],
  nws: ["/nws/alerts/active"],
  "nws-forecasts": ["/nws/points", "/nws/gridpoints"],
  diesel: ["/eia"],
  echo: [
    "/echo/cwa_rest_services.metadata",
    "/echo/cwa_rest_services.get_facilities",
    "/echo/cwa_rest_services.get_download",
  ],
  "nass-bulk": ["/datasets/", "/datasets/qs.animals", "/datasets/qs.crops"],
  "diesel-bulk": ["/PET.zip"],
};

/** The parcel entries that a default night asks: those with an address whose publishers allow it. */
function parcelEntries(): ParcelSource[] {
  return loadParcelSources().filter(
    (entry) => sourceOfParcels(entry) !== null && refusalOfSource(entry) === null,
  );
}

/** Ids of all sources of the matrix: the feeds of the market, and the parcel entries. */
export function matrixSources(): string[] {
  return [...Object.keys(marketPaths), ...parcelEntries().map(({id}) => id)];
}

/** Plays one night with a fault. */
export async function playCell(id: string, fault: Fault): Promise<Cell | null> {
  await using server = await ReplayServer.start();
  server.on(
    "/healthy.csv",
    file(() => Buffer.from("name,city\nInvented Stock Yard,Nowhere\n"), {type: "text/csv"}),
  );
  const entry = parcelEntries().find((each) => each.id === id);
  const source = entry === undefined ? playFeed(server, id, fault) : playParcels(server, entry, fault);
  if (source === null) return null;
  const options = {
    rawDir: temporaryFolder(),
    retries: {retries: 1, firstPauseMs: 1, serverErrorPauseMs: 1},
    environment: {CATTLE_MARS_KEY_FILE: "m", CATTLE_QUICKSTATS_KEY_FILE: "n", CATTLE_EIA_KEY_FILE: "e"},
    secrets: keysOf(),
  };
  const sources = [source, fileSource(`${server.origin}/healthy.csv`)];
  if (fault === "clock a day off") await night(sources, {...options, now: tomorrow});
  const [outcome, healthy] = (await night(sources, {...options, now: at})) as [Outcome, Outcome];
  const lines = linesToMend([outcome]);
  return {source: id, keyed: source.key !== null, fault, outcome, beside: healthy, lines};
}

function keysOf(): Record<string, string> {
  const {mars, nass, eia} = marketWorld(today).keys;
  return {m: mars, n: nass, e: eia};
}

function playFeed(server: ReplayServer, id: string, fault: Fault): FetchSource | null {
  playMarket(server, marketWorld(today));
  const [source] = playedSources(server.origin, id) as [FetchSource];
  const [list, ...further] = marketPaths[id] as [string, ...string[]];
  if (fault === "key refused" && source.key === null) return null;
  if (fault === "list gone") server.on(list, status(404));
  else if (fault === "optional column gone" || fault === "id renamed") {
    const {[id]: name} = fault === "id renamed" ? renamedIds : optionalMembers;
    if (name === undefined) return null;
    const rename = (text: string) => text.replaceAll(name, name.startsWith('"') ? '"Renamed"' : "Renamed");
    for (const path of [list, ...further]) server.on(path, changed(server.answerOf(path), rename));
    if (id === "nass-bulk") playBulkFiles(server, undefined, rename);
  } else {
    const apply = faultOf(fault);
    for (const path of [list, ...further]) server.on(path, apply(server.answerOf(path)));
  }
  return source;
}

/** The member by which each feed's answer is known, where the night itself reads it. */
const renamedIds: Readonly<Record<string, string>> = {
  mars: "slug_id",
  echo: "QueryID",
  diesel: '"data"',
  nass: '"data"',
  "nass-bulk": "YEAR",
  usdm: "MapDate",
  nws: '"features"',
  "nws-forecasts": '"forecast"',
};

/** A member of each feed's rows without which a build can do. */
const optionalMembers: Readonly<Record<string, string>> = {
  mars: '"head_count"',
  lmr: '"head_count"',
  nass: '"unit_desc"',
  "nass-bulk": "CV_%",
  usdm: '"StatisticFormatID"',
  nws: '"title"',
  "nws-forecasts": '"windSpeed"',
  diesel: '"units"',
  echo: "PermitComponents",
};

function playParcels(server: ReplayServer, entry: ParcelSource, fault: Fault): FetchSource | null {
  if (fault === "key refused") return null;
  const base = sourceOfParcels(entry)!;
  const own = `/own/${entry.id}`;
  const hosts = new Set([new URL(server.origin).host]);
  const accept = {...entry.accept, minRows: 1};
  if (base.protocol === "arcgis") {
    const path = `${own}/FeatureServer/0`;
    const habits = habitsFor(entry, fault);
    if (habits === null) return null;
    const apply =
      fault === "list gone" || habits.renames !== undefined ? (same: Answer) => same : faultOf(fault);
    server.on(path, apply(layer(habits)));
    return {...base, url: `${server.origin}${path}`, hosts, rate: quickRate, entry: {...entry, accept}};
  }
  if (fault === "optional column gone" || fault === "id renamed") return null;
  const counties = entry.coverage.counties === "all" ? "all" : entry.coverage.counties.slice(0, 3);
  const suffix = counties === "all" ? "all.zip" : "{county}.zip";
  const archive = file(() => zipOf({"lots.csv": "PARCEL_ID\n1\n"}));
  server.on(own, faultOf(fault)(archive));
  server.on("/mirror", archive);
  const resources =
    counties === "all" ? [] : counties.map((county) => ({resource: `https://x/${county}.zip`}));
  server.on("/list", fault === "list gone" ? status(404) : json(() => ({next: null, results: resources})));
  const moved = {
    ...(entry.mirror === undefined ? {} : {mirror: `${server.origin}/mirror/${suffix}`}),
    ...(entry.fileList === undefined ? {} : {fileList: `${server.origin}/list`}),
  };
  if (fault === "list gone" && entry.fileList === undefined) server.on(own, status(404));
  return {
    ...{...base, url: `${server.origin}${own}/${suffix}`, hosts, rate: quickRate},
    entry: {...entry, ...moved, accept, coverage: {...entry.coverage, counties}},
  };
}

/** A layer of the entry's columns in three pages, with a fault of columns; null where it has no column of that sort. */
function habitsFor(entry: ParcelSource, fault: Fault): LayerHabits | null {
  const columns = mainNames(entry);
  const base: LayerHabits = {
    ...{rows: 60, maxRecordCount: 20},
    ...(entry.layerName === undefined ? {} : {name: entry.layerName}),
    attributes: (row) => Object.fromEntries(columns.map((name) => [name, `${name} ${row}`])),
  };
  if (fault === "list gone") return {...base, refusesCount: true};
  if (fault !== "id renamed" && fault !== "optional column gone") return base;
  const wanted = fault === "id renamed";
  const hit = columns.find((name) => {
    const unmet = unmetByColumns(
      entry,
      columns.filter((each) => each !== name),
    );
    const isId = unmet.some(({what}) => what === "ids.raw");
    return wanted
      ? isId
      : unmet.length > 0 && !unmet.some(isIndispensable) && name !== entry.cadastre?.idField;
  });
  return hit === undefined ? null : {...base, renames: {[hit]: "RENAMED"}};
}

function status(code: number): Answer {
  return (_, reply) => void reply.writeHead(code).end("no");
}

/** Puts a fault of the wire around an answer. */
function faultOf(fault: Fault): (answer: Answer) => Answer {
  switch (fault) {
    case "first 500":
      return oncePerPlace(status(500));
    case "403":
      return () => status(403);
    case "key refused":
      return () => status(401);
    case "HTML":
      return () => (_, reply) =>
        void reply
          .writeHead(200, {"content-type": "text/html"})
          .end("<!DOCTYPE html><html>maintenance</html>");
    case "redirect":
      return () => (_, reply) =>
        void reply.writeHead(302, {location: "https://elsewhere.example/login"}).end();
    case "half a page":
      return oncePerPlace((_, reply) => {
        reply.writeHead(200, {"content-type": "application/json", "content-length": "1000"});
        reply.write('{"features": [', () => setTimeout(() => reply.destroy(), 5));
      });
    default:
      return (answer) => answer;
  }
}

/** The fault for the first request of a place, the true answer afterwards. */
function oncePerPlace(fault: Answer): (answer: Answer) => Answer {
  let isOver = false;
  return (answer) => (request, reply) => {
    if (isOver) return answer(request, reply);
    isOver = true;
    return fault(request, reply);
  };
}
