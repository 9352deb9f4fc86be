import {openDatabase, sqlText} from "../../lib/sql/duckdb.ts";

/** A county, and the corner and size, in degrees, of the box for its rows. */
export type Place = {
  readonly fips: string;
  readonly west: number;
  readonly south: number;
  readonly width: number;
  readonly height: number;
};

/** A roll's row count and first number, its state, the lowest of its ZIP codes, and the places of its rows. */
type Roll = {
  readonly rows: number;
  readonly first?: number;
  readonly state: string;
  readonly firstZip: number;
  readonly places: readonly Place[];
};

/**
 * Writes an invented roll in the columns of the statewide Texas layer, with a point per row; every name is made of numbers or
 * syllables. Rows are numbered from `first` and assigned to the places in turn.
 */
export async function writeRollCsv(
  path: string,
  {rows, first = 0, state, firstZip, places}: Roll,
): Promise<void> {
  const boxes = places.map(
    ({fips, west, south, width, height}, n) =>
      `(${n}, ${sqlText(fips)}, ${west}, ${south}, ${width}, ${height})`,
  );
  const db = await openDatabase();
  await db.run(`COPY (
    WITH place(n, fips, west, south, width, height) AS (VALUES ${boxes.join(", ")}),
    keyed AS (SELECT i, (hash(i) & 4503599627370495)::BIGINT AS h FROM range(${first}, ${first + rows}) t(i)),
    named AS (SELECT *, (['OAK', 'MESA', 'RIVER', 'CEDAR', 'MILL', 'PRAIRIE', 'STONE', 'WILLOW'])[1 + h % 8] || (['FIELD', 'WOOD', 'BROOK', 'RIDGE', 'CREST', 'DALE'])[1 + h // 8 % 6] AS street,
      (['ST', 'DR', 'RD', 'LN', 'CT', 'AVE'])[1 + h // 64 % 6] AS kind, 100 + h // 512 % 19000 AS house, ${firstZip} + i % 10 * 7 + h // 7 % 5 AS zip FROM keyed)
    SELECT fips AS "FIPS", lpad(i::VARCHAR, 10, '0') AS "Prop_ID", 'G' || i AS "GEO_ID",
      'SURNAME' || (h // 11 % 90001) || ' GIVEN' || (h // 13 % 997) || CASE WHEN h % 5 = 0 THEN ' & GIVEN' || (h // 17 % 997) ELSE '' END AS "OWNER_NAME", NULL AS "NAME_CARE",
      'LOT ' || (h % 40) || ' BLK ' || (h // 40 % 20) || ' BENCH ADDITION' AS "LEGAL_DESC", 0.1 + (h % 4000) / 100 AS "LEGAL_AREA", 'Acres' AS "LGL_AREA_U", NULL AS "GIS_AREA", NULL AS "GIS_AREA_U",
      20000 + h % 300000 AS "LAND_VALUE", h // 3 % 400000 AS "IMP_VALUE", 20000 + h % 300000 + h // 3 % 400000 AS "MKT_VALUE",
      house || ' ' || street || ' ' || kind || ', TOWN ' || (zip % 97) || ', ${state} ' || zip AS "SITUS_ADDR", house AS "SITUS_NUM", NULL AS "SITUS_STRE", street AS "SITUS_ST_1", kind AS "SITUS_ST_2",
      'TOWN ' || (zip % 97) AS "SITUS_CITY", zip AS "SITUS_ZIP", 'PO BOX ' || (h % 9999) AS "MAIL_LINE1", 'TOWN ' || (h % 97) AS "MAIL_CITY", '${state}' AS "MAIL_STAT", zip AS "MAIL_ZIP",
      (['A1', 'B1', 'C1', 'D1', 'E1', 'F1'])[1 + h // 5 % 6] AS "STAT_LAND_", NULL AS "LOC_LAND_U", 1900 + h % 126 AS "YEAR_BUILT", '20250801' AS "DATE_ACQ", 2025 AS "TAX_YEAR",
      round(west + width * (h // 3 % 1000003) / 1000003, 7) AS "LON", round(south + height * (h // 1009 % 1000003) / 1000003, 7) AS "LAT"
    FROM named JOIN place ON n = i % ${places.length} ORDER BY i) TO ${sqlText(path)} (FORMAT csv, HEADER)`);
  db.close();
}
