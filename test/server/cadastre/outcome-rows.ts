import type {CadastreSource} from "../../../schemas/parcel-source.ts";
import {brazos, inventedRows} from "./county-fixture.ts";
import {type Misbehaviour, pageOf, side} from "./fake-arcgis.ts";

/** The lookups, as their paths begin. */
export type Kind = "address" | "parcel-id" | "location" | "owner";
export type Question = Record<string, string>;

/** The parts of an answer besides its parcels. Headers that are not named are absent. */
export type Answered = {
  status: number;
  slug?: string;
  error?: string;
  lookup: Record<string, unknown> | undefined;
  retryAfter?: string;
  cacheControl: string;
};

/** One row of the outcome table: the behaviour of the county, and the answer of each lookup that can meet it. */
export type Outcome = {
  when: string;
  county?: Misbehaviour;
  entry?: Partial<CadastreSource>;
  /** Questions for other parcels that are answered before the question of the row, or that wait at the same time. */
  others?: {count: number; beside?: true};
  ask: Partial<Record<Kind, Question>>;
  single?: Answered;
  search?: Answered;
};

export const place = {state: "TX", county: "Brazos"};
const point = {
  latitude: String(brazos.lat + side / 4),
  longitude: String(brazos.lon + side / 4),
  radius: "0",
};
const singles = {
  address: {address: "101 Oakvale Rd", ...place},
  "parcel-id": {parcelId: "R-100-1", ...place},
};
const searches = {location: point, owner: {owner: "Helga Quistad", ...place}};
const all = {...singles, ...searches};

const noPlace = {
  address: {address: "999 Oakvale Rd", ...place},
  "parcel-id": {parcelId: "R-999-9", ...place},
  location: {...point, latitude: String(brazos.lat + side * 3)},
  owner: {owner: "Quist Orla", ...place},
};
const otherCounty = {
  address: {...singles.address, county: "48043"},
  "parcel-id": {...singles["parcel-id"], county: "48043"},
  location: {latitude: "29.8", longitude: "-103.3"},
  owner: {...searches.owner, county: "48043"},
};
const noCounty = {
  address: {address: "101 Oakvale Rd", state: "TX"},
  "parcel-id": {parcelId: "R-100-1", state: "TX"},
  location: {latitude: "25", longitude: "-140"},
};
/** An address has no such value: its house number can always be sent. */
const notSendable = {
  "parcel-id": {parcelId: "R".repeat(41), ...place},
  owner: {owner: "Q".repeat(101), ...place},
};

const unanswered =
  "The county service did not answer; this is not a statement that the parcel does not exist.";
const notThere = "No such parcel in the dataset or at the county service.";
const noService =
  "No such parcel in the dataset, and no service of its county is registered, so that no county can be asked.";
const unsuited =
  "No such parcel in the dataset, and the county's service cannot answer this kind of question.";
const noCountyNamed =
  "No such parcel in the dataset, and nothing says which county to ask. Add a county, city or ZIP.";

const says = (slug: string, cadastreStatus: string, error: string): Answered => ({
  status: slug === "cadastre-unavailable" ? 503 : 404,
  slug,
  error,
  lookup: {origin: slug === "parcel-not-covered" ? "dataset" : "cadastre", cadastreStatus},
  cacheControl: "no-store",
});
const unavailable = (cadastreStatus: string, retryAfter: string): Answered => ({
  ...says("cadastre-unavailable", cadastreStatus, unanswered),
  retryAfter,
});
const found = (kept: Record<string, unknown>): Answered => ({
  status: 200,
  lookup: {origin: "cadastre", cadastreStatus: "found", ...kept},
  cacheControl: "no-store",
});
/** A search without a hit; a client may keep its answer only when no county has or can have a part in it. */
const short = (cadastreStatus: string, cacheControl = "no-store"): Answered => ({
  status: 200,
  lookup: {origin: "dataset", cadastreStatus},
  cacheControl,
});
/** Both kinds of lookups at a county that fails. */
const failing = (cadastreStatus: string, retryAfter: string) => ({
  single: unavailable(cadastreStatus, retryAfter),
  search: short(cadastreStatus),
});

const sends =
  (status: number, text = "", headers: Record<string, string> = {}): Misbehaviour =>
  (response, {isQuery}) => {
    if (isQuery) response.writeHead(status, headers).end(text);
    return isQuery;
  };
export const hangs: Misbehaviour = (_response, {isQuery}) => isQuery;
const asksToWait = (seconds: number) => sends(503, "", {"retry-after": String(seconds)});

const stored = found({persisted: true, sourceAdded: true});
const notStored = found({persisted: false});
const twice = inventedRows().map((row, i) => ({
  ...row,
  attributes: {...row.attributes, SITUS: "101 OAKVALE RD", APN: `R-7-${i}`},
}));

/**
 * The table of `docs/design/reliability.md` section 5, with the headers of its section 6 and the texts of
 * `docs/design/parcels.md` sections 7 and 12.
 */
export const table: Outcome[] = [
  {when: "it has the parcel", ask: all, single: stored, search: stored},
  {
    when: "its terms do not let the parcel be stored",
    entry: {terms: {store: false, redistributeOwners: true, bulk: false}},
    ask: all,
    single: notStored,
    search: notStored,
  },
  {
    when: "several of its parcels fit",
    county: sends(200, JSON.stringify(pageOf(twice))),
    ask: {address: singles.address},
    single: {
      status: 400,
      slug: "ambiguous-parcel",
      error: "3 parcels match. Add the directional, unit, city or ZIP that tells them apart.",
      lookup: undefined,
      cacheControl: "no-store",
    },
  },
  {
    when: "it has no such parcel",
    ask: noPlace,
    single: says("parcel-not-found", "empty", notThere),
    search: short("empty"),
  },
  {when: "it answers 500", county: sends(500), ask: all, ...failing("unavailable", "30")},
  {when: "it asks for 20 s", county: asksToWait(20), ask: all, ...failing("unavailable", "20")},
  {when: "it asks for 1 s", county: asksToWait(1), ask: all, ...failing("unavailable", "5")},
  {when: "it asks for a day", county: asksToWait(86_400), ask: all, ...failing("unavailable", "60")},
  {when: "it hangs", county: hangs, ask: all, ...failing("timeout", "30")},
  {
    when: "it failed five times",
    county: sends(500),
    others: {count: 5},
    ask: all,
    ...failing("paused", "30"),
  },
  {
    when: "it asked for 20 s a moment ago",
    county: asksToWait(20),
    others: {count: 1},
    ask: all,
    ...failing("paused", "20"),
  },
  {
    when: "four others hang there",
    county: hangs,
    others: {count: 4, beside: true},
    ask: all,
    ...failing("paused", "30"),
  },
  {when: "it sends HTML", county: sends(200, "<html>"), ask: all, ...failing("rejected", "30")},
  {
    when: "no service of it is registered",
    ask: otherCounty,
    single: says("parcel-not-covered", "unsupported", noService),
    search: short("unsupported", "private, no-cache"),
  },
  {
    when: "the value may not be sent",
    ask: notSendable,
    single: says("parcel-not-covered", "unsupported", unsuited),
    search: short("unsupported", "private, no-cache"),
  },
  {
    when: "nothing says which it is",
    ask: noCounty,
    single: says("parcel-not-covered", "county_unknown", noCountyNamed),
    search: short("county_unknown", "private, no-cache"),
  },
];
