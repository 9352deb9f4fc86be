import {readFile} from "node:fs/promises";
import {join} from "node:path";
import {DeltaReader, type SegmentReading} from "../../lib/delta/delta-folder.ts";
import {crcText} from "../../lib/delta/line.ts";
import {Overlay, type PlacedRecord, parcelKey} from "../../lib/delta/overlay.ts";
import {UserError} from "../../lib/errors.ts";
import {fileFault} from "../../lib/storage/build-files.ts";
import {carriedPath} from "../../lib/storage/build-layout.ts";
import {DeltaUpsert} from "../../schemas/delta-record.ts";
import type {DeltaMark} from "../../schemas/manifest.ts";
import {sha256OfJson} from "./inputs.ts";
import type {Published} from "./published.ts";

/** The part of the delta that belongs to one state: the newest record of each parcel, in the order of their keys. */
export type StateDelta = {
  readonly records: readonly PlacedRecord<DeltaUpsert>[];
  /** Damaged lines that no build has merged yet, in segments with records of the state. */
  readonly damage: readonly {segment: string; lines: number}[];
  /** Digest over records and damage: an input of the state. */
  readonly sha256: string;
};

/** The delta at the start of a build. */
export type DeltaInputs = {
  readonly states: ReadonlyMap<string, StateDelta>;
  /** Gives the end of each segment, live or retired, at that time: the watermarks of a state that the build makes. */
  marksOf(state: string): readonly DeltaMark[];
};

/**
 * Reads the parcels that were found on misses: the records that the published build carries, and those of every segment up to
 * its last valid line. It takes no lock and talks to no server (`docs/design/reliability.md` section 3.4). Throws a `UserError`
 * for a damaged file of carried records.
 */
export async function readDeltaInputs(deltaFolder: string, current: Published | null): Promise<DeltaInputs> {
  const overlay = new Overlay();
  for (const placed of await carriedRecords(current)) overlay.fold(placed);
  const reader = new DeltaReader(deltaFolder);
  const seen = new Map<string, Set<string>>();
  await reader.poll((placed) => {
    overlay.fold(placed);
    if (placed.record.kind === "upsert") addTo(seen, placed.record.key.state, placed.segment);
  });
  const byState = Map.groupBy(overlay.parcels(), ({record}) => record.key.state);
  const readings = reader.segments();
  const marks = readings.map(markOf);
  const states = [...new Set([...byState.keys(), ...seen.keys()])].sort();
  return {
    states: new Map(
      states.map((state) => {
        const damage = damageOf(readings, seen.get(state) ?? new Set(), marksIn(current, state));
        return [state, stateDelta(byState.get(state) ?? [], damage)];
      }),
    ),
    marksOf: () => marks,
  };
}

/** Gives the text of the file that carries a state's records to the next build, one JSON object to a line. */
export function carriedText(records: StateDelta["records"]): string {
  return records.map((placed) => `${JSON.stringify(placed)}\n`).join("");
}

/** Gives the watermarks of a published state by segment; empty without a build or without the state. */
export function marksIn(build: Published | null, state: string): ReadonlyMap<string, DeltaMark> {
  return new Map((build?.manifest.states[state]?.delta ?? []).map((mark) => [mark.segment, mark]));
}

/** Gives a state's delta from its records in any order. */
function stateDelta(records: readonly PlacedRecord<DeltaUpsert>[], damage: StateDelta["damage"]): StateDelta {
  const sorted = [...records].sort((a, b) => (parcelKey(a.record) < parcelKey(b.record) ? -1 : 1));
  const sha256 = sha256OfJson([sorted.map(({record, segment}) => [record, segment]), damage]);
  return {records: sorted, damage, sha256};
}

async function carriedRecords(build: Published | null): Promise<PlacedRecord<DeltaUpsert>[]> {
  const files = Object.entries(build?.manifest.states ?? {}).flatMap(([state, part]) =>
    part.files.filter(({path}) => path === carriedPath(state)),
  );
  const carried: PlacedRecord<DeltaUpsert>[] = [];
  for (const file of files) {
    const path = join(build!.dir, file.path);
    const fault = await fileFault(path, file, "full");
    // No other file may hold these parcels any more: to go on without them would lose them.
    if (fault !== null) throw new UserError(`${path}: ${fault}. Roll back, or restore it from a backup.`);
    carried.push(...readCarried(await readFile(path, "utf8")));
  }
  return carried;
}

/** Gives the records of a file of carried rows. Throws for text that no build wrote. */
export function readCarried(text: string): PlacedRecord<DeltaUpsert>[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const {record, segment, end} = JSON.parse(line) as PlacedRecord<DeltaUpsert>;
    return {record: DeltaUpsert.parse(record), segment, end};
  });
}

function markOf({file, state}: SegmentReading): DeltaMark {
  const {validBytes: bytes, records, badLines: bad_lines, crcOfCrcs} = state;
  return {segment: file.name, bytes, records, bad_lines, crc: crcText(crcOfCrcs)};
}

function damageOf(
  readings: readonly SegmentReading[],
  segments: ReadonlySet<string>,
  marks: ReadonlyMap<string, DeltaMark>,
): StateDelta["damage"] {
  return readings.flatMap(({file, state}) => {
    const lines = state.badLines - (marks.get(file.name)?.bad_lines ?? 0);
    return segments.has(file.name) && lines > 0 ? [{segment: file.name, lines}] : [];
  });
}

function addTo(sets: Map<string, Set<string>>, key: string, item: string): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(item));
}
