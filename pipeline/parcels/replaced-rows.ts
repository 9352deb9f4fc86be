import {type AnyModel, model} from "../../lib/models/model.ts";
import type {ModelRun} from "../../lib/models/model-run.ts";
import {vintageColumn} from "../../lib/parcels/conform/vintage-sql.ts";
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
 * `replaced` where the newer file has the parcel, else as `retired`. Newer is the later stated vintage, else the later retrieval. Where more
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
  const replacements = await countsByFile(db, table.name, pairs);
  const {maxDropShare} = entry.accept;
  const isShrunk = ({parcels, retired}: Replacement) =>
    parcels >= judgedParcels && retired > maxDropShare * parcels && !accepted.includes(gate);
  const [shrunk, sound] = [replacements.filter(isShrunk), replacements.filter((each) => !isShrunk(each))];
  const fates = model({
    name: `${table.name}_fates`,
    reads: [table],
    columns: {INTEGER: "file", BIGINT: "row", VARCHAR: "fate"},
    materialise: "table",
    sql: () => fatesSql(table.name, {shrunk, sound}),
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

/** SELECT of the rows that are rejected (`file`, `row`, `fate`). */
function fatesSql(
  table: string,
  {shrunk, sound}: {shrunk: readonly Replacement[]; sound: readonly Replacement[]},
): string {
  const ofShrunk = shrunk.map(
    ({county, newer}) =>
      `SELECT _file AS file, _row AS "row", 'county_refused' AS fate FROM ${table} WHERE county_key = ${sqlText(county)} AND _file = ${newer}`,
  );
  const ofSound = sound.map(
    ({county, newer, older}) =>
      `SELECT _file AS file, _row AS "row", CASE WHEN n.std IS NULL THEN 'retired' ELSE 'replaced' END AS fate
       FROM ${table} t LEFT JOIN (${numbersSql(table, county, [newer])}) n ON n.std = t.parcel_id_std
       WHERE t.county_key = ${sqlText(county)} AND t._file IN (${older.join(", ")})`,
  );
  return [...ofShrunk, ...ofSound].join(" UNION ALL ");
}

/** SELECT of the different numbers that files print of a county. */
function numbersSql(table: string, county: string, files: readonly number[]): string {
  return `SELECT DISTINCT parcel_id_std AS std FROM ${sqlName(table)} WHERE _reject IS NULL AND parcel_id_std IS NOT NULL AND county_key = ${sqlText(county)} AND _file IN (${files.join(", ")})`;
}

type Age = {county: string; file: number; vintage: string};

/** For each county the newest replacing file, and the files that are older than it. */
async function replacedPairs(
  db: Database,
  {table, files, replacing}: {table: string; files: readonly StagedFile[]; replacing: ReadonlySet<number>},
): Promise<{county: string; newer: number; older: number[]}[]> {
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

async function countsByFile(
  db: Database,
  table: string,
  pairs: readonly {county: string; newer: number; older: number[]}[],
): Promise<Replacement[]> {
  const found: Replacement[] = [];
  for (const pair of pairs) {
    const [older, newer] = [pair.older, [pair.newer]].map((files) => numbersSql(table, pair.county, files));
    const [counts] = await db.rows<{parcels: bigint; retired: bigint}>(
      `SELECT count(*) AS parcels, count(*) FILTER (n.std IS NULL) AS retired FROM (${older}) o LEFT JOIN (${newer}) n USING (std)`,
    );
    found.push({...pair, parcels: Number(counts!.parcels), retired: Number(counts!.retired)});
  }
  return found;
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
