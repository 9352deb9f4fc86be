import type {TestServer} from "../server/server-fixture.ts";

/** Facts by which a published row can be looked up. */
export type AskedRow = {
  parcel_uid: string;
  parcel_id: string | null;
  /** The line as published, or its parts in a line where the source publishes parts alone. */
  line: string;
  situs_status: string;
  owner_name: string | null;
  lat: number | null;
  lon: number | null;
  county_key: string;
};

const PAGE = 100;
const DEEPEST = 10_000;

type Found = {status: number; uids: string[]; total: number};

/** Kinds of lookup that should have found this row but did not. Each query goes over HTTP as a client would send it. */
export async function missedKinds(server: TestServer, state: string, row: AskedRow): Promise<string[]> {
  const kinds: [string, boolean, () => Promise<boolean>][] = [
    ["id", row.parcel_id !== null, () => byId(server, state, row)],
    ["address", row.situs_status === "numbered", () => byAddress(server, state, row)],
    ["owner", row.owner_name !== null, () => byOwner(server, state, row)],
    ["location", row.lat !== null, () => byLocation(server, row)],
  ];
  const missed: string[] = [];
  for (const [kind, asked, find] of kinds) if (asked && !(await find())) missed.push(kind);
  return missed;
}

async function byId(server: TestServer, state: string, row: AskedRow): Promise<boolean> {
  const {status, uids} = await ask(server, "parcel-id-lookup", {
    parcelId: row.parcel_id!,
    state,
    county: row.county_key,
  });
  return status === 200 && uids[0] === row.parcel_uid;
}

/**
 * An address shared by several parcels is answered with candidates: this parcel must be among them, or among those not shown.
 */
async function byAddress(server: TestServer, state: string, row: AskedRow): Promise<boolean> {
  const {status, uids, total} = await ask(server, "address-lookup", {
    address: row.line,
    state,
    county: row.county_key,
  });
  return uids.includes(row.parcel_uid) || (status === 400 && total > uids.length);
}

function byOwner(server: TestServer, state: string, row: AskedRow): Promise<boolean> {
  const [owner = ""] = row.owner_name!.split("; ");
  return onSomePage(server, "owner-search", {owner, state, county: row.county_key}, row.parcel_uid);
}

function byLocation(server: TestServer, row: AskedRow): Promise<boolean> {
  const place = {latitude: row.lat!.toFixed(7), longitude: row.lon!.toFixed(7), radius: "0.05"};
  return onSomePage(server, "location-search", place, row.parcel_uid);
}

async function onSomePage(
  server: TestServer,
  lookup: string,
  values: Record<string, string>,
  uid: string,
): Promise<boolean> {
  for (let offset = 0; offset + PAGE <= DEEPEST; offset += PAGE) {
    const {uids, total} = await ask(server, lookup, {...values, limit: String(PAGE), offset: String(offset)});
    if (uids.includes(uid)) return true;
    if (offset + PAGE >= total) return false;
  }
  return false;
}

async function ask(server: TestServer, lookup: string, values: Record<string, string>): Promise<Found> {
  const reply = await server.get(`/public/land-agent/property/${lookup}?${new URLSearchParams(values)}`);
  const body = reply.json() as {
    property?: {parcelUid: string};
    properties?: {parcelUid: string}[];
    candidates?: {parcelUid: string}[];
    candidateTotal?: number;
    metadata?: {total?: number};
  };
  const listed = body.property === undefined ? (body.properties ?? body.candidates ?? []) : [body.property];
  return {
    status: reply.status,
    uids: listed.map(({parcelUid}) => parcelUid),
    total: body.metadata?.total ?? body.candidateTotal ?? listed.length,
  };
}
