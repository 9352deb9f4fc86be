import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {type Database, openDatabase} from "../../../lib/sql/duckdb.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {type Asked, asker, generationOfStates} from "./lookup-fixture.ts";
import {type InventedParcel, writeState} from "./state-fixture.ts";

const point = {latitude: "33.5", longitude: "-98"};
const counties = {TX: ["48453", "48491", "48021"], OK: ["40001", "40003"]};

/** Parcels of one owner and one address in five counties, the numbers not in the order of their places. */
function parcelsOf(state: keyof typeof counties): InventedParcel[] {
  return Array.from({length: 23}, (_, i) => ({
    county: counties[state][i % counties[state].length]!,
    id: i < counties[state].length ? "77-7" : String((i * 7) % 23).padStart(3, "0"),
    owner: "HARLOW DALE",
    situs: "100 MAIN ST",
    lat: 33.5 + ((i * 5) % 23) / 2000,
    lon: -98 + (state === "OK" ? 0.001 : 0),
  }));
}

let ask: ReturnType<typeof asker>;
let db: Database;

beforeAll(async () => {
  const root = temporaryFolder();
  const written = {TX: parcelsOf("TX"), OK: parcelsOf("OK")};
  ask = asker(
    generationOfStates([
      await writeState(root, "TX", {parcels: written.TX}),
      await writeState(root, "OK", {parcels: written.OK}),
    ]),
  );
  db = await openDatabase();
  const values = Object.entries(written).flatMap(([state, parcels]) =>
    parcels.map(
      ({county, id, lat, lon}) => `('${state}', '${county}', '${id}', '${county}-${id}', ${lat}, ${lon})`,
    ),
  );
  await db.run(`CREATE TABLE p AS FROM (VALUES ${values.join(", ")}) t(state, county, id, uid, lat, lon)`);
});
afterAll(() => db.close());

type Kind = Parameters<typeof ask>[0];
type Candidates = {candidates: {parcelUid: string}[]; candidateTotal: number};

/** The parcels of an answer in its order, and how many there are in all. */
function shownIn({ok, json}: Asked): {uids: string[]; total: number} {
  if (ok) return {uids: json.properties.map(({parcelUid}) => parcelUid), total: json.metadata.total};
  const {candidates, candidateTotal} = json as unknown as Candidates;
  return {uids: candidates.map(({parcelUid}) => parcelUid), total: candidateTotal};
}

const miles = `2 * 3958.7613 * asin(sqrt(pow(sin(radians(lat - 33.5) / 2), 2)
  + cos(radians(33.5)) * cos(radians(lat)) * pow(sin(radians(lon + 98) / 2), 2)))`;
const inOrder = "ORDER BY state, county, replace(id, '-', ''), uid";

/** Candidates of an address that fit equally well come in the order of the rows in the file. */
const lookups: [Kind, Record<string, string>, string][] = [
  ["owner", {owner: "harlow dale"}, `FROM p ${inOrder}`],
  ["owner", {owner: "harlow dale", state: "TX"}, `FROM p WHERE state = 'TX' ${inOrder}`],
  ["near", {...point, radius: "0.5"}, `FROM p WHERE ${miles} <= 0.5 ORDER BY round(${miles}, 9), uid`],
  ["parcel", {parcelId: "77-7"}, `FROM p WHERE id = '77-7' ${inOrder}`],
  ["address", {address: "100 Main St", state: "OK"}, "FROM p WHERE state = 'OK' ORDER BY rowid"],
];

describe("pages", () => {
  it.each(lookups)(
    "of %s %o are together what SQL finds, in its order, with nothing twice",
    async (kind, values, sql) => {
      const wanted = (await db.rows<{uid: string}>(`SELECT uid ${sql}`)).map(({uid}) => uid);
      const whole = shownIn(await ask(kind, {...values, limit: "100"}));
      expect(wanted.length).toBeGreaterThan(4);
      expect(whole).toEqual({uids: wanted, total: wanted.length});
      for (const limit of [1, 4, 7]) {
        const pages: string[] = [];
        for (let offset = 0; offset < wanted.length; offset += limit) {
          const page = shownIn(await ask(kind, {...values, limit: String(limit), offset: String(offset)}));
          expect([page.total, page.uids.length]).toEqual([
            wanted.length,
            Math.min(limit, wanted.length - offset),
          ]);
          pages.push(...page.uids);
        }
        expect([limit, pages]).toEqual([limit, whole.uids]);
      }
    },
  );
});
