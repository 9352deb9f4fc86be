import {createHash} from "node:crypto";
import {createServer, type IncomingMessage, type RequestListener, type ServerResponse} from "node:http";
import {createServer as createSecureServer} from "node:https";
import type {AddressInfo, Server} from "node:net";
import {counties, countyOf} from "../lib/geography/counties.ts";
import {namesOf} from "../lib/parcels/conform/column-references.ts";
import {publisherOf} from "../server/cadastre/county-calls.ts";
import {type Door, type Layers, registeredLayers} from "../server/cadastre/county-layers.ts";
import {countyAsker} from "../test/server/cadastre/county-fixture.ts";
import {expiredCertificate} from "../test/server/cadastre/expired-certificate.ts";
import {pageOf, side} from "../test/server/cadastre/fake-arcgis.ts";
import {quantile} from "./figures.ts";
import {machineLine} from "./machine.ts";

/**
 * Which counties get an answer on a miss: each county of the United States is asked for one invented parcel, with the registry as
 * shipped. Every layer is played on loopback. A county's own layer is broken as often as those of the public survey of 2026-09-22 were, of
 * 1,022 layers, by the seed; the statewide ones work. First the first layer of a county is asked alone, then the next one, too.
 *
 *   node bench/misses.ts [seed] [every n-th county]      default: 49 and 10
 *
 * Exits with 1 if a miss took longer than its deadline.
 */
const surveyed = 1_022;
const faults = {gone: 142, "stale id": 31, token: 21, certificate: 20, slow: 38, refused: 37};
type Fault = keyof typeof faults;

const totalMs = 2_000;
const [seed = "49", every = "10"] = process.argv.slice(2);

/** The fault of a county's own layer, or null for one that works. */
function faultOf(id: string): Fault | null {
  const drawn = createHash("sha256").update(`${seed} ${id}`).digest().readUInt32BE() % surveyed;
  let below = 0;
  for (const [fault, count] of Object.entries(faults)) {
    below += count;
    if (drawn < below) return fault as Fault;
  }
  return null;
}

const idOf = ({source}: Door) =>
  source.cadastre.idField ??
  namesOf(source.ids !== undefined && !("none" in source.ids) ? source.ids.raw : undefined)[0] ??
  "PARCEL_ID";

/** Plays the layer of the path `/<fault>/<id field>/…`: it has one parcel in each county, whose number begins with the county's code. */
const listener: RequestListener = async (request, response) => {
  const [, fault, id = ""] = request.url!.split("/").map(decodeURIComponent);
  if (fault === "gone") response.writeHead(404).end();
  else if (fault === "refused") response.writeHead(403).end();
  else if (fault === "token") response.end('{"error":{"code":499,"message":"Token Required"}}');
  else if (fault !== "slow") await answer(request, response, fault === "stale id" ? "NEW_NUMBER" : id);
};

async function answer(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  if (!request.url!.endsWith("/query")) {
    const fields = ["OBJECTID", id].map((name, i) => ({
      name,
      type: i === 0 ? "esriFieldTypeOID" : "esriFieldTypeString",
    }));
    const about = {
      name: "Parcels",
      type: "Feature Layer",
      geometryType: "esriGeometryPolygon",
      maxRecordCount: 1000,
    };
    response.end(JSON.stringify({...about, fields, extent: {spatialReference: {wkid: 4326}}}));
    return;
  }
  const where = new URLSearchParams(Buffer.concat(parts).toString()).get("where") ?? "";
  const fips = /R(\d{5})777/.exec(where.replace(/[^R\d]/g, ""))?.[1] ?? "";
  const point = countyOf(fips)?.point;
  const row = (at: {lat: number; lon: number}) => ({
    attributes: {OBJECTID: 1, [id]: `R${fips}777`},
    west: at.lon - side / 2,
    south: at.lat - side / 2,
  });
  response.end(JSON.stringify(pageOf(point === undefined ? [] : [row(point)])));
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "0.0.0.0", done));
  return (server.address() as AddressInfo).port;
}

const [plain, secure] = [createServer(listener), createSecureServer(expiredCertificate(), listener)];
const [port, securePort] = [await portOf(plain), await portOf(secure)];
/** Each publisher has an address of its own, so that breakers and slots are those of real hosts. */
const publishers = new Map<string, string>();

function played(door: Door): Door {
  const {source} = door;
  const publisher = publisherOf(source.cadastre.url);
  const n = publishers.size + 1;
  const address = publishers.get(publisher) ?? `127.1.${n >> 8}.${n & 255}`;
  publishers.set(publisher, address);
  const fault = source.coverage.counties === "all" ? null : faultOf(source.id);
  const host = fault === "certificate" ? `https://${address}:${securePort}` : `http://${address}:${port}`;
  const url = `${host}/${encodeURIComponent(fault ?? "good")}/${encodeURIComponent(idOf(door))}/${source.id}/FeatureServer/0`;
  return {...door, source: {...source, cadastre: {...source.cadastre, url}}};
}

const registered = registeredLayers({});
const asked = counties().filter((_, i) => i % Number(every) === 0);

/** Asks all counties; `doors` is the number of layers that may be asked for one. */
async function askAll(doors: number) {
  const layers: Layers = {forCounty: (county) => registered.forCounty(county).map(played).slice(0, doors)};
  const {ask, close} = countyAsker([], {
    layers,
    totalMs,
    callMs: totalMs,
    clock: () => performance.now(),
  });
  const statuses: string[] = [];
  const times: number[] = [];
  for (const {fips, state} of asked) {
    const began = performance.now();
    const {json} = await ask("parcel", {parcelId: `R${fips}777`, state, county: fips});
    times.push(performance.now() - began);
    const body = json as {metadata?: {lookup?: Said}; lookup?: Said};
    statuses.push((body.metadata?.lookup ?? body.lookup)?.cadastreStatus ?? "?");
  }
  await close();
  return {statuses, times: times.toSorted((a, b) => a - b)};
}
type Said = {cadastreStatus: string};

console.log(machineLine());
const doors = asked.map(({fips, state}) =>
  registered.forCounty({country: "US", state, key: fips}).map(played),
);
const brokenOwn = doors.filter(
  ([own]) => own !== undefined && own.source.cadastre.url.includes("/good/") === false,
);
console.log(
  `${asked.length} counties; ${doors.filter(({length}) => length > 0).length} have a layer, ${brokenOwn.length} a broken one of their own, ` +
    `${brokenOwn.filter(({length}) => length > 1).length} of these another one behind it; seed ${seed}`,
);
let late = 0;
for (const [name, number] of [
  ["first layer alone", 1],
  ["next layer, too", 2],
] as const) {
  const {statuses, times} = await askAll(number);
  const found = statuses.filter((status) => status === "found").length;
  const counts = [...Map.groupBy(statuses, (status) => status)].map(
    ([status, all]) => `${status} ${all.length}`,
  );
  console.log(
    `${name}: ${found} of ${asked.length} counties answer (${((100 * found) / asked.length).toFixed(1)} %): ${counts.sort().join(", ")}; ` +
      `median ${Math.round(quantile(times, 0.5))} ms, slowest ${Math.round(times.at(-1)!)} ms of ${totalMs} ms`,
  );
  late += times.filter((ms) => ms > totalMs + 500).length;
}
plain.closeAllConnections();
secure.closeAllConnections();
plain.close();
secure.close();
if (late > 0) {
  console.error(`${late} misses took longer than their deadline`);
  process.exitCode = 1;
}
