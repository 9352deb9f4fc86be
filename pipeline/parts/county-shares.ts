import {type Database, sqlText} from "../../lib/sql/duckdb.ts";
import type {FileReport} from "../../schemas/build-report.ts";
import type {GateResult, StatePart} from "../../schemas/manifest.ts";
import type {StateStageResult} from "../../schemas/part-file.ts";
import {judge, skipped} from "./gate.ts";
import type {SourceEntry} from "./stages.ts";

/** Shares compared by county and source, as SQL conditions on a state's rows. */
const shares = {
  null_owner: "owner_raw IS NULL AND NOT owner_withheld",
  null_address: "situs_raw IS NULL AND situs_name IS NULL",
  null_acres: "acres IS NULL",
  null_use: "use_code IS NULL AND use_description IS NULL",
  unmapped_use: "land_use_category IS NULL AND (use_code IS NOT NULL OR use_description IS NOT NULL)",
} as const;
type Share = keyof typeof shares;

const shownShares: Readonly<Record<Share, string>> = {
  null_owner: "rows without an owner",
  null_address: "rows without an address",
  null_acres: "rows without an acreage",
  null_use: "rows without a land use",
  unmapped_use: "rows whose use code no table knows",
};

/** Minimum rows of a county and source, before and now, to compare their shares: one row of a handful proves nothing. */
const comparedRows = 20;
const shownFiles = 3;

type Compared = {
  readonly state: string;
  readonly made: Pick<StateStageResult, "files">;
  readonly base: StatePart;
  readonly entries: readonly SourceEntry[];
};

/** A county and the source that leads its rows. */
type Pair = {readonly county: string; readonly source: string};

/**
 * Returns the row count of each county and source, and their shares of missing values, as `<figure>:<county key>:<source>`. Rows not led by
 * a `filed` source are excluded: a layer queried on misses may publish no owners.
 */
export async function countyFigures(
  db: Database,
  {parcels, provenance}: {parcels: string; provenance: string},
  filed: readonly string[],
): Promise<Record<string, number>> {
  if (filed.length === 0) return {};
  const counts = Object.entries(shares).map(
    ([name, condition]) => `(count(*) FILTER (${condition}) / count(*))::DOUBLE AS ${name}`,
  );
  const rows = await db.rows<Pair & {rows: number} & Record<Share, number>>(
    `SELECT p.county_key AS county, v.source_id AS source, count(*)::DOUBLE AS rows, ${counts.join(", ")}
     FROM ${parcels} p JOIN ${provenance} v ON v.provenance_id = p.prov_default
     WHERE v.source_id IN (${filed.map(sqlText).join(", ")}) GROUP BY ALL ORDER BY county, source`,
  );
  const figures = rows.flatMap(({county, source, ...own}) =>
    Object.entries(own).map(([name, value]): [string, number] => [
      key(name, {county, source}),
      Math.round(value * 1e6) / 1e6,
    ]),
  );
  return Object.fromEntries(figures);
}

/** Number of a county's rows led by one of these sources. */
export function rowsOf(
  figures: Readonly<Record<string, number>>,
  county: string,
  sources: readonly string[],
): number {
  return sources.reduce((sum, source) => sum + (figures[key("rows", {county, source})] ?? 0), 0);
}

/**
 * Compares the shares of each county and source with those of the previous build. Excluded are new counties and sources, columns that the
 * source did not publish for the county, and owners that its terms withhold.
 */
export function countyShares(compared: Compared, figures: Readonly<Record<string, number>>): GateResult[] {
  return [
    worst(compared, figures, {
      gate: "null-share",
      names: ["null_owner", "null_address", "null_acres", "null_use"],
      failAt: 0.1,
    }),
    worst(compared, figures, {gate: "unmapped-use", names: ["unmapped_use"], failAt: 0.05}),
  ];
}

/** A source with the files of its rows in a county: `us-tx-one (parcels/us-tx-one/a.csv)`. */
export function shownSource(files: readonly FileReport[], {county, source}: Pair): string {
  const own = files
    .filter(({unit, counties}) => unit === source && (counties === undefined || counties.includes(county)))
    .map(({path}) => path);
  if (own.length === 0) return `${source} (no file with rows of this county)`;
  const more = own.length > shownFiles ? ` and ${own.length - shownFiles} more` : "";
  return `${source} (${own.slice(0, shownFiles).join(", ")}${more})`;
}

function worst(
  {state, made, base, entries}: Compared,
  figures: Readonly<Record<string, number>>,
  {gate, names, failAt}: {gate: string; names: readonly Share[]; failAt: number},
): GateResult {
  const before = base.figures;
  const pairs = comparable(figures, before);
  if (pairs.length === 0)
    return skipped(state, gate, "no county has enough rows of a source that was there before");
  const grown = pairs.flatMap((pair) =>
    names
      .filter((name) => isPublished(name, pair, {before, entries}))
      .map((name) => ({name, pair, by: figures[key(name, pair)]! - before[key(name, pair)]!})),
  );
  const most = grown.reduce<(typeof grown)[number] | null>(
    (a, b) => (a === null || b.by > a.by ? b : a),
    null,
  );
  if (most === null || most.by <= 0) return judge(state, gate, 0, {warnAt: 0.02, failAt});
  const {name, pair} = most;
  const percent = (figure: number) => `${Math.round(figure * 1000) / 10} %`;
  return judge(state, gate, most.by, {
    warnAt: 0.02,
    failAt,
    detail: `county ${pair.county}, ${shownSource(made.files, pair)}: ${shownShares[name]} went from ${percent(before[key(name, pair)]!)} to ${percent(figures[key(name, pair)]!)}`,
  });
}

function comparable(now: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>): Pair[] {
  return Object.entries(now).flatMap(([name, rows]) => {
    const [figure, county, source] = name.split(":");
    const isCompared = figure === "rows" && county !== undefined && source !== undefined;
    return isCompared && rows >= comparedRows && (before[name] ?? 0) >= comparedRows
      ? [{county, source}]
      : [];
  });
}

function isPublished(
  name: Share,
  pair: Pair,
  {before, entries}: {before: Readonly<Record<string, number>>; entries: readonly SourceEntry[]},
): boolean {
  if (name === "unmapped_use") return true;
  if (before[key(name, pair)] === 1) return false;
  const entry = entries.find(({id}) => id === pair.source);
  const isWithheld = entry?.terms?.redistributeOwners === false || entry?.owners?.published === false;
  return name !== "null_owner" || !isWithheld;
}

function key(figure: string, {county, source}: Pair): string {
  return `${figure}:${county}:${source}`;
}
