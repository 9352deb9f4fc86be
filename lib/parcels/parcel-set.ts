import {existsSync} from "node:fs";
import {basename, join} from "node:path";
import {
  type ArrowTable,
  checkRow,
  guardBuffer,
  type KeyIndex,
  mapFile,
  openArrowTable,
  openKeyIndex,
  openSpatialIndex,
  openTermIndex,
  type SpatialIndex,
  type TermIndex,
} from "@open-cattle/mapped-index";
import {outlineHolds, type Point} from "@open-cattle/parcel-outlines";
import type {StatePart} from "../../schemas/manifest.ts";
import {UserError} from "../errors.ts";
import {blockSumsName, openBlockSums} from "../storage/arrow-file/block-sums.ts";
import {stateTablePath} from "../storage/build-layout.ts";
import type {ProvenanceFacts} from "./record/provenance.ts";
import {provenanceReader, readStateKinds} from "./record/provenance-file.ts";
import type {StoredRecord} from "./record/stored-record.ts";

/** Outlines of a state's parcels, by row. They only answer containment and never leave the server. */
export type Outlines = {
  has(row: number): boolean;
  /**
   * True when the row's outline contains the point; false also without an outline. A point on an edge may
   * count as either.
   */
  holds(row: number, point: Point): boolean;
};

/**
 * The parcels of one state, as lookups see them. Members may be read in place from mapped files or held in
 * memory; lookups do not know the difference.
 */
export type ParcelSet = {
  /** Two letters. */
  readonly state: string;
  /** Where the rows come from, for `metadata.lookup.origin`. */
  readonly origin: "dataset" | "delta" | "cadastre";
  readonly parcels: ArrowTable;
  /**
   * Spellings of parcel numbers; bits of `form`: 1 std, 2 loose, 4 std of another id, 8 loose of another id.
   */
  readonly ids: KeyIndex;
  /**
   * Keys of `packages/us-address/src/address-keys.ts`, and those of the state's places
   * (`lib/parcels/matching/known-places.ts`).
   */
  readonly addresses: KeyIndex;
  readonly owners: TermIndex;
  /** Null when no row has a point. */
  readonly points: SpatialIndex | null;
  /** Null when no boundary is loaded. */
  readonly outlines: Outlines | null;
  /**
   * Rows that no answer shows, because rows of another set replace them. The set may grow while it is read.
   */
  readonly hidden?: ReadonlySet<number>;
  /** Throws a `DamagedFileError` for a damaged record. */
  record(row: number): StoredRecord;
};

/** The set with other hidden rows. Its members are not copied, since a set may be mapped from files. */
export function withHidden<Of extends ParcelSet>(set: Of, hidden: ReadonlySet<number>): Of {
  return Object.create(set, {hidden: {value: hidden, enumerable: true}}) as Of;
}

/** One state of a build: its parcels and its part of the manifest. */
export type StateArtifacts = ParcelSet & {
  readonly part: StatePart;
  /** The path of the Parquet file with all columns of the parcels. */
  readonly table: string;
  /** The origins that its rows name by number. */
  origins(): readonly ProvenanceFacts[];
};

/**
 * Opens a state's serving files in its folder `serving/parcels/XX`. Files are mapped now and read when a
 * lookup first needs them. Throws a `UserError` for a file that is missing, truncated, or not of the
 * manifest's size. Reading a damaged byte throws a `DamagedFileError`.
 */
export function openStateArtifacts(folder: string, part: StatePart): StateArtifacts {
  const mapped = (name: string) => mapFile(join(folder, name), sizeOf(part, name)).buffer;
  const sums = once(() => openBlockSums(mapped(blockSumsName), join(folder, blockSumsName)));
  const lazily = <T>(name: string, open: (buffer: ArrayBuffer, name: string) => T): (() => T) => {
    const buffer = mapped(name);
    return once(() => {
      const path = join(folder, name);
      const sumsOfFile = sums()(name);
      if (sumsOfFile !== null) guardBuffer(buffer, {path, sums: sumsOfFile});
      return open(buffer, path);
    });
  };
  const parcels = lazily("columns.arrow", openArrowTable);
  const records = lazily("records.arrow", openArrowTable);
  const provenance = lazily("provenance.arrow", openArrowTable);
  const ids = lazily("parcel_ids.arrow", openKeyIndex);
  const addresses = lazily("addresses.arrow", openKeyIndex);
  const owners = lazily("owners.arrow", openTermIndex);
  const points = part.point_count === 0 ? () => null : lazily("parcels.flatbush", openSpatialIndex);
  const hasOutlines = existsSync(join(folder, "boundaries.arrow"));
  const outlines = hasOutlines ? lazily("boundaries.arrow", openOutlines) : () => null;
  const reader = once(() => recordReader(records(), provenance(), folder));
  return {
    state: stateOfFolder(folder),
    origin: "dataset",
    part,
    table: join(folder, "../../..", stateTablePath("parcels", stateOfFolder(folder))),
    origins: () => readStateKinds(provenance()).origins,
    get parcels() {
      return parcels();
    },
    get ids() {
      return ids();
    },
    get addresses() {
      return addresses();
    },
    get owners() {
      return owners();
    },
    get points() {
      return points();
    },
    get outlines() {
      return outlines();
    },
    record: (row) => reader()(row),
  };
}

function stateOfFolder(folder: string): string {
  const state = /^[A-Z]{2}$/.exec(basename(folder))?.[0];
  if (state === undefined) throw new UserError(`${folder}: not named for a state, "XX".`);
  return state;
}

function sizeOf(part: StatePart, name: string): number | undefined {
  return part.files.find(({path}) => path.endsWith(`/${name}`))?.size;
}

function once<T>(make: () => T): () => T {
  let made: {value: T} | undefined;
  return () => {
    made ??= {value: make()};
    return made.value;
  };
}

/** Reads and verifies the records of a state. */
function recordReader(
  records: ArrowTable,
  provenance: ArrowTable,
  folder: string,
): (row: number) => StoredRecord {
  const [texts, numbers, urls] = [
    records.text("values"),
    records.number("provenance"),
    records.text("source_url"),
  ];
  const checksums = records.number("crc32");
  const provenanceOf = provenanceReader(provenance, join(folder, "provenance.arrow"));
  const path = join(folder, "records.arrow");
  return (row) => {
    const [text, url, number] = [texts.slice(row), urls.slice(row), numbers.at(row) ?? 0];
    checkRow([text, url], {path, row, other: number, checksum: checksums.at(row)});
    const provenance = provenanceOf(number);
    return {facts: provenance.factsOf(text), provenance, sourceUrl: urls.at(row)};
  };
}

/**
 * Opens `boundaries.arrow` in place: `row` ascending, and the outline as WKB. Throws a `UserError` for any
 * other file.
 */
function openOutlines(buffer: ArrayBuffer, name = "boundaries"): Outlines {
  const table = openArrowTable(buffer, name);
  const rows = table.number("row");
  const outlines = table.bytes("wkb");
  const find = (row: number): number => {
    const place = rows.lowerBound(row);
    return place < table.rows && rows.at(place) === row ? place : -1;
  };
  return {
    has: (row) => find(row) >= 0,
    holds(row, point) {
      const place = find(row);
      const wkb = place < 0 ? null : outlines.at(place);
      return wkb !== null && outlineHolds(wkb, point);
    },
  };
}
