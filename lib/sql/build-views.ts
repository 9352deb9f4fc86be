import {filesBelow} from "@open-cattle/safe-files";
import {tableOfPath} from "../storage/build-layout.ts";
import {type Database, sqlName, sqlText} from "./duckdb.ts";
import {parquetRelation} from "./sql-path.ts";

/** A view that answers a common question, defined over the table views. */
type DailyView = {
  readonly name: string;
  readonly about: string;
  readonly from: readonly string[];
  readonly sql: string;
};

/** Great-circle miles between two points, with the radius of `docs/design/market.md` section 4. */
const distanceMacro = `CREATE MACRO distance_mi(lat_a, lon_a, lat_b, lon_b) AS
  2 * 3958.7613 * asin(sqrt(least(1, pow(sin(radians(lat_b - lat_a) / 2), 2)
    + cos(radians(lat_a)) * cos(radians(lat_b)) * pow(sin(radians(lon_b - lon_a) / 2), 2))))`;

/** Degrees of latitude per mile, rounded up so that the box around a circle contains it. */
const degrees = "0.01454";

/** SQL: parcels within some miles of a barn; the bounding box keeps distant ones out of the trigonometry. */
function nearSql(barn: string, miles: string): string {
  return `SELECT b.venue_id, b.venue_name, round(distance_mi(b.lat, b.lon, p.lat, p.lon), 3) AS distance_mi, p.state,
      p.county_key, p.county_name, p.parcel_uid, p.situs_raw, p.owner_name, p.acres, p.land_use_category, p.lon, p.lat
    FROM barns b JOIN parcels p
      ON p.lat BETWEEN b.lat - ${miles} * ${degrees} AND b.lat + ${miles} * ${degrees}
      AND p.lon BETWEEN b.lon - ${miles} * ${degrees} / cos(radians(b.lat)) AND b.lon + ${miles} * ${degrees} / cos(radians(b.lat))
    WHERE ${barn} AND distance_mi(b.lat, b.lon, p.lat, p.lon) <= ${miles}`;
}

/** The views added to those of the tables. */
export const dailyViews: readonly DailyView[] = [
  {
    name: "weekly_prices",
    about:
      "Price by state, cell and week, from sales: official summaries, which count the same cattle, are left out",
    from: ["price_history"],
    sql: `SELECT area AS state, cell_id, commodity, class, weight_bin, price_unit, week_end_date, price_avg, head_count, venues_reporting
      FROM price_history WHERE area_type = 'state' AND price_basis = 'derived_rollup'`,
  },
  {
    name: "boundaries_with_attributes",
    about: "Outlines with all columns of their parcels; `geometry` and `bbox` are the outline's",
    from: ["boundaries", "parcels"],
    sql: `SELECT p.* EXCLUDE (geometry, bbox), b.geometry, b.bbox
      FROM boundaries b JOIN parcels p ON p.state = b.state AND p.parcel_uid = b.parcel_uid`,
  },
  {
    name: "landowners_by_county",
    about:
      "Owners as printed, with their parcels and acres in a county; parcels that share an outline count for no more than its acres",
    from: ["parcels"],
    sql: `SELECT state, county_key, county_name, owner_name, min(owner_kind) AS owner_kind, sum(parcels)::BIGINT AS parcels,
        sum(acres) AS acres, sum(agricultural_parcels)::BIGINT AS agricultural_parcels
      FROM (SELECT state, county_key, county_name, owner_name, min(owner_kind) AS owner_kind, count(*) AS parcels,
          least(sum(acres::DECIMAL(18, 4)), CASE WHEN land IS NOT NULL THEN greatest(max(acres), max(geom_acres))::DECIMAL(18, 4) END) AS acres,
          count(*) FILTER (land_use_category = 'agriculture') AS agricultural_parcels
        FROM (SELECT *, CASE WHEN list_contains(flags, 'shared_outline') THEN concat_ws(' ', lon, lat, geom_acres) END AS land FROM parcels WHERE owner_name IS NOT NULL)
        GROUP BY state, county_key, county_name, owner_name, land)
      GROUP BY state, county_key, county_name, owner_name`,
  },
  {
    name: "parcels_near_barns",
    about:
      "Parcels within 10 miles of a sale barn, great circle; `parcels_near('<venue id>', 25)` takes other distances",
    from: ["barns", "parcels"],
    sql: nearSql("true", "10"),
  },
  {
    name: "coverage",
    about: "Parcels of each county, and how many have a point, an owner, an address and a category",
    from: ["parcels", "parcel_provenance"],
    sql: `SELECT p.state, county_key, min(county_name) AS county_name, count(*) AS parcels, count(lon) AS with_point,
        count(owner_name) AS with_owner, count(situs_raw) AS with_address, count(land_use_category) AS with_category,
        max(vintage) AS newest_vintage
      FROM parcels p JOIN parcel_provenance v ON v.state = p.state AND v.provenance_id = p.prov_default
      GROUP BY p.state, county_key`,
  },
  {
    name: "rejections",
    about: "Rows that were kept back, by source and reason, of market and parcels",
    from: ["quarantine", "parcel_rejects"],
    sql: `SELECT 'MARKET' AS part, split_part(source_path, '/', 2) AS source, reject_reason AS reason, count(*) AS rows
        FROM quarantine GROUP BY ALL
      UNION ALL SELECT state, source_id, reason, count(*) FROM parcel_rejects GROUP BY ALL`,
  },
];

/** The paths of a build's tables below its folder. */
export async function tablePaths(buildDir: string): Promise<string[]> {
  return (await filesBelow(buildDir)).filter((path) => path.endsWith(".parquet"));
}

/**
 * Creates a view for each table of a build folder and for each daily question: `price_rows` and the like over
 * all years, `signals_…` for the signals, and parcel tables over all states with a column `state`, each over
 * those files of `shown` that it has, by default over all. With the folder `.` the views hold no path above it. Returns all view names, sorted.
 */
export async function makeViews(
  db: Database,
  buildDir: string,
  shown?: readonly string[],
): Promise<string[]> {
  const paths = shown ?? (await tablePaths(buildDir));
  const tables = Map.groupBy(paths, viewName);
  for (const [name, files] of tables) {
    await db.run(`CREATE VIEW ${sqlName(name)} AS ${viewSql(buildDir, files)}`);
  }
  await db.run(distanceMacro);
  // A build of the market alone has no parcels, so it gets no views of them.
  const possible = dailyViews.filter(({from}) => from.every((table) => tables.has(table)));
  for (const {name, sql} of possible) await db.run(`CREATE VIEW ${name} AS ${sql}`);
  if (tables.has("barns") && tables.has("parcels")) {
    await db.run(`CREATE MACRO parcels_near(barn, miles) AS TABLE ${nearSql("b.venue_id = barn", "miles")}`);
  }
  return [...tables.keys(), ...possible.map(({name}) => name)].sort();
}

/**
 * SQL: the rows of a table's files, with a last column for the folder `state=TX` or `year=2026` that a file is in, so that a question about
 * one reads its file alone. DuckDB would also make columns of such folders above the build.
 */
function viewSql(buildDir: string, files: readonly string[]): string {
  const column = folderOf(files[0]!)?.name;
  if (column === undefined) return `SELECT * FROM ${parquetRelation(`${buildDir}/${files[0]!}`)}`;
  const each = files.map(
    (path) =>
      `SELECT columns(lambda name: name <> ${sqlText(column)}), ${sqlText(folderOf(path)!.value)} AS ${column} FROM ${parquetRelation(`${buildDir}/${path}`)}`,
  );
  return `SELECT * EXCLUDE (${column}), ${column} FROM (${each.join(" UNION ALL BY NAME ")})`;
}

/** The name and value of the folder of a file in a table of several files; null where a table is one file. */
function folderOf(path: string): {name: string; value: string} | null {
  const [, name, value] = /\/(state|year)=([^/]*)\/[^/]+$/.exec(path) ?? [];
  return name === undefined ? null : {name, value: value!};
}

function viewName(path: string): string {
  return tableOfPath(path).replace("/", "_");
}
