import {MARKET} from "../../lib/storage/build-layout.ts";
import {BuildReport} from "../../schemas/build-report.ts";
import {
  type Manifest,
  type ManifestFile,
  type ManifestInput,
  type ManifestSource,
  type MarketPart,
  manifestFormat,
  type StatePart,
} from "../../schemas/manifest.ts";
import type {ModelReport} from "../../schemas/model-report.ts";
import {type BuildPlan, countryOf} from "../parts/build-plan.ts";
import {codeVersion} from "../parts/code-version.ts";
import {type BuildOptions, instantText} from "../parts/options.ts";
import type {PartOutcome} from "../parts/part-outcome.ts";
import type {Stages} from "../parts/stages.ts";
import type {RawFile} from "../raw/raw-files.ts";

/** Returns the content of `report.json`. It contains neither time nor build id, so that equal builds have equal reports. */
export function composeReport(plan: BuildPlan, outcomes: readonly PartOutcome[]): BuildReport {
  const models = outcomes.flatMap((outcome) => outcome.models.map(modelReport));
  return BuildReport.parse({
    as_of_date: plan.asOf,
    sample: plan.sample,
    parts: Object.fromEntries(outcomes.map(({planned, reports}) => [planned.name, reports])),
    left_out: plan.leftOut,
    ...(models.length === 0 ? {} : {models}),
  });
}

/** Leaves out what a model cost, which is another in each run. */
function modelReport({name, file, kind, reads, rows, sql}: ModelReport): ModelReport {
  return {name, file, kind, reads, rows, sql};
}

/** Composes the manifest of a build from its parts' outcomes; `files` are the build-level files. */
export function composeManifest(
  plan: BuildPlan,
  options: BuildOptions,
  outcomes: readonly PartOutcome[],
  files: ManifestFile[],
): Manifest {
  const states = outcomes.filter(({planned, part}) => planned.name !== MARKET && part !== null);
  const market = outcomes.find(({planned}) => planned.name === MARKET)?.part ?? null;
  return {
    format: manifestFormat,
    build_id: plan.buildId,
    base_build_id: plan.base?.manifest.build_id ?? null,
    earlier_build_id: plan.earlier?.manifest.build_id ?? null,
    code_version: codeVersion(),
    as_of_date: plan.asOf,
    built_at: instantText(options.now()),
    sample: plan.sample,
    inputs: inputsOf(plan, outcomes),
    sources: sourcesOf(plan, outcomes, options.stages),
    market: market as MarketPart | null,
    states: Object.fromEntries(states.map(({planned, part}) => [planned.name, part as StatePart])),
    gates: [...plan.gates, ...outcomes.flatMap(({gates}) => gates)],
    acceptances: [...options.acceptances],
    files,
  };
}

/** Raw files of the parts: from this run or, for linked parts, those that the base build lists. */
function inputsOf({base}: BuildPlan, outcomes: readonly PartOutcome[]): ManifestInput[] {
  const inputs = outcomes.flatMap((outcome) => {
    const {planned, part} = outcome;
    if (!isLinked(outcome)) return planned.files.filter(({sha256}) => sha256 !== "").map(inputOf);
    return (base?.manifest.inputs ?? []).filter(({path}) => belongsTo(path, planned.name, part));
  });
  return inputs.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** True if a part's files are those of the base build, regardless of the current raw files. */
function isLinked({planned, part}: PartOutcome): boolean {
  return part?.status === "held_back" || planned.action === "keep";
}

function inputOf({path, sha256, retrievedAt, retrievedAtFrom}: RawFile): ManifestInput {
  return {path, sha256, retrieved_at: retrievedAt, retrieved_at_from: retrievedAtFrom};
}

function belongsTo(path: string, name: string, part: MarketPart | StatePart | null): boolean {
  if (name === MARKET) return path.startsWith("market/");
  return (part?.sources ?? []).some(({id}) => path.startsWith(`parcels/${id}/`));
}

function sourcesOf(plan: BuildPlan, outcomes: readonly PartOutcome[], stages: Stages): ManifestSource[] {
  const registered = new Map([
    ...stages.entries.map((entry): [string, Registered] => [
      entry.id,
      {
        name: entry.name,
        licence: entry.licence,
        attribution: entry.attribution ?? null,
        ...(entry.terms === undefined ? {} : {terms: entry.terms}),
      },
    ]),
    ...stages.marketSources.map((source): [string, Registered] => [
      source.id,
      {name: source.name, licence: source.terms, attribution: source.publisher},
    ]),
  ]);
  for (const {planned} of outcomes) {
    for (const layer of planned.name === MARKET ? [] : stages.layers(countryOf(planned), planned.name)) {
      const {name, licence, attribution = null, terms} = layer;
      if (!registered.has(layer.id))
        registered.set(layer.id, {name, licence, attribution, ...(terms === undefined ? {} : {terms})});
    }
  }
  const used = outcomes.flatMap((outcome) =>
    (outcome.part?.sources ?? []).map(({id}) => ({id, outcome, planned: outcome.planned})),
  );
  return [...Map.groupBy(used, ({id}) => id)]
    .map(([id, uses]) => ({
      id,
      ...(registered.get(id) ?? {name: id, licence: null, attribution: null}),
      retrieved_at: newest(uses.flatMap(({outcome}) => retrievals(outcome, id, plan))),
      parts: uses.map(({planned}) => planned.name).sort(),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

type Registered = Pick<ManifestSource, "name" | "attribution" | "terms"> & {licence: string};

function fromSource({kind, feedOrEntryId, meta, sha256}: RawFile, id: string): boolean {
  if (sha256 === "") return false;
  return kind === "parcels" ? feedOrEntryId === id : (meta?.source_id ?? feedOrEntryId) === id;
}

/**
 * When a part's files and found parcels of one source were fetched. For a linked part it is the newest time that the base build states,
 * because this run's raw files did not contribute.
 */
function retrievals(outcome: PartOutcome, id: string, {base}: BuildPlan): string[] {
  const {files, delta} = outcome.planned;
  if (isLinked(outcome)) {
    const source = base?.manifest.sources.find((known) => known.id === id);
    return source === undefined || source.retrieved_at === null ? [] : [source.retrieved_at];
  }
  const found = (delta?.records ?? []).filter(({record}) => record.provenance.sourceId === id);
  return [
    ...files.filter((file) => fromSource(file, id)).map(({retrievedAt}) => retrievedAt),
    ...found.map(({record}) => `${record.provenance.retrievedAt.slice(0, 19)}Z`),
  ];
}

function newest(instants: readonly string[]): string | null {
  return [...instants].sort().at(-1) ?? null;
}
