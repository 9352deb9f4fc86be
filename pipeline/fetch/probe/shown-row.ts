import {join} from "node:path";
import type {LayerPage} from "@open-cattle/arcgis-layers";
import {asOfDate} from "../../../lib/models/build-facts.ts";
import {ModelRun} from "../../../lib/models/model-run.ts";
import {conformEntry} from "../../../lib/parcels/conform/entry-models.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import type {FileReport} from "../../../schemas/build-report.ts";
import type {ArcgisPull} from "../../../schemas/layer-pull.ts";
import {type CadastreSource, ParcelSource} from "../../../schemas/parcel-source.ts";
import {readSignals} from "../../market/context/read-signals.ts";
import {feedOf} from "../../market/feeds/feeds.ts";
import {readMarket} from "../../market/read-market.ts";
import {loadVenues} from "../../market/reference/venues.ts";
import {gathered} from "../../market/signals/signal-tables.ts";
import {entryOfLayer} from "../../parcels/propose/propose-entry.ts";
import {stageEntry} from "../../parcels/stage-entry.ts";
import {listRawFiles} from "../../raw/raw-files.ts";
import {temporaryFolder} from "../../raw/temporary-folder.ts";
import {PullFolder} from "../arcgis/pull-folder.ts";
import {FetchError} from "../client/fetch-error.ts";

/** Expected rejections in a sound answer: a market type's reports also cover sheep, and a report may be dated tomorrow. */
const notOurs: ReadonlySet<string> = new Set(["not_cattle", "after_as_of"]);

/** A row as a build reads it, with its non-empty columns; or why there is none. */
export type ShownRow = {readonly row: Readonly<Record<string, unknown>>} | {readonly why: string};

/** Reads a page the way a build does, as if it were a complete pull, and returns its first row. */
export async function shownRow(
  source: ParcelSource | CadastreSource,
  {page, pull, at}: {page: LayerPage; pull: ArcgisPull; at: Date},
): Promise<ShownRow> {
  const registered = ParcelSource.safeParse(source);
  const entry = registered.success ? registered.data : entryOfLayer(source as CadastreSource, pull.layer);
  if (typeof entry === "string") return {why: entry};
  await using raw = await temporaryFolder("cattle-probe-");
  const rawDir = raw.path;
  using db = await openDatabase();
  const folder = await PullFolder.begin(join(rawDir, "parcels", entry.id), at);
  const pageRecord = await folder.addPage(1, page, pull.layer.query_format);
  await folder.save({
    ...pull,
    rows: page.rows,
    pages: [pageRecord],
    next: null,
    complete: true,
    finished_at: pull.started_at,
  });
  await folder.finish();
  const files = await listRawFiles(rawDir);
  const asOf = pull.started_at.slice(0, 10);
  const staged = await stageEntry(new ModelRun(db), {entry, files, asOf, tempDir: rawDir, firstNumber: 0});
  const unread = staged.reports.find(({status}) => status !== "left_out");
  if (staged.files.length === 0) return {why: unread?.reason ?? "the page has no rows that can be read"};
  await conformEntry(db, {entry, sources: staged.sources, asOf, into: "probed"});
  const [row] = await db.rows("SELECT * FROM probed ORDER BY _reject IS NOT NULL, _file, _row LIMIT 1");
  if (row === undefined) return {why: "the page has no rows"};
  if (row["_reject"] !== null) return {why: `its rows are rejected: ${String(row["_reject"])}`};
  const says = ([column, value]: [string, unknown]) =>
    !column.startsWith("_") && value !== null && !(Array.isArray(value) && value.length === 0);
  return {row: Object.fromEntries(Object.entries(row).filter(says))};
}

/**
 * Reads a feed's answer the way a build does and returns its first row, or why no row of cattle came. Rejects with a `FetchError` of the kind
 * `moved` if the feed's reader misses a column or accepts none of the rows.
 */
export async function shownFeedRow(
  feed: string,
  {rawDir, tempDir, at}: {rawDir: string; tempDir: string; at: Date},
): Promise<ShownRow> {
  const files = await listRawFiles(rawDir);
  if (files.length === 0) return {why: "nothing is published that would be kept"};
  const asOf = at.toISOString().slice(0, 10);
  const signals = feedOf(feed, "signals");
  using db = await openDatabase();
  const run = new ModelRun(db).give(asOfDate, asOf);
  const reports =
    signals === undefined
      ? await readMarket({run, files, asOf, venues: loadVenues()})
      : (await readSignals(run, files, {asOf, tempDir})).reports;
  const faults = reports.flatMap((report) => faultOf(report) ?? []);
  if (faults.length > 0) throw new FetchError("moved", `moved: ${faults[0]}`);
  const inOrder =
    signals === undefined
      ? ["price_rows ORDER BY source_path, row_ordinal"]
      : signals.tables.map((table) => `${gathered[table].name} ORDER BY seq`);
  for (const rows of inOrder) {
    const [first] = await db.rows<{row: string}>(
      `SELECT to_json(one) AS row FROM (FROM ${rows} LIMIT 1) AS one`,
    );
    if (first !== undefined) return {row: withValues(JSON.parse(first.row) as Record<string, unknown>)};
  }
  return {why: "its first answer has no row of ours"};
}

/** Why the reader could use nothing of an answer; null if it accepted rows, or if there were none. */
function faultOf({path, status, reason, accepted, rejected}: FileReport): string | null {
  if (status !== "read") return reason;
  const rejections = Object.entries(rejected).filter(([code]) => !notOurs.has(code));
  if (accepted > 0 || rejections.length === 0) return null;
  return `${path}: none of its rows can be read: ${rejections.map(([code, n]) => `${code} (${n})`).join(", ")}`;
}

function withValues(row: Record<string, unknown>): Record<string, unknown> {
  const says = ([, value]: [string, unknown]) =>
    value !== null && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(row).filter(says));
}
