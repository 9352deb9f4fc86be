import {countWithNoun, countWords} from "../../lib/counts.ts";
import {writeNote} from "../../lib/text/terminal-output.ts";
import type {Cost, PlannedSource} from "../fetch/fetch-plan.ts";
import {isNotWhole, type Outcome} from "../fetch/fetch-states.ts";
import type {FetchSource} from "../fetch/jobs/source-address.ts";
import {concurrentSources, type ProgressListener} from "../fetch/run.ts";
import {isStated, isUndecided} from "../parcels/datasets.ts";
import {print, printJson, textTable} from "./command-line.ts";

/** Free disk space and hours per night, with which a plan is compared. */
type Means = {readonly freeBytes: number; readonly hours: number};

/**
 * Prints a plan: sources, hosts, requests, duration at the polite rate, and bytes; then the nights and disk space needed in total, and what
 * decisions on terms would add.
 */
export function printFetchPlan(plan: readonly PlannedSource[], means: Means, json: boolean): void {
  const lines = plan.map(({source, action, because, hosts, cost}) => ({
    ...{source: source.id, action, because, hosts, ...cost},
    protocol: source.protocol,
    verified: source.verified,
  }));
  if (json) {
    printJson(lines);
    return;
  }
  const due = lines.filter(({action}) => action === "ask");
  printTable(
    ["source", "protocol", "hosts", "requests", "time", "size", "why"],
    due.map(({source, protocol, hosts, requests, seconds, bytes, because, verified}) => [
      source,
      protocol,
      hosts.join(" "),
      `~${requests}`,
      duration(seconds),
      bytes === null ? "?" : size(bytes),
      verified ? because : `${because}; not verified yet`,
    ]),
  );
  const others = plan.filter((planned) => planned.action !== "ask" && !waitsForWord(planned));
  for (const line of linesOfNotAsked(
    others.map(({source, action, because}) => ({source: source.id, status: action, reason: because})),
  ))
    print(line);
  if (due.length === 0) print("nothing to ask");
  else for (const line of sumOfPlan(due, means)) print(line);
  for (const line of linesOfUndecided(plan)) print(line);
}

function sumOfPlan(
  due: readonly (Cost & Pick<PlannedSource, "hosts">)[],
  {freeBytes, hours}: Means,
): string[] {
  const sum = (of: (cost: Cost) => number) => due.reduce((all, each) => all + of(each), 0);
  const requests = countWords(sum((cost) => cost.requests));
  const seconds = minSeconds(due);
  const nights = Math.ceil(seconds / 3600 / hours);
  const bytes = sum((cost) => cost.bytes ?? 0);
  const unmeasuredCount = due.filter(({measured}) => !measured).length;
  return [
    `${due.length} sources, about ${requests} requests, ${duration(seconds)} or more at the polite rate: ${countWithNoun(nights, "night")} of ${hours} h (CATTLE_FETCH_HOURS)`,
    `about ${size(bytes)} on the wire, ${size(sum((cost) => cost.unpackedBytes ?? 0))} unpacked`,
    roomLine({keptBytes: bytes, rows: sum((cost) => cost.rows ?? 0), freeBytes}),
    ...(unmeasuredCount === 0
      ? []
      : [`${unmeasuredCount} of them were never measured: cattle fetch --probe does, in minutes`]),
  ];
}

/** Bytes of disk that a build takes for a row, its staging included, until a build has measured them. */
const buildRowBytes = 1_800;

/** Says what a plan and the build after it need of the disk, and whether that is there. */
function roomLine({
  keptBytes,
  rows,
  freeBytes,
}: {
  keptBytes: number;
  rows: number;
  freeBytes: number;
}): string {
  const buildBytes = rows * buildRowBytes;
  const room = keptBytes + buildBytes < freeBytes ? "" : ": NOT ENOUGH";
  const build = rows === 0 ? "" : `, about ${size(buildBytes)} for the next build (${countWords(rows)} rows)`;
  return `about ${size(keptBytes)} to keep${build}; ${size(freeBytes)} free on the disk${room}`;
}

/** What a plan and the build after it need of the disk, where that is more than there is; else null. */
export function lackOfRoom(plan: readonly PlannedSource[], freeBytes: number): string | null {
  const costs = plan.flatMap(({action, cost}) => (action === "ask" ? [cost] : []));
  const sum = (of: (cost: Cost) => number | null) => costs.reduce((all, cost) => all + (of(cost) ?? 0), 0);
  const line = roomLine({keptBytes: sum(({bytes}) => bytes), rows: sum(({rows}) => rows), freeBytes});
  return line.endsWith("NOT ENOUGH") ? line : null;
}

/** True for a source on whose terms nobody has decided; it is only listed under what the operator's decision would add. */
function waitsForWord({source: {entry}, action}: PlannedSource): boolean {
  return action === "not allowed" && entry !== null && isUndecided(entry);
}

/** Lists what the sources awaiting the operator's decision would add, with their terms where known. */
function linesOfUndecided(plan: readonly PlannedSource[]): string[] {
  const waiting = plan.filter(waitsForWord);
  if (waiting.length === 0) return [];
  const each = waiting.map(({source: {id, state, entry}, cost}) => {
    const words = isStated(entry!.licence) ? [`its words: "${entry!.licence}"`] : [];
    return `${id} (${[state, duration(cost.seconds), size(cost.bytes ?? 0), ...words].join(", ")})`;
  });
  return [
    `${waiting.length} more sources are available once you accept their terms: ${each.join("; ")}`,
    "the words and the pages to read: cattle sources terms; to decide: cattle sources allow ID --licence TEXT --evidence URL",
  ];
}

/** Returns the minimum duration of a plan: sources on one host run in sequence, others in parallel up to the limit. */
export function minSeconds(due: readonly (Pick<PlannedSource, "hosts"> & Pick<Cost, "seconds">)[]): number {
  const ofHost = Map.groupBy(due, ({hosts}) => hosts[0] ?? "");
  const sums = [...ofHost.values()].map((group) => group.reduce((sum, {seconds}) => sum + seconds, 0));
  return Math.max(0, ...sums, sums.reduce((all, seconds) => all + seconds, 0) / concurrentSources);
}

type NotAsked = {readonly source: string; readonly status: string; readonly reason: string | null};

/** Returns a line per status for sources that are not fetched; those with the same reason are grouped. */
export function linesOfNotAsked(sources: readonly NotAsked[]): string[] {
  return [...Map.groupBy(sources, ({status}) => status)].map(([status, group]) => {
    const byReason = [...Map.groupBy(group, ({reason}) => reason ?? "")].map(([reason, same]) => {
      const ids = same.map(({source}) => source).join(", ");
      return reason === "" ? ids : `${ids} (${reason})`;
    });
    return `${status}: ${byReason.join("; ")}`;
  });
}

/** Prints the outcome of each source. Sources that were not fetched come last, one line per status. */
export function printOutcomes(outcomes: readonly Outcome[], json: boolean): void {
  if (json) {
    printJson(outcomes);
    return;
  }
  const attempts = outcomes.filter(
    (outcome) => outcome.requests > 0 || (isNotWhole(outcome) && outcome.status !== "not reached"),
  );
  printTable(
    ["source", "outcome", "new", "unchanged", "requests", "time", "reason"],
    attempts.map(({source, status, files, unchanged, requests, seconds, reason}) => [
      source,
      status,
      files,
      unchanged,
      requests,
      duration(seconds),
      reason ?? "",
    ]),
  );
  for (const {source, losses} of attempts) for (const loss of losses) print(`${source} lacks: ${loss}`);
  for (const {source, notes} of attempts) for (const note of notes) print(`${source}: ${note}`);
  if (isWithoutNetwork(attempts)) print(noNetwork);
  for (const line of linesOfNotAsked(outcomes.filter((outcome) => !attempts.includes(outcome)))) print(line);
}

/** A line for each thing that only a person can mend: a refused key, a layer that moved, an answer that is no such answer, a fact that went missing; each with its cure. */
export function linesToMend(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap(({source, status, reason, fault, losses}) => [
    ...(status === "key refused" || fault === "moved" || fault === "refused" ? [`${source}: ${reason}`] : []),
    ...losses.map((loss) => `${source} lacks ${loss}`),
  ]);
}

const noNetwork =
  "no host was reached: is this machine on the network? Where a proxy stands in between, CATTLE_PROXY names it.";

/** True where every source failed because its host could not be found or reached, which is seldom the fault of all publishers. */
function isWithoutNetwork(attempts: readonly Outcome[]): boolean {
  return attempts.length > 1 && attempts.every(({fault}) => fault === "unreached");
}

function printTable(head: readonly string[], rows: Parameters<typeof textTable>[1]): void {
  if (rows.length > 0) print(textTable(head, rows));
}

/** Formats bytes for people. */
export function size(bytes: number): string {
  if (bytes < 2 ** 20) return `${Math.ceil(bytes / 1024)} KiB`;
  return bytes < 2 ** 30 ? `${Math.ceil(bytes / 2 ** 20)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/** Formats a duration for people. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return seconds < 3600 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

const betweenLinesMs = 5000;

/** Shows the progress of each source on stderr: a line at its start and end, and at most one every five seconds in between. */
export function progressOnStderr(write = (text: string) => writeNote(text)): ProgressListener {
  const shownAt = new Map<string, number>();
  const line = (source: FetchSource["id"], text: string) => write(`${source}  ${text}\n`);
  return {
    begins: ({id}) => {
      shownAt.set(id, performance.now());
      line(id, "asking");
    },
    says: ({id}, text) => {
      if (performance.now() - (shownAt.get(id) ?? 0) < betweenLinesMs) return;
      shownAt.set(id, performance.now());
      line(id, text);
    },
    ends: ({source, status, reason, seconds}) =>
      line(source, `${status}${reason === null ? "" : `: ${reason}`}  ${duration(seconds)}`),
  };
}
