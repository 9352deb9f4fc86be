import {model} from "../../lib/models/model.ts";
import type {ModelRun} from "../../lib/models/model-run.ts";
import {rowColumns} from "../../lib/parcels/dedupe/merge-models.ts";
import {sqlName} from "../../lib/sql/duckdb.ts";
import {isOdd, oddScale, type ScaleRow, withJudgedAreas} from "./area-units.ts";
import type {AcceptedEntry} from "./state-facts.ts";

/**
 * Judges the declared areas of rows without an outline, as `oddScales` does those of rows with one, by the outlines that other rows and
 * entries have of their parcels: those are told by their numbers, whose separators may differ. Where several parcels share an outline it
 * does not count. Returns the entries, with views in place of tables that have odd scales.
 */
export async function judgedByOthers(
  run: ModelRun,
  entries: readonly AcceptedEntry[],
  state: string,
): Promise<AcceptedEntry[]> {
  const rowsOf = (columns: string) =>
    entries
      .map(
        ({table}) => `SELECT ${columns} FROM ${sqlName(table)} WHERE _reject IS NULL AND parcel_id_std <> ''`,
      )
      .join(" UNION ALL ");
  if (entries.length === 0) return [];
  const rows = await run.db.rows<ScaleRow>(
    `WITH stated AS (
       SELECT DISTINCT _file AS file, county_key AS county, parcel_id_std, acres FROM (${rowsOf("_file, county_key, parcel_id_std, acres, acres_basis, geom_acres")})
       WHERE acres_basis IN ('deeded', 'assessed') AND acres > 0 AND geom_acres IS NULL),
     outlines AS (
       SELECT county, parcel_id_std, max(geom_acres) AS measured FROM (
         SELECT *, min(parcel_id_std) OVER w <> max(parcel_id_std) OVER w AS is_shared FROM (${rowsOf("county_key AS county, parcel_id_std, geom_acres, lon, lat")})
         SEMI JOIN stated USING (county, parcel_id_std) WHERE geom_acres > 0 WINDOW w AS (PARTITION BY county, geom_acres, lon, lat))
       WHERE NOT is_shared GROUP BY ALL)
     SELECT file, county, count(DISTINCT parcel_id_std)::INTEGER AS areas, median(acres / measured) AS median
     FROM stated JOIN outlines USING (county, parcel_id_std) GROUP BY ALL HAVING ${isOdd} ORDER BY file, county`,
  );
  const judged: AcceptedEntry[] = [];
  for (const accepted of entries) {
    const {entry, files, scales = []} = accepted;
    const found = files.flatMap(({number, file: {path}}) =>
      rows
        .filter(
          ({file, county}) =>
            file === number && !scales.some((one) => one.file === file && one.county === county),
        )
        .map((row) => oddScale(row, {entry, path, state})),
    );
    const input = model({name: accepted.table, columns: rowColumns});
    const table = withJudgedAreas(input, found);
    if (table !== input) {
      run.plan([table]);
      await run.make(table);
    }
    judged.push({...accepted, table: table.name, scales: [...scales, ...found]});
  }
  return judged;
}
