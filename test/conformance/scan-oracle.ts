import {join} from "node:path";
import {parseAddress} from "@open-cattle/us-address";
import {findAddress} from "../../lib/parcels/matching/address-match.ts";
import {findAround} from "../../lib/parcels/matching/location-match.ts";
import {findOwners} from "../../lib/parcels/matching/owner-match.ts";
import {findParcelId} from "../../lib/parcels/matching/parcel-id-match.ts";
import {parcelIdReadings} from "../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import type {ParcelSet} from "../../lib/parcels/parcel-set.ts";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import {openDatabase, sqlText} from "../../lib/sql/duckdb.ts";

/** A question with the answers of index and scan; if they differ, the index is wrong. */
export type Difference = {question: string; index: string; scan: string};

type Scan = {question: string; uids: string[]};

const MILES = 0.05;

/** Great-circle miles in SQL, R = 3958.7613. */
const haversine = `2 * 3958.7613 * asin(sqrt(pow(sin(radians(p.lat - q.lat) / 2), 2)
  + cos(radians(q.lat)) * cos(radians(p.lat)) * pow(sin(radians(p.lon - q.lon) / 2), 2)))`;

/** Gives the answers of a plain DuckDB scan of the Parquet file to `count` questions made from rows drawn by a fixed seed. */
const scans = {
  id: `SELECT q.parcel_id AS question, list(p.parcel_uid ORDER BY p.parcel_uid) AS uids FROM asked q JOIN p ON p.parcel_id = q.parcel_id GROUP BY ALL`,
  address: `SELECT q.line AS question, list(p.parcel_uid ORDER BY p.parcel_uid) AS uids FROM asked q JOIN p ON p.situs_status = 'numbered'
    AND p.line = q.line GROUP BY ALL`,
  owner: `SELECT q.words AS question, list(p.parcel_uid ORDER BY p.parcel_uid) AS uids FROM asked q JOIN p ON list_has_all(p.owner_tokens, q.owner_tokens) GROUP BY ALL`,
  place: `SELECT q.lat || ',' || q.lon AS question, list(p.parcel_uid ORDER BY p.parcel_uid) AS uids FROM asked q JOIN p ON ${haversine} <= ${MILES} GROUP BY ALL`,
} as const;
export type ScanKind = keyof typeof scans;

const has: Readonly<Record<ScanKind, string>> = {
  id: "parcel_id IS NOT NULL",
  address: "situs_status = 'numbered' AND situs_unit IS NULL",
  owner: "len(owner_tokens) > 1",
  place: "lat IS NOT NULL",
};

/** The questions on which index and scan differ; `count` questions are asked, fewer where the file has fewer rows. */
export async function differences(
  set: ParcelSet,
  folder: string,
  kind: ScanKind,
  count: number,
): Promise<{asked: number; differences: Difference[]}> {
  const db = await openDatabase();
  await db.run(`CREATE TABLE p AS SELECT *, concat_ws(' ', situs_number, situs_fraction, situs_pre, situs_name, situs_type, situs_post, situs_unit) AS line,
    array_to_string(owner_tokens, ' ') AS words FROM read_parquet(${sqlText(join(folder, "tables/parcels/*/parcels.parquet"))}, hive_partitioning = false)`);
  await db.run(
    `CREATE TABLE asked AS SELECT * FROM p WHERE ${has[kind]} ORDER BY md5(parcel_uid) LIMIT ${count}`,
  );
  const answers = await db.rows<Scan>(scans[kind]);
  const [total] = await db.rows<{n: number}>("SELECT count(*)::INTEGER AS n FROM asked");
  db.close();
  const found = answers.map(({question, uids}) => ({
    question,
    index: byIndex(set, kind, question).join(" "),
    scan: uids.join(" "),
  }));
  return {asked: total!.n, differences: found.filter(({index, scan}) => index !== scan)};
}

function byIndex(set: ParcelSet, kind: ScanKind, question: string): string[] {
  const rows = rowsByIndex(set, kind, question);
  return rows.map((row) => set.parcels.text("parcel_uid").at(row)!).sort();
}

const everything = {use: null, residential: null, offset: 0, limit: 1_000_000};

function rowsByIndex(set: ParcelSet, kind: ScanKind, question: string): number[] {
  if (kind === "id") {
    const hits = findParcelId([set], {readings: parcelIdReadings(question), counties: null});
    return hits.filter(({match}) => match.level === 0 && !match.alternate).map(({row}) => row);
  }
  if (kind === "address") {
    const address = {...parseAddress(question, {state: set.state}), raw: question};
    return findAddress(set, {address, counties: null})
      .filter(({match}) => match.type !== "fuzzy")
      .map(({row}) => row);
  }
  if (kind === "owner") {
    const page = findOwners(
      [set],
      {words: {tokens: question.split(" ")}, counties: null, ...everything},
      registeredSource,
    );
    return page.hits.filter(({match}) => match.type !== "fuzzy").map(({row}) => row);
  }
  const [lat, lon] = question.split(",").map(Number) as [number, number];
  return findAround([set], {point: {lat, lon}, radiusMiles: MILES, withUnaddressed: true, ...everything})
    .hits.filter(({contains, miles}) => !contains || miles <= MILES)
    .map(({row}) => row);
}
