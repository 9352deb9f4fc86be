import {join} from "node:path";
import {foundParcel} from "../../lib/delta/found-parcel.ts";
import {likeRows} from "../../lib/delta/like-rows.ts";
import {lostFinds} from "../../lib/delta/merge-finds.ts";
import {goldenMisses} from "../../lib/parcels/golden-lookups.ts";
import {openStateArtifacts, type StateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {MARKET, stateServing} from "../../lib/storage/build-layout.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import type {GateResult, ManifestFile, MarketPart, StatePart} from "../../schemas/manifest.ts";
import type {MarketStageResult, StateStageResult} from "../../schemas/part-file.ts";
import {type BuildPlan, countryOf, type PlannedPart} from "./build-plan.ts";
import type {StateDelta} from "./delta-inputs.ts";
import {judgeFaults} from "./gate.ts";
import {marketFigures, marketGates} from "./market-gates.ts";
import type {Stages, Wave} from "./stages.ts";
import {shrunkSources, stateFigures, stateGates} from "./state-gates.ts";
import {describeFiles} from "./table-files.ts";

/** Number of rows per state that the gate `golden-lookups` looks up. */
const goldenRows = 50;

type Bookkeeping =
  | "status"
  | "built_in"
  | "inputs_sha256"
  | "attempted_inputs_sha256"
  | "held_back_because"
  | "delta";

/** Facts of the market part that remain true in every build that links its files. */
type MarketFacts = Omit<MarketPart, Bookkeeping>;
/** Facts of a state that remain true in every build that links its files. */
type StateFacts = Omit<StatePart, Bookkeeping>;

/** Facts read from the files of a part, with its gate results, and the sources of a state that lost too many rows of a county. */
export type Examined = {
  readonly facts: MarketFacts | StateFacts;
  readonly gates: GateResult[];
  readonly shrunk: readonly string[];
};

type Staged<Made> = {part: PlannedPart; plan: BuildPlan; stages: Stages; outDir: string; made: Made};

/** Opens every file that the market stage wrote and runs the gates. Throws if a file does not open. */
export async function examineMarket({
  part,
  plan,
  stages,
  outDir,
  made,
}: Staged<MarketStageResult>): Promise<Examined> {
  using db = await openDatabase();
  const files = await describeFiles(db, outDir);
  const figures = await marketFigures(db, outDir);
  const sourceIds = stages.marketSources.map(({id}) => id);
  const base = part.base as MarketPart | null;
  const {asOf, sample} = plan;
  const fetchedOn = new Map(
    part.files
      .filter(({retrievedAtFrom}) => retrievedAtFrom === "meta")
      .map(({path, retrievedAt}) => [path, retrievedAt.slice(0, 10)]),
  );
  const staged = {
    ...{dir: outDir, asOf, sample, made, files, sourceIds, base, fetchedOn},
    baseAsOf: plan.base?.manifest.as_of_date ?? null,
    feeds: stages.marketFeeds,
    missingFiles: missingFiles(part, plan),
  };
  const gates = await marketGates(db, staged, figures);
  const facts = factsOfMarket(files, made, figures);
  return {facts, gates: [...gates, await vectorsGate(stages)], shrunk: []};
}

/** The raw files of the market that the base build read and this one does not have. */
function missingFiles({files}: PlannedPart, {base}: BuildPlan): string[] {
  const present = new Set(files.map(({path}) => path));
  return (base?.manifest.inputs ?? [])
    .map(({path}) => path)
    .filter((path) => path.startsWith("market/") && !present.has(path));
}

/** Opens every file that a state's stage wrote and runs the gates. Throws if a file does not open. */
export async function examineState({
  part,
  stages,
  outDir,
  made,
}: Staged<StateStageResult>): Promise<Examined> {
  using db = await openDatabase();
  const files = await describeFiles(db, outDir);
  const filed = part.entries.map(({id}) => id);
  const figures = await stateFigures(db, outDir, {state: part.name, filed});
  const base = part.base as StatePart | null;
  const entries = [...part.entries, ...stages.layers(countryOf(part), part.name)];
  const staged = {state: part.name, dir: outDir, made, files, entries, base};
  const gates = await stateGates(db, staged, figures);
  const facts = factsOfState(part, stages.waves, files, made, figures);
  const set = openStaged(join(outDir, stateServing(part.name)), facts);
  return {
    facts,
    gates: [...gates, goldenGate(part.name, set), ...(await deltaGates(part.name, set, part.delta))],
    shrunk: shrunkSources(staged, figures),
  };
}

/** Opens the staged state with the server's loader. */
function openStaged(folder: string, facts: StateFacts): StateArtifacts {
  // The loader only reads sizes and counts; the part's bookkeeping is not known yet.
  const part: StatePart = {
    ...facts,
    status: "built",
    built_in: "00000000-000000",
    inputs_sha256: "",
    attempted_inputs_sha256: null,
    held_back_because: null,
    delta: [],
  };
  return openStateArtifacts(folder, part);
}

function goldenGate(state: string, set: StateArtifacts): GateResult {
  const misses = goldenMisses(set, goldenRows);
  return judgeFaults(state, "golden-lookups", misses.length, misses.slice(0, 5).join("; "));
}

/** Fails the market if the program does not reproduce the published test vectors. */
async function vectorsGate({failedVectors}: Stages): Promise<GateResult> {
  const failed = (await failedVectors?.()) ?? [];
  return judgeFaults(MARKET, "test-vectors", failed.length, failed.join(", "));
}

function factsOfMarket(
  files: ManifestFile[],
  made: MarketStageResult,
  figures: Record<string, number>,
): MarketFacts {
  return {
    files,
    rows: made.rows,
    sources: made.sources.map(({id, sourceDate, retrievedAt}) => ({
      id,
      source_date: sourceDate,
      retrieved_at: retrievedAt,
    })),
    figures,
  };
}

function factsOfState(
  part: PlannedPart,
  waves: readonly Wave[],
  files: ManifestFile[],
  made: StateStageResult,
  figures: Record<string, number>,
): StateFacts {
  const complete = new Set(made.sources.filter((source) => source.complete).map(({id}) => id));
  const required = waves.find(({state}) => state === part.name)?.required ?? [];
  return {
    files,
    country: countryOf(part),
    coverage: required.length > 0 && required.every((id) => complete.has(id)) ? "live" : "partial",
    rows: made.rows,
    point_count: made.pointCount,
    counties: made.counties,
    sources: made.sources,
    fill: made.fill,
    figures,
  };
}

/**
 * Checks that no found parcel is lost: every record is in the staged state, read with the server's loader, or was superseded there by a
 * newer vintage. Also fails for damaged lines in a consumed segment, unless a person accepts the damage.
 */
async function deltaGates(
  state: string,
  set: StateArtifacts,
  delta: StateDelta | null,
): Promise<GateResult[]> {
  if (delta === null) return [];
  const lost = await lostParcels(
    set,
    delta.records.map(({record}) => record),
  );
  const missing = lost.map((place) => delta.records[place]!);
  const shown = missing.slice(0, 5).map(({segment, record}) => `${segment} record ${record.seq}`);
  const damage = delta.damage.map(({segment, lines}) => `${segment}: ${lines} damaged lines`);
  const damaged = delta.damage.reduce((sum, {lines}) => sum + lines, 0);
  return [
    judgeFaults(state, "delta-merged", missing.length, shown.join(", ")),
    judgeFaults(state, "delta-damage", damaged, damage.join(", ")),
  ];
}

/** Indexes of the found parcels that the state lacks. */
async function lostParcels(set: StateArtifacts, found: readonly DeltaUpsert[]): Promise<number[]> {
  const numbers = new Set(found.flatMap((record) => likeRows(set, foundParcel(record).columns)));
  const rows = [...numbers].map((row) => ({row, facts: set.record(row).facts}));
  const table = {path: set.table, origins: set.origins()};
  using db = await openDatabase({memoryLimit: "256MB", threads: 1});
  return await lostFinds(db, {state: set.state, table, rows, found});
}
