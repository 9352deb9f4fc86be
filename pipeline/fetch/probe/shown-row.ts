import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {conformEntry} from "../../../lib/parcels/conform/conform.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import type {ArcgisPull} from "../../../schemas/arcgis-pull.ts";
import {type CadastreSource, ParcelSource} from "../../../schemas/parcel-source.ts";
import {entryOfLayer} from "../../parcels/propose/layer-entry.ts";
import {stageEntry} from "../../parcels/stage-entry.ts";
import {listRawFiles} from "../../raw/raw-files.ts";
import type {CamePage} from "../arcgis/layer-question.ts";
import {PullFolder} from "../arcgis/pull-folder.ts";

/** A row as a build reads it: its columns with a value; or why there is none. */
export type ShownRow = {readonly row: Readonly<Record<string, unknown>>} | {readonly why: string};

/** Reads a page as a build does, as if it were a whole pull, and gives its first row. */
export async function shownRow(
  source: ParcelSource | CadastreSource,
  {page, pull, at}: {page: CamePage; pull: ArcgisPull; at: Date},
): Promise<ShownRow> {
  const known = ParcelSource.safeParse(source);
  const entry = known.success ? known.data : entryOfLayer(source as CadastreSource, pull.layer);
  if (typeof entry === "string") return {why: entry};
  const rawDir = await mkdtemp(join(tmpdir(), "cattle-probe-"));
  const db = await openDatabase();
  try {
    const folder = await PullFolder.begin(join(rawDir, "parcels", entry.id), at);
    const kept = await folder.addPage(1, page, pull.layer.query_format);
    await folder.save({
      ...pull,
      rows: page.rows,
      pages: [kept],
      next: null,
      complete: true,
      finished_at: pull.started_at,
    });
    await folder.finish();
    const files = await listRawFiles(rawDir);
    const asOf = pull.started_at.slice(0, 10);
    const staged = await stageEntry(db, {entry, files, asOf, tempDir: rawDir, firstNumber: 0});
    const refused = staged.reports.find(({status}) => status !== "left_out");
    if (staged.files.length === 0) return {why: refused?.reason ?? "the page has no rows that can be read"};
    await conformEntry(db, {entry, sources: staged.sources, asOf, into: "probed"});
    const [row] = await db.rows("SELECT * FROM probed ORDER BY _reject IS NOT NULL, _file, _row LIMIT 1");
    if (row === undefined) return {why: "the page has no rows"};
    if (row["_reject"] !== null) return {why: `its rows are rejected: ${String(row["_reject"])}`};
    const says = ([column, value]: [string, unknown]) =>
      !column.startsWith("_") && value !== null && !(Array.isArray(value) && value.length === 0);
    return {row: Object.fromEntries(Object.entries(row).filter(says))};
  } finally {
    db.close();
    await rm(rawDir, {recursive: true, force: true});
  }
}
