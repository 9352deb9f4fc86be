import {createHash} from "node:crypto";
import {createServer, type IncomingMessage, type RequestListener} from "node:http";
import {createServer as createSecureServer} from "node:https";
import type {AddressInfo, Server} from "node:net";
import {type County, counties, countyOf} from "../../../lib/geography/counties.ts";
import {namesOf} from "../../../lib/parcels/conform/column-references.ts";
import {surveyedStates} from "../../../pipeline/fetch/jobs/known-sources.ts";
import {publisherOf} from "../../../server/cadastre/county-calls.ts";
import {type Door, registeredLayers} from "../../../server/cadastre/county-layers.ts";
import {countyAsker} from "./county-fixture.ts";
import {expiredCertificate} from "./expired-certificate.ts";
import {pageOf, side} from "./fake-arcgis.ts";

/**
 * How the layers were broken that did not answer in the public survey of 2026-09-22, of 1,022 in the United States; of 75 of them it does
 * not say how, and they are played as silent or refusing.
 */
const faults = {gone: 142, "stale id": 31, token: 21, certificate: 20, silent: 38, refused: 37};
type Fault = keyof typeof faults;
/** Counties of the survey with a broken layer of their own: those with a layer of their state behind it, and those without. */
const brokenOwn = {"broken, statewide behind": 132, "broken, nothing behind": 121};
/** Counties whose layer of their own the survey names: its server asks for a token. */
const named: Readonly<Record<string, Fault>> = {
  ...{"45003": "token", "45049": "token", "45069": "token", "45087": "token"},
};
/** States whose statewide layer did not answer before: a host that is gone, and a layer that refuses to be told how many rows to send. */
const deadBefore: Readonly<Record<string, "gone" | "no paging">> = {MT: "gone", NV: "no paging"};

const kinds = [
  ...["own layer works", "broken, statewide behind", "broken, nothing behind"],
  ...["statewide alone", "statewide, dead before", "no layer"],
] as const;
/** What a county has to be asked. */
type Kind = (typeof kinds)[number];
/** A county in the plays, and what its own layer does in place of answering. */
type Played = {readonly county: County; readonly kind: Kind; readonly fault: Fault | null};

/** What came of a question to each county: whether its parcel was found, and how long that took. */
type Result = {readonly kind: Kind; readonly isFound: boolean; readonly ms: number};

const layers = registeredLayers({});
const doorsOf = ({state, fips}: County) => layers.forCounty({country: "US", state, key: fips});
const isOwn = (door: Door) => door.source.coverage.counties !== "all";

function bySeed<T>(items: readonly T[], seed: string, keyOf: (item: T) => string): T[] {
  const digest = (item: T) =>
    createHash("sha256")
      .update(`${seed} ${keyOf(item)}`)
      .digest("hex");
  const ordered = items.map((item) => ({item, at: digest(item)}));
  return ordered.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({item}) => item);
}

/**
 * The counties of the states and of the District of Columbia, in an order that the seed decides. As many have a broken layer of their own
 * as in the survey, which names few of them: the others are drawn.
 */
export function playedCounties(seed: string): Played[] {
  const isSurveyed = new Set(surveyedStates.map(({state}) => state));
  const all = bySeed(
    counties().filter(({state}) => isSurveyed.has(state)),
    seed,
    ({fips}) => fips,
  );
  const firstNamed = all.toSorted(
    (a, b) => Number(named[b.fips] !== undefined) - Number(named[a.fips] !== undefined),
  );
  const left = {...brokenOwn};
  const broken = new Map<string, Kind>();
  for (const county of firstNamed) {
    const [first, next] = doorsOf(county);
    if (first === undefined || !isOwn(first)) continue;
    const kind = next === undefined ? "broken, nothing behind" : "broken, statewide behind";
    if (left[kind]-- > 0) broken.set(county.fips, kind);
  }
  const shares = Object.entries(faults).flatMap(([fault, count]) =>
    new Array<Fault>(count).fill(fault as Fault),
  );
  const drawn = bySeed([...shares.entries()], seed, ([i]) => String(i)).map(([, fault]) => fault);
  return all.map((county) => {
    const brokenKind = broken.get(county.fips);
    if (brokenKind === undefined) return {county, kind: wholeKindOf(county), fault: null};
    return {county, kind: brokenKind, fault: named[county.fips] ?? drawn.pop()!};
  });
}

function wholeKindOf(county: County): Kind {
  const [first] = doorsOf(county);
  if (first === undefined) return "no layer";
  if (isOwn(first)) return "own layer works";
  return deadBefore[county.state] === undefined ? "statewide alone" : "statewide, dead before";
}

/** Sums of what came of the counties of each kind, in the order of the kinds, and of all. */
export function sumsOf(results: readonly Result[]) {
  const sum = (kind: string, of: readonly Result[]) => ({
    ...{kind, counties: of.length, found: of.filter(({isFound}) => isFound).length},
    slowestMs: Math.round(Math.max(0, ...of.map(({ms}) => ms))),
  });
  const groups = kinds.map((kind) =>
    sum(
      kind,
      results.filter((result) => result.kind === kind),
    ),
  );
  return [...groups, sum("all", results)];
}

/** Plays the layers of these counties on loopback. Each publisher has an address of its own, so that breakers and slots are those of hosts. */
export class PlayedMisses {
  readonly #played: readonly Played[];
  readonly #faultOf: ReadonlyMap<string, Fault | null>;
  readonly #plain = createServer(listener);
  readonly #secure = createSecureServer(expiredCertificate(), listener);
  readonly #addresses = new Map<string, string>();
  #ports = {plain: 0, secure: 0};

  constructor(played: readonly Played[]) {
    this.#played = played;
    this.#faultOf = new Map(played.map(({county, fault}) => [county.fips, fault]));
  }

  /** Asks each county for one invented parcel; `before` asks the first layer alone, and the dead statewide layers do not answer. */
  async ask({
    before,
    totalMs,
    callMs = (totalMs * 5) / 8,
    atOnce,
  }: {
    before: boolean;
    totalMs: number;
    callMs?: number;
    atOnce: number;
  }): Promise<Result[]> {
    this.#ports = {plain: await portOf(this.#plain), secure: await portOf(this.#secure)};
    const forCounty = ({state, key}: {state: string; key: string}) =>
      doorsOf(countyOf(key)!)
        .map((door) => this.#placed(door, {state, key, before}))
        .slice(0, before ? 1 : undefined);
    const {ask, close} = countyAsker([], {
      ...{layers: {forCounty}, totalMs, callMs},
      clock: () => performance.now(),
    });
    const waiting = [...this.#played];
    const results: Result[] = [];
    const askInTurn = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const {county, kind} = next;
        const began = performance.now();
        const values = {parcelId: numberOf(county), state: county.state, county: county.fips};
        const {json} = await ask("parcel", values);
        const ms = performance.now() - began;
        const body = json as {metadata?: {lookup?: Said}; lookup?: Said};
        const isFound = (body.metadata?.lookup ?? body.lookup)?.cadastreStatus === "found";
        results.push({kind, isFound, ms});
      }
    };
    await Promise.all(Array.from({length: atOnce}, askInTurn));
    await close();
    for (const server of [this.#plain, this.#secure]) {
      server.closeAllConnections();
      server.close();
    }
    return results;
  }

  /** The layer at its place on loopback, `/<fault>/<id columns>/…`. */
  #placed(door: Door, {state, key, before}: {state: string; key: string; before: boolean}): Door {
    const {source} = door;
    const publisher = publisherOf(source.cadastre.url);
    const n = this.#addresses.size + 1;
    const address = this.#addresses.get(publisher) ?? `127.1.${n >> 8}.${n & 255}`;
    this.#addresses.set(publisher, address);
    const ofState = before ? deadBefore[state] : state === "NV" ? "no paging" : undefined;
    const fault = (isOwn(door) ? this.#faultOf.get(key) : ofState) ?? "good";
    const {plain, secure} = this.#ports;
    const host = fault === "certificate" ? `https://${address}:${secure}` : `http://${address}:${plain}`;
    const name = encodeURIComponent(before && fault === "no paging" ? "gone" : fault);
    const url = `${host}/${name}/${encodeURIComponent(idsOf(door))}/${source.id}-${isOwn(door) ? key : state}/FeatureServer/0`;
    return {...door, source: {...source, cadastre: {...source.cadastre, url}}};
  }
}
type Said = {cadastreStatus: string};

/** Columns in which a layer's rows have their number: the one that is asked, and those that are read. */
function idsOf({source: {cadastre, ids}}: Door): string {
  const read = ids === undefined || "none" in ids ? [] : namesOf(ids.raw);
  const names = new Set([cadastre.idField, ...read].filter((name) => name !== undefined));
  return names.size === 0 ? "PARCEL_ID" : [...names].join(",");
}

/** The invented parcel of a county. Oregon's layer tells the county by the first two digits: 01 is Baker, 36 Yamhill. */
function numberOf({state, fips}: Pick<County, "state" | "fips">): string {
  const prefix = state === "OR" ? String((Number(fips.slice(2)) + 1) / 2).padStart(2, "0") : "";
  return `${prefix}R${fips}777`;
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "0.0.0.0", done));
  return (server.address() as AddressInfo).port;
}

/** Plays each layer: it has one parcel in each county, whose number begins with the county's code. */
const listener: RequestListener = async (request, response) => {
  const [, fault, names = ""] = request.url!.split("/").map(decodeURIComponent);
  if (fault === "gone") response.writeHead(404).end();
  else if (fault === "refused") response.writeHead(403).end();
  else if (fault === "token") response.end('{"error":{"code":499,"message":"Token Required"}}');
  else if (fault !== "silent") {
    const [form, ids] = [await formOf(request), names.split(",")];
    if (!request.url!.endsWith("/query"))
      response.end(JSON.stringify(metadata(fault === "stale id" ? ["NEW_NUMBER"] : ids)));
    else if (fault === "no paging" && form.has("resultRecordCount")) response.end(noPaging);
    else response.end(JSON.stringify(rowsOf(form, ids)));
  }
};
const noPaging =
  '{"error":{"code":400,"message":"Failed to execute query.","details":["Pagination is not supported."]}}';

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new URLSearchParams(Buffer.concat(parts).toString());
}

function metadata(ids: readonly string[]) {
  return {
    ...{name: "Parcels", type: "Feature Layer", geometryType: "esriGeometryPolygon", maxRecordCount: 1000},
    fields: [
      {name: "OBJECTID", type: "esriFieldTypeOID"},
      ...ids.map((name) => ({name, type: "esriFieldTypeString"})),
    ],
    extent: {spatialReference: {wkid: 4326}},
  };
}

function rowsOf(form: URLSearchParams, ids: readonly string[]) {
  const fips = /R(\d{5})777/.exec((form.get("where") ?? "").replace(/[^R\d]/g, ""))?.[1] ?? "";
  const county = countyOf(fips);
  if (county === undefined) return pageOf([]);
  const {point} = county;
  const attributes = {OBJECTID: 1, ...Object.fromEntries(ids.map((id) => [id, numberOf(county)]))};
  return pageOf([{attributes, west: point.lon - side / 2, south: point.lat - side / 2}]);
}
