import {type AnyModel, model} from "../../lib/models/model.ts";
import type {ModelRun} from "../../lib/models/model-run.ts";
import {ensureMacros} from "../../lib/parcels/conform/functions.ts";
import {vintageColumn} from "../../lib/parcels/conform/vintage-sql.ts";
import {meetingModels} from "../../lib/parcels/dedupe/same-parcel-sql.ts";
import {type Database, sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {acceptAdvice} from "../results/report-counts.ts";
import type {RefusedRows} from "./file-bounds.ts";
import type {StagedFile} from "./stage-entry.ts";

/** A file that replaces older ones of its entry in a county, or one that must not because too many parcels would go. */
type Replacement = {
  readonly county: string;
  readonly newer: number;
  readonly older: readonly number[];
  /** Parcels of the older files, and how many of them the newer file lacks. */
  readonly parcels: number;
  readonly retired: number;
};

/** What replacing did to the rows of an entry. */
type Replaced = {
  /** The view in which the rows of replaced files are rejected; the model itself if none is. */
  readonly table: AnyModel;
  /** Counties whose newer file was refused. */
  readonly shrunk: readonly RefusedRows[];
  /** A sentence on the retired parcels, by the number of the file that lacks them. */
  readonly remarks: ReadonlyMap<number, string>;
  /** Numbers of files of which no row is left. */
  readonly gone: ReadonlySet<number>;
};

/** The gate of the state whose acceptance lets a shorter file replace a longer one. */
const gate = "rows";
/** Fewer parcels do not show that a file is cut short. */
const judgedParcels = 20;

/**
 * Rejects the rows of files that a newer complete file of the same entry replaces, county by county (`docs/design/parcels.md` section 3): as
 * `replaced` where the newer file has the parcel, in whatever form it prints the number, else as `retired`. Newer is the later stated vintage, else the later retrieval. Where more
 * parcels of a county would retire than `accept.maxDropShare` allows, the county keeps its older file, and the newer one's rows are `county_refused`.
 */
export async function withoutReplaced(
  run: ModelRun,
  {
    entry,
    table,
    files,
    accepted,
  }: {entry: ParcelSource; table: AnyModel; files: readonly StagedFile[]; accepted: readonly string[]},
): Promise<Replaced> {
  const {db} = run;
  const main = files.filter(({role}) => role === "main");
  const replacing = new Set(main.filter(({file}) => file.meta?.replaces === true).map(({number}) => number));
  const pairs =
    replacing.size === 0 || main.length < 2
      ? []
      : await replacedPairs(db, {table: table.name, files: main, replacing});
  if (pairs.length === 0) return {table, shrunk: [], remarks: new Map(), gone: new Set()};
  const met = metNumbers(table, pairs);
  await ensureMacros(db);
  run.plan([table, met]);
  await run.make(met);
  const replacements = await countsByCounty(db, {table: table.name, met: met.name, pairs});
  const {maxDropShare} = entry.accept;
  const isShrunk = ({parcels, retired}: Replacement) =>
    parcels >= judgedParcels && retired > maxDropShare * parcels && !accepted.includes(gate);
  const [shrunk, sound] = [replacements.filter(isShrunk), replacements.filter((each) => !isShrunk(each))];
  const fates = model({
    name: `${table.name}_fates`,
    reads: [table, met],
    columns: {INTEGER: "file", BIGINT: "row", VARCHAR: "fate"},
    materialise: "table",
    sql: () => fatesSql({table: table.name, met: met.name}, {shrunk, sound}),
  });
  const view = model({
    name: `${table.name}_current`,
    reads: [table, fates],
    columns: table.columns,
    materialise: "view",
    sql: () => `SELECT t.* REPLACE (coalesce(t._reject, f.fate) AS _reject)
     FROM ${table.name} t LEFT JOIN ${fates.name} f ON f.file = t._file AND f."row" = t._row`,
  });
  await run.make(view);
  await run.release(met);
  return {
    table: view,
    shrunk: shrunk.map(({county, newer, parcels, retired}) => ({
      file: newer,
      county,
      reason: `shrunk: ${retired} of ${parcels} parcels of county ${county} would retire; expected at most ${maxDropShare * 100} % of ${entry.id}. The county keeps its older file. ${acceptAdvice(entry.coverage.state, gate)}`,
    })),
    remarks: remarksOf(sound, entry.id),
    gone: await goneFiles(db, view.name, main),
  };
}

type Pair = Pick<Replacement, "county" | "newer" | "older">;

/** The numbers of older files (`county_key`, `key`) that the newer file of their county has, by `sameParcel` of section 5.1. */
function metNumbers(table: AnyModel, pairs: readonly Pair[]): AnyModel {
  const rowsOf = (fileOf: (pair: Pair) => number | undefined) =>
    `(SELECT * FROM ${table.name} WHERE _reject IS NULL AND ${isOf(pairs.map((pair) => [pair.county, fileOf(pair)]))})`;
  const newer = {source: "newer", rows: [rowsOf((pair) => pair.newer)], isFound: false};
  const most = Math.max(...pairs.map(({older}) => older.length));
  // Files of one source may print a number in two forms, which would meet neither.
  const older = Array.from({length: most}, (_, i) => ({
    source: `older ${i}`,
    rows: [rowsOf((pair) => pair.older[i])],
    isFound: false,
  }));
  const {meetings} = meetingModels([newer, ...older], {prefix: `${table.name}_`, reads: [table]});
  const equal = older.map(
    ({rows}) =>
      `SELECT o.county_key, o._key AS key FROM ${rows[0]} o SEMI JOIN ${newer.rows[0]} n ON n.county_key = o.county_key AND n._key = o._key`,
  );
  return model({
    name: `${table.name}_met`,
    reads: [table, meetings],
    columns: {VARCHAR: "county_key key"},
    materialise: "table",
    sql: () =>
      `${equal.join(" UNION ")} UNION SELECT county_key, other_key FROM ${meetings.name} WHERE one = 'newer'`,
  });
}

/** SQL: a row is of one of these files in its county. */
function isOf(places: readonly (readonly [county: string, file: number | undefined])[]): string {
  const known = places.flatMap(([county, file]) =>
    file === undefined ? [] : `(${sqlText(county)}, ${file})`,
  );
  return `(county_key, _file) IN (${known.join(", ")})`;
}

/** SELECT of the rows that are rejected (`file`, `row`, `fate`). */
function fatesSql(
  {table, met}: {table: string; met: string},
  {shrunk, sound}: {shrunk: readonly Replacement[]; sound: readonly Replacement[]},
): string {
  const ofShrunk = shrunk.map(
    ({county, newer}) =>
      `SELECT _file AS file, _row AS "row", 'county_refused' AS fate FROM ${table} WHERE county_key = ${sqlText(county)} AND _file = ${newer}`,
  );
  const ofSound = sound.map(
    ({county, older}) =>
      `SELECT _file AS file, _row AS "row", CASE WHEN m.key IS NULL THEN 'retired' ELSE 'replaced' END AS fate
       FROM ${table} t LEFT JOIN ${met} m ON m.county_key = t.county_key AND m.key = t._key
       WHERE t.county_key = ${sqlText(county)} AND t._file IN (${older.join(", ")})`,
  );
  return [...ofShrunk, ...ofSound].join(" UNION ALL ");
}

type Age = {county: string; file: number; vintage: string};

/** For each county the newest replacing file, and the files that are older than it. */
async function replacedPairs(
  db: Database,
  {table, files, replacing}: {table: string; files: readonly StagedFile[]; replacing: ReadonlySet<number>},
): Promise<Pair[]> {
  const vintage = vintageColumn("default");
  const ages = await db.rows<Age>(
    `SELECT county_key AS county, _file AS file, coalesce(max(CASE WHEN NOT starts_with(${vintage}, 'retrieved ') THEN split_part(${vintage}, ' ', 2) END), '') AS vintage
     FROM ${sqlName(table)} WHERE _reject IS NULL AND county_key IS NOT NULL GROUP BY ALL ORDER BY county, file`,
  );
  const retrieved = new Map(files.map(({number, file}) => [number, file.retrievedAt]));
  const key = ({vintage: stated, file}: Age) =>
    `${stated} ${retrieved.get(file) ?? ""} ${String(file).padStart(9, "0")}`;
  return [...Map.groupBy(ages, ({county}) => county)].flatMap(([county, own]) => {
    const sorted = own.filter(({file}) => retrieved.has(file)).toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
    const at = sorted.findLastIndex(({file}) => replacing.has(file));
    return at < 1
      ? []
      : [{county, newer: sorted[at]!.file, older: sorted.slice(0, at).map(({file}) => file)}];
  });
}

/** Counts the parcel numbers of the older files of each county, and those that the newer one lacks. */
async function countsByCounty(
  db: Database,
  {table, met, pairs}: {table: string; met: string; pairs: readonly Pair[]},
): Promise<Replacement[]> {
  const older = pairs.flatMap(({county, older: files}) => files.map((file) => [county, file] as const));
  const counts = await db.rows<{county: string; parcels: bigint; retired: bigint}>(
    `SELECT t.county_key AS county, count(DISTINCT _key) AS parcels, count(DISTINCT _key) FILTER (m.key IS NULL) AS retired
     FROM (SELECT county_key, _key FROM ${sqlName(table)} WHERE _reject IS NULL AND parcel_id IS NOT NULL AND ${isOf(older)}) t
       LEFT JOIN ${sqlName(met)} m ON m.county_key = t.county_key AND m.key = t._key GROUP BY ALL`,
  );
  const byCounty = new Map(counts.map((each) => [each.county, each]));
  return pairs.map((pair) => {
    const own = byCounty.get(pair.county);
    return {...pair, parcels: Number(own?.parcels ?? 0), retired: Number(own?.retired ?? 0)};
  });
}

function remarksOf(sound: readonly Replacement[], id: string): Map<number, string> {
  const byFile = Map.groupBy(
    sound.filter(({retired}) => retired > 0),
    ({newer}) => newer,
  );
  return new Map(
    [...byFile].map(([file, own]) => {
      const counties = own.map(({county, retired}) => `${retired} of county ${county}`);
      return [file, `retired, because only older files of ${id} have them: ${counties.join(", ")}.`];
    }),
  );
}

async function goneFiles(db: Database, view: string, files: readonly StagedFile[]): Promise<Set<number>> {
  const left = await db.rows<{file: number}>(
    `SELECT DISTINCT _file AS file FROM ${sqlName(view)} WHERE _reject IS NULL OR _reject NOT IN ('replaced', 'retired')`,
  );
  const there = new Set(left.map(({file}) => file));
  return new Set(files.map(({number}) => number).filter((number) => !there.has(number)));
}
