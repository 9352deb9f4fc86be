import type {DatabaseSync} from "node:sqlite";
import {pathToFileURL} from "node:url";
import {
  type GeometrySummary,
  geometryFromWkb,
  summarizeGeometry,
  type ToLonLat,
} from "@open-cattle/parcel-outlines";
import {
  atLeastOne,
  type Cells,
  FileError,
  type FileFormat,
  type FileRow,
  messageOf,
  noRows,
} from "./parcel-file.ts";
import {type StatedCrs, sourceProjection} from "./source-crs.ts";

/** A layer of a GeoPackage. */
type GeopackageLayer = {
  readonly name: string;
  /** False for a view or a virtual table. */
  readonly isTable: boolean;
  /** Columns without the geometry. */
  readonly columns: readonly string[];
  /** Geometry column; null for an attribute table. */
  readonly geometry: string | null;
  readonly crs: StatedCrs;
};

type SqliteRow = Record<string, unknown>;

/** Envelope size in bytes by indicator (GeoPackage 1.4, table 7). */
const envelopeBytes = [0, 32, 48, 48, 64];
const headBytes = 8;
const emptyBit = 0x10;

/** Reads a GeoPackage: the layer named by the entry, or the only feature layer. */
export const geopackageFormat: FileFormat = {
  name: "GeoPackage",
  accepts: ({extension, head}) =>
    extension === "gpkg" || head.toString("latin1", 0, 15) === "SQLite format 3",
  async open(file, {crs, layer: wanted}) {
    const {path, shownPath} = file;
    const database = await openReadOnly(path);
    try {
      const layer = chosenLayer(layersOf(database, shownPath), wanted, shownPath);
      // A view or a virtual table runs what its author wrote, which need not end.
      if (!layer.isTable)
        throw new FileError(
          `${shownPath}: the layer "${layer.name}" is a view or a virtual table, and only tables are read. Write it as one: ogr2ogr -f GPKG table.gpkg "${shownPath.split("/").at(-1)}" "${layer.name}".`,
        );
      const project = layer.geometry === null ? undefined : sourceProjection(crs, layer.crs, shownPath);
      return {
        columns: layer.columns,
        remark: null,
        rows: (needed = layer.columns) =>
          atLeastOne(records(database, {layer, needed, project, shownPath}), `${shownPath}: ${noRows}`),
        account: () => undefined,
        async [Symbol.asyncDispose]() {
          database.close();
        },
      };
    } catch (error) {
      database.close();
      throw namedFault(error, shownPath);
    }
  },
};

/** A fault of SQLite as one of the file. */
function namedFault(error: unknown, shownPath: string): unknown {
  return isSqliteFault(error)
    ? new FileError(`${shownPath}: ${messageOf(error)}. The file is damaged; fetch it again.`)
    : error;
}

/** Opens the file as immutable, so that SQLite writes no side files for a package in WAL mode. */
async function openReadOnly(path: string): Promise<DatabaseSync> {
  const {DatabaseSync} = await import("node:sqlite");
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, {readOnly: true});
}

function chosenLayer(
  layers: readonly GeopackageLayer[],
  layer: string | number | undefined,
  shownPath: string,
): GeopackageLayer {
  const layerNames = layers.map(({name}) => `"${name}"`).join(", ");
  if (typeof layer === "string") {
    const found = layers.find(({name}) => name.toLowerCase() === layer.toLowerCase());
    if (found === undefined)
      throw new FileError(
        `${shownPath}: no layer "${layer}" of the entry; the file has ${layerNames || "none"}.`,
      );
    return found;
  }
  const features = layers.filter(({geometry}) => geometry !== null);
  const [only, second] = features.length > 0 ? features : layers;
  if (only === undefined)
    throw new FileError(`${shownPath}: no layer of features or attributes in the GeoPackage.`);
  if (second !== undefined)
    throw new FileError(
      `${shownPath}: several layers (${layerNames}); say which one has the parcels: --layer, in an entry "layer".`,
    );
  return only;
}

type LayerRows = {
  readonly layer: GeopackageLayer;
  readonly needed: readonly string[];
  readonly project: ToLonLat | undefined;
  readonly shownPath: string;
};

function* records(
  database: DatabaseSync,
  {layer, needed, project, shownPath}: LayerRows,
): Generator<FileRow> {
  const columns = [...needed, ...(layer.geometry === null ? [] : [layer.geometry])];
  const statement = database.prepare(
    `SELECT ${columns.map(sqlName).join(", ") || "NULL"} FROM ${sqlName(layer.name)}`,
  );
  statement.setReadBigInts(true);
  let row = 0;
  try {
    for (const values of statement.iterate()) {
      row += 1;
      const blob = layer.geometry === null ? null : values[layer.geometry];
      yield {
        cells: cellsOf(values, needed),
        geometry:
          blob instanceof Uint8Array
            ? geometryOf(blob, project, `${shownPath}: layer "${layer.name}", row ${row}`)
            : null,
      };
    }
  } catch (error) {
    throw namedFault(error, shownPath);
  }
}

function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function cellsOf(values: Record<string, unknown>, needed: readonly string[]): Cells {
  return Object.fromEntries(
    needed.map((name) => [name, values[name] instanceof Uint8Array ? null : values[name]]),
  );
}

/** Parses the geometry after the header of a GeoPackage blob (GeoPackage 1.4, section 2.1.3). Throws a `FileError` for damage. */
function geometryOf(blob: Uint8Array, project: ToLonLat | undefined, place: string): GeometrySummary | null {
  const flags = blob[3] ?? 0;
  const envelope = envelopeBytes[(flags >> 1) & 7];
  if (blob[0] !== 0x47 || blob[1] !== 0x50 || envelope === undefined)
    throw new FileError(`${place}: a geometry that is not of GeoPackage.`);
  if ((flags & emptyBit) !== 0) return null;
  try {
    return summarizeGeometry(geometryFromWkb(blob.subarray(headBytes + envelope)), project);
  } catch (error) {
    throw new FileError(`${place}: ${messageOf(error)}`);
  }
}

function isSqliteFault(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ERR_SQLITE_ERROR";
}

/**
 * Lists the feature layers and attribute tables of a GeoPackage in the order of its contents (GeoPackage 1.4, sections 1.1.3 and 2.1.5).
 * Throws a `FileError` for an SQLite file that is no GeoPackage.
 */
function layersOf(database: DatabaseSync, shownPath: string): GeopackageLayer[] {
  if (!hasTable(database, "gpkg_contents")) {
    throw new FileError(`${shownPath}: expected a GeoPackage, got an SQLite file without gpkg_contents.`);
  }
  const contents = database
    .prepare(
      "SELECT table_name FROM gpkg_contents WHERE data_type IN ('features', 'attributes', 'aspatial') ORDER BY rowid",
    )
    .all() as SqliteRow[];
  const geometries = new Map<string, SqliteRow>();
  if (hasTable(database, "gpkg_geometry_columns")) {
    for (const row of database.prepare("SELECT * FROM gpkg_geometry_columns").all() as SqliteRow[])
      geometries.set(String(row.table_name).toLowerCase(), row);
  }
  return contents.map(({table_name}) => {
    const name = String(table_name);
    const kind = kindOfTable(database, name);
    if (kind !== undefined && kind !== "table")
      return {
        name,
        isTable: false,
        columns: [],
        geometry: geometries.has(name.toLowerCase()) ? "" : null,
        crs: {},
      };
    const columns = (
      database.prepare(`SELECT name FROM pragma_table_info(${sqlText(name)})`).all() as SqliteRow[]
    ).map((column) => String(column.name));
    if (columns.length === 0)
      throw new FileError(
        `${shownPath}: the layer "${name}" of the contents is not there. The file is damaged.`,
      );
    const geometryColumn = geometries.get(name.toLowerCase());
    const geometry =
      geometryColumn === undefined
        ? null
        : (columns.find(
            (column) => column.toLowerCase() === String(geometryColumn.column_name).toLowerCase(),
          ) ?? null);
    return {
      name,
      isTable: true,
      columns: columns.filter((column) => column !== geometry),
      geometry,
      crs: geometryColumn === undefined ? {} : crsOf(database, Number(geometryColumn.srs_id)),
    };
  });
}

/** Returns the coordinate system with this id; empty for 0 and -1, which mean unknown. */
function crsOf(database: DatabaseSync, srsId: number): StatedCrs {
  if (srsId <= 0 || !hasTable(database, "gpkg_spatial_ref_sys")) return {};
  const row = database.prepare("SELECT * FROM gpkg_spatial_ref_sys WHERE srs_id = ?").get(srsId) as
    | SqliteRow
    | undefined;
  if (row === undefined) return {};
  return {
    authority: String(row.organization ?? ""),
    code: Number(row.organization_coordsys_id),
    wkt: String(row.definition ?? ""),
  };
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return kindOfTable(database, name) === "table";
}

/** Returns `table`, `view`, `virtual` or `shadow`; undefined where the name is not there. */
function kindOfTable(database: DatabaseSync, name: string): string | undefined {
  const row = database
    .prepare("SELECT type FROM pragma_table_list WHERE schema = 'main' AND lower(name) = lower(?)")
    .get(name);
  return row === undefined ? undefined : String(row["type"]);
}
