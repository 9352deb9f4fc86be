import {existsSync} from "node:fs";
import {join} from "node:path";
import {type Database, sqlText} from "../../lib/sql/duckdb.ts";
import {parquetRelation} from "../../lib/sql/sql-path.ts";
import {type StateTable, stateServing, stateTablePath} from "../../lib/storage/build-layout.ts";
import type {GateResult, ManifestFile, StatePart} from "../../schemas/manifest.ts";
import type {StateStageResult} from "../../schemas/part-file.ts";
import {LandUseCategory} from "../../schemas/vocabulary/land-use.ts";
import {countyFigures, countyShares, rowsOf, shownSource} from "./county-shares.ts";
import {judge, judgeFaults, loss, skipped} from "./gate.ts";
import type {SourceEntry} from "./stages.ts";

/** The staged state, with the base build's part for comparison. */
type StagedState = {
  readonly state: string;
  readonly dir: string;
  readonly made: StateStageResult;
  readonly files: readonly ManifestFile[];
  readonly entries: readonly SourceEntry[];
  readonly base: StatePart | null;
};

/** Shares and counts of a state's rows, with which the next build compares its own. */
type StateFigures = Record<"rows" | "duplicates" | "outside_county" | "wrong_category", number>;

/** Shares of a county's rows that may go missing (`docs/design/reliability.md` section 2.3); a source may set a stricter limit. */
const warnedLoss = 0.02;
const maxLost = 0.1;

/** Computes the figures of a staged state with SQL on its own Parquet, including those per county and source. */
export async function stateFigures(
  db: Database,
  dir: string,
  {state, filed}: {state: string; filed: readonly string[]},
): Promise<StateFigures & Record<string, number>> {
  const table = (name: StateTable) => parquetRelation(join(dir, stateTablePath(name, state)));
  const categories = LandUseCategory.options.map(sqlText).join(", ");
  const [figures] = await db.rows<StateFigures>(`
    SELECT count(*)::DOUBLE AS rows,
      (count(*) - count(DISTINCT (county_key, parcel_uid)))::DOUBLE AS duplicates,
      coalesce(count(*) FILTER (list_contains(flags, 'point_outside')) / nullif(count(*), 0), 0)::DOUBLE AS outside_county,
      count(*) FILTER (land_use_category NOT IN (${categories}))::DOUBLE AS wrong_category
    FROM ${table("parcels")}`);
  const parcels = {parcels: table("parcels"), provenance: table("parcel_provenance")};
  return {...figures!, ...(await countyFigures(db, parcels, filed))};
}

/** Runs the gates of `docs/design/reliability.md` section 2.3 that depend on a state's files; comparisons are skipped without a base. */
export async function stateGates(
  db: Database,
  staged: StagedState,
  figures: StateFigures & Record<string, number>,
): Promise<GateResult[]> {
  const {state} = staged;
  const unread = readBackFaults(staged, figures);
  return [
    judgeFaults(state, "duplicates", figures.duplicates, "keys that come twice"),
    judgeFaults(state, "land-use-values", figures.wrong_category),
    // Files with too many such points were refused before; this covers the remaining rows.
    judge(state, "outside-county", figures.outside_county, {warnAt: 0.001, failAt: 0.05}),
    judgeFaults(state, "read-back", unread.length, unread.join("; ")),
    await sourcesGate(db, staged),
    meetingsGate(staged),
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
  const provenance = parquetRelation(path);
  const found = await db.rows<{source_id: string}>(`SELECT DISTINCT source_id FROM ${provenance} ORDER BY 1`);
  const licensed = new Set(entries.filter(({licence}) => licence !== "").map(({id}) => id));
  const foreign = found.map(({source_id}) => source_id).filter((id) => !licensed.has(id));
  return judgeFaults(state, "sources-registered", foreign.length, foreign.join(", "));
}

/** Warns of sources of one county whose parcel numbers should meet and do not. */
function meetingsGate({state, made}: StagedState): GateResult {
  const warnings = made.files.flatMap(({meetings = []}) => meetings.flatMap(({warning}) => warning ?? []));
  return judge(state, "numbers-meet", warnings.length, {
    warnAt: 0,
    failAt: null,
    detail: warnings.slice(0, 3).join("; "),
  });
}

function comparisons(staged: StagedState, figures: Record<string, number>): GateResult[] {
  const {state, made, base, entries} = staged;
  if (base === null) {
    return ["rows", "county-rows", "county-growth", "null-share", "unmapped-use"].map((gate) =>
      skipped(state, gate, "first build of this state"),
    );
  }
  return [
    judge(state, "rows", loss(base.rows, made.rows), {
      warnAt: 0.005,
      failAt: 0.02,
      detail: `${base.rows} rows before, ${made.rows} now${shownLosses(made, base)}`,
    }),
    countyLoss(state, made, {base, entries}),
    countyGrowth(state, made, {base, figures}),
    ...countyShares({state, made, base, entries}, figures),
  ];
}

/** Words the counties that lost the most rows, for the message about a state that lost too many. */
function shownLosses(made: StateStageResult, base: StatePart): string {
  const now = new Map(made.counties.map((county) => [county.county_key, county.rows]));
  const lost = base.counties
    .map((county) => ({county, rows: county.rows - (now.get(county.county_key) ?? 0)}))
    .filter(({rows}) => rows > 0)
    .sort((a, b) => b.rows - a.rows)
    .slice(0, 3);
  return lost.map(({county, rows}) => `; ${county.county_key} ${county.county_name} lost ${rows}`).join("");
}

/** Judges each county by the strictest limit of its sources and returns the result that is worst relative to its limit. */
function countyLoss(
  state: string,
  made: StateStageResult,
  compared: Pick<StagedState, "entries"> & {base: StatePart},
): GateResult {
  const judged = countyLosses(made, compared).map(({county, rows, failAt}) =>
    judge(state, "county-rows", loss(county.rows, rows), {
      warnAt: Math.min(warnedLoss, failAt),
      failAt,
      detail: `${shownCounty(county)}, ${rows} now; ${shownSources(made, county)}`,
    }),
  );
  const beyond = ({figure, fail_at}: GateResult) => figure! - fail_at!;
  const none = judge(state, "county-rows", 0, {warnAt: warnedLoss, failAt: maxLost});
  return judged.reduce((worst, next) => (beyond(next) > beyond(worst) ? next : worst), none);
}

/** The counties of the base build with their rows now, and the share of them that may go missing. */
function countyLosses(
  made: StateStageResult,
  {base, entries}: Pick<StagedState, "entries"> & {base: StatePart},
) {
  const now = new Map(made.counties.map((county) => [county.county_key, county.rows]));
  const bounds = new Map(entries.map(({id, accept}) => [id, accept?.maxDropShare ?? maxLost]));
  return base.counties.map((county) => ({
    county,
    rows: now.get(county.county_key) ?? 0,
    failAt: Math.min(maxLost, ...county.sources.map((id) => bounds.get(id) ?? maxLost)),
  }));
}

/** The sources that lost rows of a county which fails `county-rows`, sorted. Without them the other sources of the state may pass. */
export function shrunkSources(
  {made, base, entries}: Pick<StagedState, "made" | "base" | "entries">,
  figures: Record<string, number>,
): string[] {
  if (base === null) return [];
  const shrunk = countyLosses(made, {base, entries})
    .filter(({county, rows, failAt}) => loss(county.rows, rows) > failAt)
    .flatMap(({county: {county_key: county, sources}}) =>
      sources.filter((id) => rowsOf(figures, county, [id]) < rowsOf(base.figures, county, [id])),
    );
  return [...new Set(shrunk)].sort();
}

/**
 * Judges the county that grew the most, among those complete in the previous build. Rows of a source that is new to the county are not
 * growth.
 */
function countyGrowth(
  state: string,
  made: StateStageResult,
  {base, figures}: {base: StatePart; figures: Record<string, number>},
): GateResult {
  const now = new Map(made.counties.map((county) => [county.county_key, county]));
  const grown = base.counties
    .filter(({complete}) => complete)
    .map((county) => {
      const found = now.get(county.county_key);
      const joined = (found?.sources ?? []).filter((id) => !county.sources.includes(id));
      const rows = (found?.rows ?? 0) - rowsOf(figures, county.county_key, joined);
      const detail = `${shownCounty(county)}, ${rows} now; ${shownSources(made, county)}`;
      return {figure: -loss(county.rows, rows), detail};
    });
  const most = grown.reduce((a, b) => (b.figure > a.figure ? b : a), {figure: 0, detail: ""});
  return judge(state, "county-growth", most.figure, {warnAt: 0.1, failAt: 0.5, detail: most.detail});
}

/** Names the sources that a county had, with their current files. */
function shownSources(
  {files}: StateStageResult,
  {county_key: county, sources}: StatePart["counties"][number],
): string {
  return sources.map((source) => shownSource(files, {county, source})).join(", ");
}

function shownCounty({county_key, county_name, rows}: StatePart["counties"][number]): string {
  return `${county_key} ${county_name}, ${rows} rows before`;
}
