import {existsSync} from "node:fs";
import {basename, join} from "node:path";
import type {StatePart} from "../../schemas/manifest.ts";
import {UserError} from "../errors.ts";
import {type KeyIndex, openKeyIndex} from "../search/key-index.ts";
import {openSpatialIndex, type SpatialIndex} from "../search/spatial-index.ts";
import {openTermIndex, type TermIndex} from "../search/term-index.ts";
import {type ArrowTable, openArrowTable} from "../storage/arrow-table/open.ts";
import {mapFile} from "../storage/mapped-file.ts";
import {type Outlines, openOutlines} from "./outlines.ts";
import type {ParcelRow, ProvenanceFacts} from "./parcel-row.ts";
import {rowReader} from "./row-reader.ts";

/**
 * The parcels of one state as the lookups search them. All members may be read in place from mapped files, or be held in
 * memory: the lookups know only this.
 */
export type ParcelSet = {
  /** Two letters. */
  readonly state: string;
  /** The origin of the rows, for `metadata.lookup.origin`. */
  readonly origin: "dataset" | "delta" | "cadastre";
  readonly parcels: ArrowTable;
  /** Forms of parcel numbers; bits of a form: 1 std, 2 loose, 4 std of another id, 8 loose of another id. */
  readonly ids: KeyIndex;
  /** Keys of `lib/parcels/address/address-keys.ts`, and of the places of the state (`lib/parcels/matching/known-places.ts`). */
  readonly addresses: KeyIndex;
  readonly owners: TermIndex;
  /** Null when no row has a point. */
  readonly points: SpatialIndex | null;
  /** Null when no boundary is loaded. */
  readonly outlines: Outlines | null;
  row(row: number): ParcelRow;
};

/** One state of a build: its parcels, and what the manifest says of it. */
export type StateArtifacts = ParcelSet & {readonly part: StatePart};

/**
 * Opens the serving files of a state's folder. Files are mapped now and read when a lookup first needs them. Throws
 * `UserError` for a file that is missing, cut, or not of the size in the manifest.
 */
export function openStateArtifacts(folder: string, part: StatePart): StateArtifacts {
  const mapped = (name: string) => mapFile(join(folder, name), sizeOf(part, name)).buffer;
  const lazily = <T>(name: string, open: (buffer: ArrayBuffer, name: string) => T): (() => T) => {
    const buffer = mapped(name);
    return once(() => open(buffer, join(folder, name)));
  };
  const parcels = lazily("parcels.arrow", openArrowTable);
  const provenance = lazily("provenance.arrow", readProvenance);
  const ids = lazily("parcel_ids.arrow", openKeyIndex);
  const addresses = lazily("addresses.arrow", openKeyIndex);
  const owners = lazily("owners.arrow", openTermIndex);
  const points = part.point_count === 0 ? () => null : lazily("parcels.flatbush", openSpatialIndex);
  const hasOutlines = existsSync(join(folder, "boundaries.arrow"));
  const outlines = hasOutlines ? lazily("boundaries.arrow", openOutlines) : () => null;
  const reader = once(() => rowReader(parcels(), provenance()));
  return {
    state: stateOfFolder(folder),
    origin: "dataset",
    part,
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
    row: (row) => reader()(row),
  };
}

function stateOfFolder(folder: string): string {
  const state = /^state=([A-Z]{2})$/.exec(basename(folder))?.[1];
  if (state === undefined) throw new UserError(`${folder}: not a folder "state=XX".`);
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

/** The provenance table is a few dozen rows per source: it is copied out, by id. */
function readProvenance(buffer: ArrayBuffer, name: string): ReadonlyMap<number, ProvenanceFacts> {
  const table = openArrowTable(buffer, name);
  const ids = table.number("provenance_id");
  const text = (column: string, row: number) => table.string(column).at(row);
  const facts = new Map<number, ProvenanceFacts>();
  for (let row = 0; row < table.rows; row++) {
    facts.set(ids.at(row) ?? 0, {
      sourceId: text("source_id", row) ?? "",
      vintage: text("vintage", row),
      vintageBasis: text("vintage_basis", row) ?? "retrieved",
      retrievedAt: text("retrieved_at", row),
      authority: text("authority", row) ?? "unknown",
      proposedMap: false,
    });
  }
  return facts;
}
