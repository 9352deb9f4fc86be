import {geometryFromEsri, summarizeGeometry} from "@open-cattle/parcel-outlines";
import type {Geometry, Position} from "geojson";
import {type DbfTable, dbfAccount, openDbf} from "./dbf.ts";
import {type FileWindow, openWindow} from "./file-window.ts";
import {
  atLeastOne,
  FileError,
  type FileFormat,
  type FileRow,
  NotATable,
  noRows,
  type ParcelFile,
} from "./parcel-file.ts";
import {fileBeside, sourceProjection, textOfFile} from "./source-crs.ts";

const headerBytes = 100;
const fileCode = 9994;
const nothing = 0;
const points = [1, 11, 21];
const lines = [3, 13, 23];
const polygons = [5, 15, 25];
const pointSets = [8, 18, 28];

/** The shapes of a .shp, numbered from 0. */
type Shapes = AsyncDisposable & {
  /** Number of shapes according to the .shx; null without one, in which case shapes must be read in order. */
  readonly count: number | null;
  /** The bytes of the .shp and .shx that were read so far, and those that no shape has. */
  bytes(): {read: number; skipped: number};
  /** Returns a shape as two-dimensional GeoJSON in the file's coordinates; null for an empty one and for lines. */
  shape(record: number): Promise<Geometry | null>;
};

type ShapePlace = {readonly offset: number; readonly length: number};

/** Extensions of a .shp's companion files. */
const parts = ["dbf", "shx", "prj", "cpg", "sbn", "sbx", "qix", "fbn", "fbx", "ain", "aih", "qpj", "cst"];

/** Reads a shapefile with its companion .dbf, .shx, .prj and .cpg (ESRI Shapefile Technical Description, July 1998). */
export const shapefileFormat: FileFormat = {
  name: "shapefile",
  accepts: ({extension}) => extension === "shp",
  async open(file, {crs, encoding}) {
    const {path, shownPath, siblings} = file;
    const attributes = fileBeside(path, siblings, "dbf");
    if (attributes === undefined)
      throw new FileError(
        `${shownPath}: no .dbf of this name beside it; the attributes of the parcels were expected there.`,
      );
    const project = sourceProjection(
      crs,
      {wkt: await textOfFile(fileBeside(path, siblings, "prj"))},
      `${shownPath} (no .prj beside it that says it)`,
    );
    await using opened = new AsyncDisposableStack();
    const shapes = opened.use(await openShapes(path, fileBeside(path, siblings, "shx"), shownPath));
    const table = opened.use(
      await openDbf({...file, path: attributes, shownPath: `${shownPath} (its .dbf)`}, encoding),
    );
    if (shapes.count !== null && shapes.count !== table.records) {
      throw new FileError(
        `${shownPath}: ${shapes.count} shapes, but ${table.records} records of attributes beside it: the files do not belong together.`,
      );
    }
    const open = opened.move();
    return {
      columns: table.columns,
      remark: table.remark,
      rows: (needed = table.columns) =>
        atLeastOne(records({shapes, table, needed}, project), `${shownPath}: ${noRows}`),
      account(count) {
        const {bytes, rows} = dbfAccount(table, count);
        const {read, skipped} = shapes.bytes();
        const all = {read: bytes.read + read, skipped: {...bytes.skipped, between_shapes: skipped}};
        return {bytes: all, rows};
      },
      [Symbol.asyncDispose]: () => open.disposeAsync(),
    };
  },
};

/** Skips a file that is read together with the .shp of the same name. */
export const shapefilePartFormat: FileFormat = {
  name: "part of a shapefile",
  accepts: (file) => parts.includes(file.extension) && mainFile(file) !== undefined,
  async open({shownPath}) {
    throw new NotATable(`${shownPath}: read with the .shp of its name.`);
  },
};

function mainFile({path, siblings}: ParcelFile): string | undefined {
  return fileBeside(path, siblings, "shp");
}

type OpenShapefile = {readonly shapes: Shapes; readonly table: DbfTable; readonly needed: readonly string[]};

async function* records(
  {shapes, table, needed}: OpenShapefile,
  project: Parameters<typeof summarizeGeometry>[1],
): AsyncGenerator<FileRow> {
  for (let record = 0; record < table.records; record++) {
    const shape = await shapes.shape(record);
    const cells = await table.cells(record, needed);
    if (cells !== null) yield {cells, geometry: summarizeGeometry(shape, project)};
  }
}

/** Opens a .shp, with its .shx if there is one. Throws a `FileError` if the file is no shapefile or is truncated. */
async function openShapes(path: string, indexPath: string | undefined, shownPath: string): Promise<Shapes> {
  const window = await openWindow(path, shownPath);
  const index = indexPath === undefined ? null : await openWindow(indexPath, `${shownPath} (its .shx)`);
  const close = async () => {
    await window[Symbol.asyncDispose]();
    await index?.[Symbol.asyncDispose]();
  };
  try {
    await checkHeader(window, shownPath);
    if (index !== null) await checkHeader(index, `${shownPath} (its .shx)`);
  } catch (error) {
    await close();
    throw error;
  }
  let next = headerBytes;
  let readBytes = headerBytes;
  const count = index === null ? null : Math.floor((index.size - headerBytes) / 8);
  return {
    count,
    bytes: () => {
      const all = window.size + (index?.size ?? 0);
      const ofIndex = count === null ? 0 : headerBytes + count * 8;
      return {read: readBytes + ofIndex, skipped: all - readBytes - ofIndex};
    },
    async shape(record) {
      const {offset, length} =
        index === null ? await placeAt(window, next) : await indexedPlace(index, record);
      next = offset + 8 + length;
      readBytes += 8 + length;
      if (length < 4)
        throw new FileError(
          `${shownPath}: shape ${record + 1}: ${length} bytes; at least 4 were expected. The file is damaged.`,
        );
      return geometryOf(await window.bytes(offset + 8, length), `${shownPath}: shape ${record + 1}`);
    },
    [Symbol.asyncDispose]: close,
  };
}

async function checkHeader(window: FileWindow, shownPath: string): Promise<void> {
  const head = await window.bytes(0, headerBytes);
  if (head.readInt32BE(0) !== fileCode)
    throw new FileError(`${shownPath}: not a shapefile, in spite of its name.`);
  const stated = head.readInt32BE(24) * 2;
  if (stated > window.size) {
    throw new FileError(
      `${shownPath}: ends after ${window.size} bytes; ${stated} were expected: the file is cut off. Fetch it again.`,
    );
  }
}

/** Locates the shape at an offset; lengths and offsets are big-endian counts of 16-bit words. */
async function placeAt(window: FileWindow, offset: number): Promise<ShapePlace> {
  return {offset, length: (await window.bytes(offset, 8)).readInt32BE(4) * 2};
}

async function indexedPlace(index: FileWindow, record: number): Promise<ShapePlace> {
  const entry = await index.bytes(headerBytes + record * 8, 8);
  return {offset: entry.readInt32BE(0) * 2, length: entry.readInt32BE(4) * 2};
}

function geometryOf(shape: Buffer, place: string): Geometry | null {
  const type = shape.readInt32LE(0);
  if (type === nothing || lines.includes(type)) return null;
  if (points.includes(type)) return pointOf(shape, place);
  if (pointSets.includes(type)) {
    const coordinates = positions(shape, {at: 40, count: countAt(shape, 36, 40, place), place});
    return coordinates.length === 0 ? null : {type: "MultiPoint", coordinates};
  }
  if (polygons.includes(type)) return polygonOf(shape, place);
  throw new FileError(`${place}: shape of type ${type}; points and polygons are read.`);
}

function pointOf(shape: Buffer, place: string): Geometry | null {
  const [position] = positions(shape, {at: 4, count: 1, place});
  return Number.isFinite(position![0]) ? {type: "Point", coordinates: position!} : null;
}

/** Parses a polygon; outer rings are clockwise and holes counter-clockwise, as in Esri's server geometries. */
function polygonOf(shape: Buffer, place: string): Geometry | null {
  const parts = countAt(shape, 36, 44, place);
  const count = countAt(shape, 40, 44, place);
  const start = 44 + parts * 4;
  const all = positions(shape, {at: start, count, place});
  const firsts = Array.from({length: parts}, (_, part) => shape.readInt32LE(44 + part * 4));
  return geometryFromEsri({rings: firsts.map((first, part) => all.slice(first, firsts[part + 1] ?? count))});
}

/** Reads a count in a shape. Throws a `FileError` if the shape is too short for that many. */
function countAt(shape: Buffer, at: number, dataStart: number, place: string): number {
  const count = shape.length < at + 4 ? -1 : shape.readInt32LE(at);
  if (count < 0 || dataStart + count * 4 > shape.length) throw damaged(shape, place);
  return count;
}

function positions(
  shape: Buffer,
  {at, count, place}: {at: number; count: number; place: string},
): Position[] {
  if (at + count * 16 > shape.length) throw damaged(shape, place);
  return Array.from({length: count}, (_, i) => [
    shape.readDoubleLE(at + i * 16),
    shape.readDoubleLE(at + i * 16 + 8),
  ]);
}

function damaged(shape: Buffer, place: string): FileError {
  return new FileError(
    `${place}: ${shape.length} bytes do not hold the points that it states. The file is damaged.`,
  );
}
