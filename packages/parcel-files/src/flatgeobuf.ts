import {summarizeGeometry, type ToLonLat} from "@open-cattle/parcel-outlines";
import {ByteBuffer} from "flatbuffers";
import {type FileWindow, openWindow} from "./file-window.ts";
import {type FgbHeader, readFeature, readHeader} from "./flatgeobuf-tables.ts";
import {atLeastOne, FileError, type FileFormat, type FileRow, messageOf, noRows} from "./parcel-file.ts";
import {sourceProjection} from "./source-crs.ts";

/** Length of the magic: `fgb`, major version 3, `fgb` and a patch version (flatgeobuf.org, specification). */
const magicBytes = 8;
const knownMajor = 3;
const sizeBytes = 4;
/** Size of an index node: four doubles and an offset. */
const nodeBytes = 40;

/** Reads FlatGeobuf version 3 feature by feature, skipping the index before them. */
export const flatgeobufFormat: FileFormat = {
  name: "FlatGeobuf",
  accepts: ({extension, head}) => extension === "fgb" || head.toString("latin1", 0, 3) === "fgb",
  async open({path, shownPath}, {crs}) {
    await using opened = new AsyncDisposableStack();
    const window = opened.use(await openWindow(path, shownPath));
    const {header, end} = await headerOf(window, shownPath);
    const project = sourceProjection(crs, header.crs ?? {}, shownPath);
    const index = indexBytes(header, shownPath);
    const columns = header.columns.map(({name}) => name);
    const open = opened.move();
    return {
      columns,
      remark: null,
      rows: (needed = columns) =>
        atLeastOne(
          records(window, {header, start: end + index, needed, project, shownPath}),
          `${shownPath}: ${noRows}`,
        ),
      account: () => ({bytes: {read: window.size - index, skipped: {spatial_index: index}}}),
      [Symbol.asyncDispose]: () => open.disposeAsync(),
    };
  },
};

async function headerOf(window: FileWindow, shownPath: string): Promise<{header: FgbHeader; end: number}> {
  const magic = await window.bytes(0, magicBytes + sizeBytes);
  if (magic.toString("latin1", 0, 3) !== "fgb")
    throw new FileError(`${shownPath}: not FlatGeobuf, in spite of its name.`);
  if (magic[3] !== knownMajor)
    throw new FileError(`${shownPath}: FlatGeobuf of version ${magic[3]}; version ${knownMajor} is read.`);
  const length = magic.readUInt32LE(magicBytes);
  const bytes = Buffer.from(await window.bytes(magicBytes + sizeBytes, length));
  return {
    header: understood(() => readHeader(new ByteBuffer(bytes)), shownPath, "header"),
    end: magicBytes + sizeBytes + length,
  };
}

/** Size of the packed R-tree: the nodes of all its levels (specification, "Index"). */
function indexBytes({features, indexNodeSize}: FgbHeader, shownPath: string): number {
  if (indexNodeSize === 0 || features === 0) return 0;
  if (indexNodeSize < 2)
    throw new FileError(
      `${shownPath}: index nodes of ${indexNodeSize} entries; at least 2 were expected. The file is damaged.`,
    );
  let level = features;
  let nodes = level;
  do {
    level = Math.ceil(level / indexNodeSize);
    nodes += level;
  } while (level > 1);
  return nodes * nodeBytes;
}

type Features = {
  readonly header: FgbHeader;
  readonly start: number;
  readonly needed: readonly string[];
  readonly project: ToLonLat;
  readonly shownPath: string;
};

async function* records(
  window: FileWindow,
  {header, start, needed, project, shownPath}: Features,
): AsyncGenerator<FileRow> {
  const wantedColumns = new Set(needed);
  let feature = 0;
  for (let at = start; at < window.size; feature++) {
    const place = `feature ${feature + 1}`;
    const length = (await window.bytes(at, sizeBytes)).readUInt32LE(0);
    const bytes = await window.bytes(at + sizeBytes, length);
    at += sizeBytes + length;
    const {cells, geometry} = understood(
      () => readFeature(new ByteBuffer(bytes), header, wantedColumns),
      shownPath,
      place,
    );
    yield {
      cells: Object.fromEntries(needed.map((name) => [name, cells[name] ?? null])),
      geometry: summarizeGeometry(geometry, project),
    };
  }
  // A header may state 0 features if the number is unknown.
  if (feature < header.features) {
    throw new FileError(
      `${shownPath}: ${feature} features; ${header.features} were expected: the file is cut off. Fetch it again.`,
    );
  }
}

/** Converts a decoder error for a damaged table into a message with its place. */
function understood<T>(read: () => T, shownPath: string, place: string): T {
  try {
    return read();
  } catch (error) {
    throw new FileError(
      `${shownPath}: ${place}: not to be understood: ${messageOf(error)}. The file is damaged.`,
    );
  }
}
