import {createHash} from "node:crypto";
import {UserError} from "../../lib/errors.ts";
import {type FileReport, fileWithoutRows} from "../../schemas/build-report.ts";
import {manifestFormat} from "../../schemas/manifest.ts";
import {newestSets, type RawFile} from "../raw/raw-files.ts";
import type {SourceEntry, Stages} from "./stages.ts";

/** The raw files of a build by part, and a report for each file that belongs to none. */
export type SortedInputs = {
  readonly market: RawFile[];
  /** By two-letter state. */
  readonly states: Map<string, {entries: SourceEntry[]; files: RawFile[]}>;
  readonly leftOut: FileReport[];
  readonly sample: boolean;
};

/**
 * Assigns raw files to the market and to the states of their entries. Files retrieved after the as-of date, files that do not match the
 * digest in their meta file, and folders named after no feed or entry are left out with a report. Throws a `UserError` if sample and real
 * input are mixed.
 */
export function sortInputs(files: readonly RawFile[], asOf: string, stages: Stages): SortedInputs {
  const entries = new Map(stages.entries.map((entry) => [entry.id, entry]));
  const leftOut: FileReport[] = [];
  const market: RawFile[] = [];
  const states: SortedInputs["states"] = new Map();
  const usable: RawFile[] = [];
  const refused = addEntriesOfPulls(files, stages, entries);
  for (const file of files) {
    const reason = refused.get(file.feedOrEntryId);
    if (reason !== undefined) {
      leftOut.push(fileWithoutRows(file.path, file.feedOrEntryId, "failed", reason));
      continue;
    }
    const report = reportIfLeftOut(file, asOf, stages, entries);
    if (report !== null) leftOut.push(report);
    else usable.push(file);
  }
  const {current, replaced} = newestSets(usable);
  for (const {path, feedOrEntryId, by} of replaced)
    leftOut.push(fileWithoutRows(path, feedOrEntryId, "left_out", `replaced by ${by}`));
  for (const file of current) {
    if (file.kind === "market") market.push(file);
    else addToState(states, entries.get(file.feedOrEntryId)!, file);
  }
  return {
    market,
    states,
    leftOut,
    sample: isSample([market, ...[...states.values()].map((s) => s.files)].flat()),
  };
}

/** Digest over all inputs of the market part. */
export function marketDigest(
  files: readonly RawFile[],
  facts: {
    code: string;
    asOf: string;
    earlierBuildId: string | null;
    futuresLicensed: boolean;
    acceptShrunk?: true;
  },
): string {
  return digest("market", {files: files.map(fileFacts), ...facts});
}

/** Digest over all inputs of a state. */
export function stateDigest(
  entries: readonly SourceEntry[],
  files: readonly RawFile[],
  {
    code,
    asOf,
    delta,
    accepted = [],
  }: {code: string; asOf: string; delta: string | null; accepted?: readonly string[]},
): string {
  const found = {...(delta === null ? {} : {delta}), ...(accepted.length === 0 ? {} : {accepted})};
  return digest("parcels", {
    code,
    files: files.map((file) => fileFacts({...file, meta: withoutLook(file.meta)})),
    entries,
    day: stateDay(files, asOf),
    ...found,
  });
}

/**
 * The day that a state's stage takes as today, after which no date can be true: that of the newest file, at most the as-of date. The as-of
 * date itself would change every night, and a state with unchanged files must stay byte-identical.
 */
export function stateDay(files: readonly RawFile[], asOf: string): string {
  const newest =
    files
      .filter(isReadable)
      .map(({retrievedAt}) => retrievedAt.slice(0, 10))
      .sort()
      .at(-1) ?? asOf;
  return newest < asOf ? newest : asOf;
}

/** SHA-256 of a value as JSON, in hex. */
export function sha256OfJson(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function digest(stage: string, content: object): string {
  return sha256OfJson({format: manifestFormat, stage, ...content});
}

function fileFacts({path, sha256, retrievedAt, retrievedAtFrom, meta, fault}: RawFile): unknown[] {
  return [path, sha256, retrievedAt, retrievedAtFrom, meta, ...(fault === undefined ? [] : [fault])];
}

/** Adds entries for pulled layers without their own, from the newest pull; returns the reasons for those that cannot be read. */
function addEntriesOfPulls(
  files: readonly RawFile[],
  stages: Stages,
  entries: Map<string, SourceEntry>,
): Map<string, string> {
  const refused = new Map<string, string>();
  for (const {feedOrEntryId, pull, kind} of files.toReversed()) {
    if (kind !== "parcels" || pull === undefined || entries.has(feedOrEntryId) || refused.has(feedOrEntryId))
      continue;
    const entry = stages.entryOfPull?.(feedOrEntryId, pull.layer) ?? null;
    if (typeof entry === "string") refused.set(feedOrEntryId, entry);
    else if (entry !== null) entries.set(feedOrEntryId, entry);
  }
  return refused;
}

/** Drops `verified_at`: a re-check that found the same bytes must not make the state due. */
function withoutLook(meta: RawFile["meta"]): RawFile["meta"] {
  if (meta === null) return null;
  const {verified_at: _, ...rest} = meta;
  return rest;
}

function reportIfLeftOut(
  file: RawFile,
  asOf: string,
  stages: Stages,
  entries: ReadonlyMap<string, SourceEntry>,
): FileReport | null {
  const report = (status: FileReport["status"], reason: string) =>
    fileWithoutRows(file.path, file.feedOrEntryId, status, reason);
  if (file.kind === "market" && !stages.marketFeeds.includes(file.feedOrEntryId)) {
    return report(
      "no_reader",
      `no market feed is named ${file.feedOrEntryId}; the feeds are ${stages.marketFeeds.join(", ")}`,
    );
  }
  if (file.kind === "parcels" && !entries.has(file.feedOrEntryId)) {
    return report("no_reader", `no entry data/sources/parcels/${file.feedOrEntryId}.json`);
  }
  if (file.retrievedAtFrom === "meta" && file.retrievedAt.slice(0, 10) > asOf) {
    return report("left_out", `retrieved ${file.retrievedAt}, after the as-of date ${asOf}`);
  }
  // An unreadable file still belongs to its part, which keeps the rows it had.
  const wasRead = file.sha256 !== "";
  if (wasRead && file.meta?.sha256 !== undefined && file.meta.sha256 !== file.sha256) {
    return report("failed", `SHA-256 ${file.sha256}, its meta file says ${file.meta.sha256}: fetch it again`);
  }
  return null;
}

function addToState(states: SortedInputs["states"], entry: SourceEntry, file: RawFile): void {
  const {state} = entry.coverage;
  const found = states.get(state) ?? {entries: [], files: []};
  if (!found.entries.includes(entry)) found.entries.push(entry);
  found.files.push(file);
  states.set(state, found);
}

/** False for a file of which only the name is known. */
function isReadable({fault}: RawFile): boolean {
  return fault === undefined;
}

function isSample(files: readonly RawFile[]): boolean {
  const sample = files.find(({meta}) => meta?.sample === true);
  const real = files.find((file) => isReadable(file) && file.meta?.sample !== true);
  if (sample !== undefined && real !== undefined) {
    throw new UserError(`${sample.path} is sample data, ${real.path} is not: they are never built together.`);
  }
  return sample !== undefined;
}
