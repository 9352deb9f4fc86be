import type {JoinedRows} from "../../lib/conform/sources.ts";
import {type Database, sqlName} from "../../lib/duckdb.ts";
import {parcelColumns} from "../../schemas/parcel-columns.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {StateMade} from "../../schemas/part-file.ts";
import type {StagedFile} from "./stage-entry.ts";

/** An entry whose rows are in the state. */
export type AcceptedEntry = {
  readonly entry: ParcelSource;
  readonly table: string;
  /** Its files are the whole of the source. */
  readonly complete: boolean;
  readonly joined: readonly JoinedRows[];
  readonly files: readonly StagedFile[];
};

type CountyRow = {
  county_key: string;
  county_name: string;
  source_id: string;
  n: bigint;
  vintage: string | null;
};

/** What the manifest says of a state's rows. Shares have 6 decimals. */
export async function stateFacts(
  db: Database,
  table: string,
  accepted: readonly AcceptedEntry[],
): Promise<Omit<StateMade, "files">> {
  const fills = parcelColumns
    .filter(({name}) => !name.startsWith("prov_"))
    .map(
      ({name}) =>
        `coalesce(round(count(${sqlName(name)}) / nullif(count(*), 0)::DOUBLE, 6), 0) AS ${sqlName(name)}`,
    );
  const [fill] = await db.rows<Record<string, number>>(`SELECT ${fills.join(", ")} FROM ${sqlName(table)}`);
  const [counts] = await db.rows<{n: bigint; points: bigint}>(
    `SELECT count(*) AS n, count(lon) AS points FROM ${sqlName(table)}`,
  );
  const rows = await db.rows<CountyRow>(
    `SELECT county_key, county_name, source_id, count(*) AS n, max(vintage) AS vintage
     FROM (SELECT county_key, max(county_name) OVER (PARTITION BY county_key) AS county_name, p.source_id, p.vintage
       FROM ${sqlName(table)} t JOIN provenance p ON p.provenance_id = t.prov_default)
     GROUP BY county_key, county_name, source_id ORDER BY county_key, source_id`,
  );
  const completeOf = new Map(accepted.map(({entry, complete}) => [entry.id, complete]));
  return {
    rows: Number(counts!.n),
    pointCount: Number(counts!.points),
    counties: countiesOf(rows, completeOf),
    sources: accepted.map(({entry, complete}) => ({
      id: entry.id,
      vintage: newest(rows.filter(({source_id}) => source_id === entry.id)),
      complete,
    })),
    fill: fill!,
  };
}

function countiesOf(
  rows: readonly CountyRow[],
  completeOf: ReadonlyMap<string, boolean>,
): StateMade["counties"] {
  const byKey = Map.groupBy(rows, ({county_key}) => county_key);
  return [...byKey].map(([county_key, own]) => ({
    county_key,
    county_name: own[0]!.county_name,
    rows: own.reduce((sum, {n}) => sum + Number(n), 0),
    complete: own.some(({source_id}) => completeOf.get(source_id) === true),
    vintage: newest(own),
    sources: own.map(({source_id}) => source_id),
  }));
}

function newest(rows: readonly CountyRow[]): string | null {
  const vintages = rows.flatMap(({vintage}) => (vintage === null ? [] : [vintage])).sort();
  return vintages.at(-1) ?? null;
}
