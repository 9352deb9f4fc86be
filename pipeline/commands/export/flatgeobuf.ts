import {UserError} from "../../../lib/errors.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {fillWhole, type NewFile} from "../../../lib/storage/whole-file.ts";
import {hilbertSql} from "../../parcels/hilbert-sql.ts";
import {cellSql} from "../../parcels/order.ts";
import {countExported, type ExportRequest} from "./exported.ts";
import {featureBytes, headerBytes, magic} from "./flatgeobuf-tables.ts";
import {type Layer, layerOf} from "./layers.ts";
import {noBox, PackedTree} from "./packed-tree.ts";

/**
 * Writes one layer of a state as FlatGeobuf with its spatial index, in WGS 84, and gives the number of features. The features are
 * streamed, along the Hilbert curve of the state; the index takes 43 bytes of memory for each. Throws a `UserError` where the file cannot
 * be written and for outlines of a state that has none.
 */
export async function exportFlatGeobuf(db: Database, request: ExportRequest): Promise<number> {
  const {state, path, layer: name, hasOutlines} = request;
  await countExported(db, request);
  if (name === "boundaries" && !hasOutlines) throw noOutlines(state);
  const layer = layerOf(name, state);
  const [counted] = await db.rows<{n: number}>(`SELECT count(*)::INTEGER AS n FROM (${layer.sql})`);
  if (counted!.n === 0) throw noOutlines(state);
  await fillWhole(path, (file) => fill(file, db, {layer, state, features: counted!.n}));
  return counted!.n;
}

function noOutlines(state: string): UserError {
  return new UserError(`${state}: the build has no outlines of this state.`);
}

/** The header and the tree have a known length, so the features are written behind them first. */
async function fill(
  file: NewFile,
  db: Database,
  {layer, state, features}: {layer: Layer; state: string; features: number},
): Promise<void> {
  const tree = new PackedTree(features);
  const before = magic.length + headerBytes(layer, {features, box: noBox}).length + tree.byteLength;
  let written = 0;
  for await (const rows of (await db.stream(alongCurve(layer, state))).batches) {
    const made = rows.map(([wkb, ...values]) => featureBytes(layer, wkb as Uint8Array | null, values));
    let at = written;
    for (const {bytes, box} of made) {
      tree.add(box, at);
      at += bytes.length;
    }
    await file.write(Buffer.concat(made.map(({bytes}) => bytes)), before + written);
    written = at;
  }
  const {bytes, box} = tree.finish();
  const head = Buffer.concat([magic, headerBytes(layer, {features, box}), bytes]);
  await file.write(head, 0);
}

/** SQL of the rows of a layer in the order of the curve, so that the boxes of the index are small. */
function alongCurve({sql, columns}: Layer, state: string): string {
  const grid = `SELECT *, ${cellSql("lon", state)} AS x, ${cellSql("lat", state)} AS y FROM (${sql}) u`;
  const names = columns.map(([name]) => `"${name}"`).join(", ");
  return `SELECT wkb, ${names} FROM (${hilbertSql(grid)}) ORDER BY d, county_key, parcel_uid`;
}
