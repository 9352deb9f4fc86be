import type {ParcelSet} from "../../lib/parcels/parcel-set.ts";
import type {Endpoint} from "../../server/http/endpoint.ts";
import type {Random} from "../server/parcels/invented-state.ts";

/** A request as sent; the path includes the query. */
export type GeneratedRequest = {
  readonly endpoint: Endpoint;
  readonly method: "GET" | "HEAD";
  readonly path: string;
};

type Series = {readonly random: Random; readonly sets: readonly ParcelSet[]};
/** One request: its row, and how often its values come from that row. */
type Making = {readonly random: Random; readonly set: ParcelSet; readonly row: number; readonly calm: number};

const words =
  "TX tx AZ MB ZZ OK Travis 48453 453 Nowhere 78757 85001 7875 0 1 10 100 101 -1 1.5 1e3 NaN 30.35 -97.73 90 181 0.25 2 2.1 agriculture vacant,mineral desert true false maybe active,closed unknown HARLOW LLC".split(
    " ",
  );
const hostile = [
  "",
  " ",
  "\u0000",
  "\u202eabc",
  "%",
  "%%25",
  "'; DROP TABLE parcels; --",
  "A".repeat(301),
  "9".repeat(400),
  "½ ÑÜß 中文 🐄",
  "1-1-1-1-1-1-1-1-1-1",
  "& & & & &",
  "1-99999999 MAIN ST",
  "#".repeat(60),
  "__proto__",
  "\ud83d",
  "../../etc/passwd",
  "<script>",
  "NORTH SOUTH EAST WEST N S E W ST ST ST",
];
const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,.#&-/'"];

/** A request of an endpoint: parameters from real rows, with errors, of the wrong kind, hostile, unknown or repeated. */
export function generatedRequest(endpoint: Endpoint, {random, sets}: Series): GeneratedRequest {
  const set = random.pick(sets);
  const making = {random, set, row: random.below(set.parcels.rows), calm: random.pick([0.4, 0.8, 0.97])};
  const known = Object.keys(endpoint.parameters.shape);
  const pairs: string[] = [];
  const add = (name: string, value: string) =>
    pairs.push(`${encoded(name)}=${random.next() < 0.01 ? value.replace(/[^\w]/g, "%") : encoded(value)}`);
  for (const name of known) if (random.next() < shareOf(name)) add(name, valueFor(name, making));
  if (random.next() < 0.05) add(random.pick(hostile), valueFor("x", making));
  if (random.next() < 0.03 && known.length > 0) add(random.pick(known), valueFor(random.pick(known), making));
  return {
    endpoint,
    method: random.next() < 0.03 ? "HEAD" : "GET",
    path: `${endpoint.path}${random.next() < 0.05 ? "/" : ""}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`,
  };
}

/** Share of requests with this parameter: nearly all if a lookup needs it. */
function shareOf(name: string): number {
  return ["address", "parcelId", "latitude", "longitude", "owner"].includes(name) ? 0.95 : 0.25;
}

function valueFor(name: string, making: Making): string {
  const {random} = making;
  if (random.next() < making.calm) return fromRow(name, making);
  const kind = random.next();
  if (kind < 0.5) return withError(fromRow(name, making), random);
  if (kind < 0.7) return random.pick(words);
  return kind < 0.9 ? random.pick(hostile) : noise(random);
}

const allowedWords: Readonly<Record<string, readonly string[]>> = {
  radius: ["0", "0.25", "1", "2"],
  limit: ["1", "10", "100", "101"],
  offset: ["0", "3", "50"],
  use: ["agriculture", "vacant,residential", "MINERAL"],
  residential: ["true", "false"],
  includeUnassignedAddress: ["true", "false"],
  status: ["active", "active,unverified", "closed"],
  firstName: ["D", "J", "ANNA"],
  unitNumberStripped: ["2B", "7"],
};
const columns: Readonly<Record<string, string>> = {
  address: "situs_raw",
  parcelId: "parcel_id",
  owner: "owner_name",
  nameContains: "owner_name",
  lastName: "owner_name",
  county: "county_key",
  city: "city",
  zip: "zip",
  zipCode: "zip",
};

/** The value of a parcel in the build for this name, or a word that some parameter accepts. */
function fromRow(name: string, {random, set: {parcels, state}, row}: Making): string {
  if (name === "state") return state;
  const near = (column: string) => String((parcels.number(column).at(row) ?? 0) + (random.next() - 0.5) / 50);
  if (name === "latitude" || name === "lat") return near("lat");
  if (name === "longitude" || name === "lon") return near("lon");
  const allowed = allowedWords[name];
  if (allowed !== undefined) return random.pick(allowed);
  const column = columns[name];
  if (column === undefined) return random.pick(words);
  const text = parcels.string(column).at(row) ?? random.pick(words);
  return name === "lastName" ? (text.split(" ")[0] ?? "") : text;
}

/** Changes a letter, drops a part, joins two texts, or lowercases. */
function withError(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  return random.pick([
    text.slice(0, at) + random.pick(letters) + text.slice(at + 1),
    text.slice(at),
    text.slice(0, at),
    `${text} ${random.pick(words)}`,
    `${text}, ${text}`,
    text.toLowerCase(),
  ]);
}

function noise(random: Random): string {
  return Array.from({length: random.below(60)}, () => String.fromCharCode(random.below(0x2ff))).join("");
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
