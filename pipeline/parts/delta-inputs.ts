import {readFile} from "node:fs/promises";
import {join, relative} from "node:path";
import {fileDifference} from "@open-cattle/safe-files";
import {DeltaReader, type NonFileEntry, type SegmentReading} from "../../lib/delta/delta-folder.ts";
import {Overlay, type PlacedRecord, parcelKey} from "../../lib/delta/overlay.ts";
import {crcText} from "../../lib/delta/segment-files.ts";
import {messageOf, UserError} from "../../lib/errors.ts";
import {carriedPath} from "../../lib/storage/build-layout.ts";
import {type FileReport, fileWithoutRows} from "../../schemas/build-report.ts";
import {DeltaUpsert} from "../../schemas/delta-record.ts";
import type {DeltaMark} from "../../schemas/manifest.ts";
import {sha256OfJson} from "./inputs.ts";
import type {Published} from "./published-builds.ts";

/** The delta of one state: the newest record of each parcel, ordered by key. */
export type StateDelta = {
  readonly records: readonly PlacedRecord<DeltaUpsert>[];
  /** Damaged lines that no build has merged yet, in segments with records of the state. */
  readonly damage: readonly {segment: string; lines: number}[];
  /** Digest over records and damage; an input of the state. */
  readonly sha256: string;
  /** Why the records that the published build carries cannot be read; without them the state would lose parcels. */
  readonly fault?: string | undefined;
};

/** Record counts of one delta folder: rowsIn = accepted + rejected + merged. */
export type DeltaCounts = {
  readonly folder: string;
  readonly segments: number;
  /** Lines of found parcels, including damaged ones. */
  readonly rowsIn: number;
  /** Records that are the newest of their parcel. */
  readonly accepted: number;
  /** Damaged lines, and records from the future. */
  readonly rejected: number;
  /** Records dated after today: a clock was wrong, and they would outrank everything. */
  readonly fromTheFuture: number;
  /** Records superseded by a newer one of the same parcel, and copies of a record in another folder. */
  readonly merged: number;
};

/** The delta at the start of a build. */
export type DeltaInputs = {
  readonly states: ReadonlyMap<string, StateDelta>;
  /** Returns the end of each segment, live or retired, at that time: the watermarks of a state in the new build. */
  marksOf(state: string): readonly DeltaMark[];
  /**
   * Damaged lines that no build has merged yet, in segments without a sound record of any state. Unless a person accepts the damage no state
   * has a watermark there, so that the segment, which may hold the only copy of a parcel, is kept.
   */
  readonly unclaimedDamage: StateDelta["damage"];
  /** Counts per folder that has a segment. */
  readonly counts: readonly DeltaCounts[];
  /** Entries named like a segment that are no files. */
  readonly leftOut: readonly FileReport[];
};

/**
 * Reads the parcels found on misses: the records that the published build carries, and those of every segment in these folders up to its
 * last valid line. A folder may be a copy from another server; a segment present in two of them counts once, in its longest copy. Takes no
 * lock, writes nothing and contacts no server (`docs/design/reliability.md` section 3.4). Records dated after today are skipped and
 * counted. Throws for a segment that cannot be read.
 */
export async function readDeltaInputs(
  folders: readonly string[],
  current: Published | null,
  {today = new Date().toISOString().slice(0, 10), acceptDamage = false} = {},
): Promise<DeltaInputs> {
  const overlay = new Overlay();
  const {carried, faults} = await carriedRecords(current);
  for (const placed of carried) {
    if (!isFromTheFuture(placed.record, today)) overlay.fold(placed);
  }
  const readFolders: ReadFolder[] = [];
  for (const folder of folders) readFolders.push(await readFolder(folder, overlay, today));
  const byState = Map.groupBy(overlay.parcels(), ({record}) => record.key.state);
  const readings = longestCopies(readFolders.flatMap((each) => each.readings));
  const seen = new Map<string, Set<string>>();
  for (const {segmentsOf} of readFolders) {
    for (const [state, segments] of segmentsOf) for (const segment of segments) addTo(seen, state, segment);
  }
  const unclaimedDamage = unclaimed(readings, [...seen.values()], current);
  const isLeft = ({file}: SegmentReading) =>
    !acceptDamage && unclaimedDamage.some(({segment}) => segment === file.name);
  const marks = readings.filter((reading) => !isLeft(reading)).map(markOf);
  const states = [...new Set([...byState.keys(), ...seen.keys(), ...faults.keys()])].sort();
  return {
    states: new Map(
      states.map((state) => {
        const damage = damageOf(readings, seen.get(state) ?? new Set(), marksIn(current, state));
        return [state, {...stateDelta(byState.get(state) ?? [], damage), fault: faults.get(state)}];
      }),
    ),
    marksOf: () => marks,
    unclaimedDamage,
    counts: countsOf(readFolders, overlay),
    leftOut: readFolders.flatMap(({folder, nonFiles}) =>
      nonFiles.map(({path, fault}) =>
        fileWithoutRows(
          `delta/${relative(folder, path)}`,
          "delta",
          "failed",
          `${path}: ${fault}; remove it.`,
        ),
      ),
    ),
  };
}

type ReadFolder = {
  readonly folder: string;
  readonly readings: readonly SegmentReading[];
  readonly nonFiles: readonly NonFileEntry[];
  /** Positions of the parcel records. */
  readonly places: readonly string[];
  /** Segments with records of a state, by state. */
  readonly segmentsOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly fromTheFuture: number;
};

/** True for a record retrieved after today, written by a clock that was ahead. */
function isFromTheFuture({provenance}: DeltaUpsert, today: string): boolean {
  return provenance.retrievedAt.slice(0, 10) > today;
}

async function readFolder(folder: string, overlay: Overlay, today: string): Promise<ReadFolder> {
  let fromTheFuture = 0;
  const reader = new DeltaReader(folder);
  const places: string[] = [];
  const segmentsOf = new Map<string, Set<string>>();
  await reader.poll((placed) => {
    if (placed.record.kind === "upsert" && isFromTheFuture(placed.record, today)) {
      fromTheFuture += 1;
      addTo(segmentsOf, placed.record.key.state, placed.segment);
      return;
    }
    overlay.fold(placed);
    if (placed.record.kind !== "upsert") return;
    places.push(placeOf(placed));
    addTo(segmentsOf, placed.record.key.state, placed.segment);
  });
  return {
    folder,
    readings: reader.segments(),
    nonFiles: reader.nonFiles(),
    places,
    segmentsOf,
    fromTheFuture,
  };
}

/** Returns each segment once, ordered by name: the longest copy, since a copy is a prefix, and among those the least damaged. */
function longestCopies(readings: readonly SegmentReading[]): SegmentReading[] {
  const longest = new Map<string, SegmentReading>();
  for (const reading of readings) {
    const known = longest.get(reading.file.name);
    if (known === undefined || isBetterCopy(reading.state, known.state))
      longest.set(reading.file.name, reading);
  }
  return [...longest.values()].sort((a, b) => (a.file.name < b.file.name ? -1 : 1));
}

function isBetterCopy(one: SegmentReading["state"], other: SegmentReading["state"]): boolean {
  if (one.validBytes !== other.validBytes) return one.validBytes > other.validBytes;
  return one.badLines < other.badLines;
}

function countsOf(read: readonly ReadFolder[], overlay: Overlay): DeltaCounts[] {
  const newest = new Set([...overlay.parcels()].map(placeOf));
  return read
    .filter(({readings}) => readings.length > 0)
    .map(({folder, readings, places, fromTheFuture}) => {
      // Positions already counted in an earlier folder are gone, so a copied record counts as merged here.
      const accepted = places.filter((place) => newest.delete(place)).length;
      const rejected = fromTheFuture + readings.reduce((sum, {state}) => sum + state.badLines, 0);
      const merged = places.length - accepted;
      return {
        folder,
        segments: readings.length,
        rowsIn: places.length + rejected,
        accepted,
        rejected,
        fromTheFuture,
        merged,
      };
    });
}

function placeOf({segment, end}: PlacedRecord): string {
  return `${segment} ${end}`;
}

/** Serialises a state's records for the next build, one JSON object per line. */
export function carriedText(records: StateDelta["records"]): string {
  return records.map((placed) => `${JSON.stringify(placed)}\n`).join("");
}

/** Returns a published state's watermarks by segment; empty without the build or the state. */
export function marksIn(build: Published | null, state: string): ReadonlyMap<string, DeltaMark> {
  return new Map((build?.manifest.states[state]?.delta ?? []).map((mark) => [mark.segment, mark]));
}

/** Makes a state's delta from its records in any order. */
function stateDelta(records: readonly PlacedRecord<DeltaUpsert>[], damage: StateDelta["damage"]): StateDelta {
  const sorted = [...records].sort((a, b) => (parcelKey(a.record) < parcelKey(b.record) ? -1 : 1));
  const sha256 = sha256OfJson([sorted.map(({record, segment}) => [record, segment]), damage]);
  return {records: sorted, damage, sha256};
}

async function carriedRecords(build: Published | null) {
  const carried: PlacedRecord<DeltaUpsert>[] = [];
  const faults = new Map<string, string>();
  for (const [state, {files}] of Object.entries(build?.manifest.states ?? {})) {
    const file = files.find(({path}) => path === carriedPath(state));
    if (file === undefined) continue;
    const path = join(build!.dir, file.path);
    try {
      const fault = await fileDifference(path, file, "full");
      if (fault !== null) throw new UserError(fault);
      carried.push(...readCarried(await readFile(path, "utf8")));
    } catch (error) {
      faults.set(state, `${path}: ${messageOf(error)}. Roll back, or restore it from a backup.`);
    }
  }
  return {carried, faults};
}

/** Parses a file of carried records. Throws for text that no build wrote. */
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

/** The damage that was not accepted before, in segments that belong to none of these sets. */
function unclaimed(
  readings: readonly SegmentReading[],
  claimed: readonly ReadonlySet<string>[],
  current: Published | null,
): StateDelta["damage"] {
  const marks = Object.keys(current?.manifest.states ?? {}).flatMap((state) => [
    ...marksIn(current, state).values(),
  ]);
  return readings.flatMap(({file: {name: segment}, state: {badLines}}) => {
    if (claimed.some((segments) => segments.has(segment))) return [];
    const accepted = marks.filter((mark) => mark.segment === segment).map((mark) => mark.bad_lines);
    const lines = badLines - Math.max(0, ...accepted);
    return lines > 0 ? [{segment, lines}] : [];
  });
}

function addTo(sets: Map<string, Set<string>>, key: string, item: string): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(item));
}
