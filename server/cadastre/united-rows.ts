import {type GeometrySummary, summarizeOutline} from "../../lib/geography/geometry/summarize.ts";
import {outlineFromWkb} from "../../lib/geography/geometry/wkb.ts";
import {groupNames} from "../../lib/parcels/conform/groups.ts";
import type {ConformEntry} from "../../lib/parcels/conform/references.ts";
import {vintageColumn} from "../../lib/parcels/conform/vintage-sql.ts";
import {dedupe} from "../../lib/parcels/dedupe/dedupe.ts";
import {originColumn} from "../../lib/parcels/dedupe/dedupe-sql.ts";
import {blobBytes} from "../../lib/parcels/dedupe/repair-outline.ts";
import {type Database, sqlName} from "../../lib/sql/duckdb.ts";
import type {RowValue} from "../../lib/storage/arrow-file/write-rows.ts";

/** A row of a conformed table with the geometry of its feature. */
export type LocatedRow = {
  readonly row: Readonly<Record<string, RowValue>>;
  readonly geometry: GeometrySummary;
};

/**
 * Gives one row for each parcel of the rows of a reply, united as a build unites those of a file (`docs/design/parcels.md` sections
 * 5.1 and 5.4): the newest year wins whole, parts are one outline, and several accounts are flagged. Most replies have each parcel once.
 */
export async function unitedRows(
  db: Database,
  {table, entry, rows}: {table: string; entry: ConformEntry; rows: readonly LocatedRow[]},
): Promise<LocatedRow[]> {
  const byKey = Map.groupBy(rows, ({row}) => `${row["county_key"]} ${row["_key"]}`);
  const met = [...byKey.values()].filter((same) => same.length > 1).flat();
  if (met.length === 0) return [...rows];
  const united = await builtRows(db, {table, entry, rows: met.map(({row}) => Number(row["_row"]))});
  const parcels = united.map((parcel): LocatedRow => {
    const same = byKey.get(`${parcel["county_key"]} ${parcel["_key"]}`)!;
    const lead = same.find(({row}) => Number(row["_row"]) === Number(parcel["_row"]))!;
    const vintages = (["default", ...groupNames] as const).map((group) => [
      vintageColumn(group),
      ((parcel[originColumn(group)] ?? null) as string | null)?.replace(/^\S+ /, "") ?? null,
    ]);
    const row = {...lead.row, ...parcel, ...Object.fromEntries(vintages), _use: usedLine(same, lead)};
    return {row, geometry: geometryOf(parcel["_wkb"], lead)};
  });
  const isMet = new Set(met);
  return [...rows.filter((row) => !isMet.has(row)), ...parcels];
}

/** Unites rows of a conformed table in tables that are gone afterwards. */
async function builtRows(
  db: Database,
  {table, entry, rows}: {table: string; entry: ConformEntry; rows: readonly number[]},
): Promise<Record<string, RowValue>[]> {
  const [met, united] = [`${table}_met`, `${table}_united`];
  await db.run("BEGIN TRANSACTION");
  try {
    await db.run(
      `CREATE TABLE ${sqlName(met)} AS FROM ${sqlName(table)} WHERE _reject IS NULL AND _row IN (${rows.join(", ")})`,
    );
    await dedupe(db, [{entry, table: met}], united);
    return await db.rows<Record<string, RowValue>>(`FROM ${sqlName(united)} ORDER BY _row`);
  } finally {
    await db.run("ROLLBACK");
  }
}

/** The facts of the land use of the line with most acres or value, by which a build decides too; else those of the leading row. */
function usedLine(same: readonly LocatedRow[], lead: LocatedRow): RowValue {
  const lineOf = ({row}: LocatedRow) => Number(row["_use_line"] ?? -1);
  const known = same.filter(({row}) => (row["_use"] ?? null) !== null);
  const [first = lead] = known.includes(lead) ? [lead] : known;
  return known.reduce((best, next) => (lineOf(next) > lineOf(best) ? next : best), first).row["_use"] ?? null;
}

function geometryOf(wkb: unknown, {geometry}: LocatedRow): GeometrySummary {
  if (wkb === null || wkb === undefined || geometry.wkb === null) return geometry;
  const outline = blobBytes(wkb);
  return outline.equals(geometry.wkb) ? geometry : (summarizeOutline(outlineFromWkb(outline)) ?? geometry);
}
