import {existsSync} from "node:fs";
import {join} from "node:path";
import {type Database, sqlText} from "../../lib/sql/duckdb.ts";
import {type StateTable, stateServing, stateTablePath} from "../../lib/storage/build-layout.ts";
import {LandUseCategory} from "../../schemas/land-use.ts";
import type {GateResult, ManifestFile, StatePart} from "../../schemas/manifest.ts";
import {judge, judgeFaults, loss, skipped} from "./gate.ts";
import type {SourceEntry, StateMade} from "./stages.ts";

/** The staged state, with the part of the base build that it is compared with. */
type StagedState = {
  readonly state: string;
  readonly dir: string;
  readonly made: StateMade;
  readonly files: readonly ManifestFile[];
  readonly entries: readonly SourceEntry[];
  readonly base: StatePart | null;
};

/** Shares and counts of a state's rows; the next build compares its own with them. */
type StateFigures = Record<
  | "rows"
  | "duplicates"
  | "null_owner"
  | "null_address"
  | "null_acres"
  | "null_use"
  | "outside_county"
  | "wrong_category"
  | "unmapped_use",
  number
>;

/**
 * Shares of a county's rows that may be missing (`docs/design/reliability.md` section 2.3); a source may set a stricter
 * one.
 */
const warnedLoss = 0.02;
const mostLost = 0.1;

const nullShares = ["null_owner", "null_address", "null_acres", "null_use"] as const;

/**
 * Gives the figures of a staged state, by SQL over its own Parquet. Null shares are those of rows that lead with one of the
 * `filed` sources: a layer that is queried on misses may publish no owners, and its finds are no loss.
 */
export async function stateFigures(
  db: Database,
  dir: string,
  {state, filed}: {state: string; filed: readonly string[]},
): Promise<StateFigures> {
  const table = (name: StateTable) =>
    `read_parquet(${sqlText(join(dir, stateTablePath(name, state)))}, hive_partitioning = false)`;
  const sources = ["NULL", ...filed.map(sqlText)].join(", ");
  const share = (condition: string, of = "true") =>
    `coalesce(count(*) FILTER (${of} AND ${condition}) / nullif(count(*) FILTER (${of}), 0), 0)::DOUBLE`;
  const categories = LandUseCategory.options.map(sqlText).join(", ");
  const [figures] = await db.rows<StateFigures>(`
    SELECT count(*)::DOUBLE AS rows,
      (count(*) - count(DISTINCT (county_key, parcel_uid)))::DOUBLE AS duplicates,
      ${share("owner_raw IS NULL AND NOT owner_withheld", "filed")} AS null_owner,
      ${share("situs_raw IS NULL AND situs_name IS NULL", "filed")} AS null_address,
      ${share("acres IS NULL", "filed")} AS null_acres,
      ${share("use_code IS NULL AND use_description IS NULL", "filed")} AS null_use,
      ${share("list_contains(flags, 'point_outside')")} AS outside_county,
      count(*) FILTER (land_use_category NOT IN (${categories}))::DOUBLE AS wrong_category,
      ${share("land_use_category IS NULL AND (use_code IS NOT NULL OR use_description IS NOT NULL)")} AS unmapped_use
    FROM (SELECT p.*, coalesce(v.source_id IN (${sources}), false) AS filed
      FROM ${table("parcels")} p LEFT JOIN ${table("parcel_provenance")} v ON v.provenance_id = p.prov_default)`);
  return figures!;
}

/**
 * Gives the results of the gates of `docs/design/reliability.md` section 2.3 that the files of a state decide; comparisons are
 * skipped without a base.
 */
export async function stateGates(
  db: Database,
  staged: StagedState,
  figures: StateFigures,
): Promise<GateResult[]> {
  const {state} = staged;
  const unread = readBackFaults(staged, figures);
  return [
    judgeFaults(state, "duplicates", figures.duplicates, "keys that come twice"),
    judgeFaults(state, "land-use-values", figures.wrong_category),
    judge(state, "outside-county", figures.outside_county, {warnAt: 0.001, failAt: 0.01}),
    judgeFaults(state, "read-back", unread.length, unread.join("; ")),
    await sourcesGate(db, staged),
    ...comparisons(staged, figures),
  ];
}

function readBackFaults({made, files, dir, state}: StagedState, figures: StateFigures): string[] {
  const rows = (name: string) =>
    files.find(({path}) => path === `${stateServing(state)}/${name}`)?.rows ?? null;
  const faults: string[] = [];
  const expect = (what: string, found: number | null, wanted: number) => {
    if (found !== wanted) faults.push(`${what}: ${found} rows, expected ${wanted}`);
  };
  if (made.rows === 0) faults.push("no rows");
  expect("parcels.parquet", figures.rows, made.rows);
  expect("columns.arrow", rows("columns.arrow"), made.rows);
  expect("records.arrow", rows("records.arrow"), made.rows);
  if (made.pointCount > 0) expect("parcels.flatbush", rows("parcels.flatbush"), made.pointCount);
  else if (existsSync(join(dir, stateServing(state), "parcels.flatbush")))
    faults.push("parcels.flatbush without points");
  expect(
    "counties",
    made.counties.reduce((sum, county) => sum + county.rows, 0),
    made.rows,
  );
  return faults;
}

async function sourcesGate(db: Database, {state, dir, entries}: StagedState): Promise<GateResult> {
  const path = join(dir, stateTablePath("parcel_provenance", state));
  const provenance = `read_parquet(${sqlText(path)}, hive_partitioning = false)`;
  const found = await db.rows<{source_id: string}>(`SELECT DISTINCT source_id FROM ${provenance} ORDER BY 1`);
  const licensed = new Set(entries.filter(({licence}) => licence !== "").map(({id}) => id));
  const foreign = found.map(({source_id}) => source_id).filter((id) => !licensed.has(id));
  return judgeFaults(state, "sources-registered", foreign.length, foreign.join(", "));
}

function comparisons({state, made, base, entries}: StagedState, figures: StateFigures): GateResult[] {
  if (base === null) {
    return ["rows", "county-rows", "county-growth", "null-share", "unmapped-use"].map((gate) =>
      skipped(state, gate, "first build of this state"),
    );
  }
  const before = (name: string) => base.figures[name] ?? 0;
  const worst = nullShares
    .map((name) => ({name, grown: figures[name] - before(name)}))
    .reduce((a, b) => (b.grown > a.grown ? b : a));
  return [
    judge(state, "rows", loss(base.rows, made.rows), {
      warnAt: 0.005,
      failAt: 0.02,
      detail: `${base.rows} rows before, ${made.rows} now`,
    }),
    countyLoss(state, made, {base, entries}),
    countyGrowth(state, made, base),
    judge(state, "null-share", worst.grown, {warnAt: 0.02, failAt: 0.1, detail: worst.name}),
    judge(state, "unmapped-use", figures.unmapped_use - before("unmapped_use"), {warnAt: 0.02, failAt: 0.05}),
  ];
}

/** Judges each county by the strictest bound of its sources, and gives the result that is worst against its bound. */
function countyLoss(
  state: string,
  made: StateMade,
  {base, entries}: {base: StatePart; entries: readonly SourceEntry[]},
): GateResult {
  const now = new Map(made.counties.map((county) => [county.county_key, county.rows]));
  const bounds = new Map(entries.map(({id, accept}) => [id, accept?.maxDropShare ?? mostLost]));
  const judged = base.counties.map((county) => {
    const failAt = Math.min(mostLost, ...county.sources.map((id) => bounds.get(id) ?? mostLost));
    return judge(state, "county-rows", loss(county.rows, now.get(county.county_key) ?? 0), {
      warnAt: Math.min(warnedLoss, failAt),
      failAt,
      detail: shownCounty(county),
    });
  });
  const beyond = ({figure, fail_at}: GateResult) => figure! - fail_at!;
  const none = judge(state, "county-rows", 0, {warnAt: warnedLoss, failAt: mostLost});
  return judged.reduce((worst, next) => (beyond(next) > beyond(worst) ? next : worst), none);
}

/** Judges the county that grew most, of those that were complete in the build before. */
function countyGrowth(state: string, made: StateMade, base: StatePart): GateResult {
  const now = new Map(made.counties.map((county) => [county.county_key, county.rows]));
  const grown = base.counties
    .filter(({complete}) => complete)
    .map((county) => ({
      figure: -loss(county.rows, now.get(county.county_key) ?? 0),
      detail: shownCounty(county),
    }));
  const most = grown.reduce((a, b) => (b.figure > a.figure ? b : a), {figure: 0, detail: ""});
  return judge(state, "county-growth", most.figure, {warnAt: 0.1, failAt: 0.5, detail: most.detail});
}

function shownCounty({county_key, county_name, rows}: StatePart["counties"][number]): string {
  return `${county_key} ${county_name}, ${rows} rows before`;
}
