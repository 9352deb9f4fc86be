import {
  type ArcgisLayer,
  countRows,
  nextPage,
  pullAllColumns,
  pullAsJson,
  pullOtherwise,
  samePageAgain,
} from "@open-cattle/arcgis-layers";
import {countWords} from "../../../lib/counts.ts";
import type {ArcgisPull} from "../../../schemas/layer-pull.ts";
import {askLayer, askUnlessRefused, pullAsker} from "../arcgis/layer-question.ts";
import {PullFolder} from "../arcgis/pull-folder.ts";
import {
  hasColumns,
  lossWords,
  lostFacts,
  refuseMovedLayer,
  startPull,
  wantedColumns,
} from "../arcgis/start-pull.ts";
import {instant, type Job, nothingNew, type Tally} from "../jobs/job.ts";
import {isFuture} from "../snapshots/snapshot-folder.ts";

/** Margin before the start of a pull, because the service's clock and the time zone of its dates may differ from ours. */
const marginMs = 24 * 3_600_000;

/** The record is written every so many pages; pages since then are requested again after a kill. */
const pagesBetweenSaves = 8;
/** An unfinished pull older than this is restarted, because its first pages would be too old compared with its last. */
const staleMs = 14 * 24 * 3_600_000;

/**
 * Pulls a whole ArcGIS layer (`docs/design/fetching.md` section 3). If count and last edit equal those of the newest complete pull, it is
 * unchanged; an unfinished pull resumes from its checkpoint. Rejects with a `FetchError`; the pages received stay for the next run.
 */
export async function pullLayer(job: Job): Promise<Tally> {
  const layer = await askLayer(job);
  const where = job.source.entry?.where ?? "1=1";
  const rowCount = await countRows(pullAsker(job), where);
  refuseMovedLayer(job.source, layer, rowCount);
  const losses = lossWords(lostFacts(job.source, layer));
  const newest = await PullFolder.newestComplete(job.folder.dir, job.now());
  const wantedNames = wantedColumns(job.source, layer);
  if (newest !== null && isUnchanged(newest.pull, layer, rowCount) && hasColumns(newest.pull, wantedNames)) {
    await newest.folder.save(verifiedPull(newest.pull, instant(job)));
    return {...nothingNew, unchanged: newest.pull.pages.length, losses};
  }
  const {folder, pull: firstState} = await resumeOrStart(job, layer, rowCount);
  job.layer = layerFacts(firstState);
  const pull = await completePull(job, folder, await pullPages(job, folder, firstState));
  job.layer = layerFacts(pull);
  if (newest !== null && pull.complete && samePages(newest.pull, pull)) {
    const verified = verifiedPull(newest.pull, instant(job));
    await newest.folder.save({...verified, layer: pull.layer, edited: pull.edited});
    await folder.remove();
    return {...nothingNew, unchanged: pull.pages.length, losses};
  }
  await folder.save(pull);
  await folder.finish();
  const again = pull.edited ? "edited during the pull: it is pulled again next time" : null;
  const notes = newest === null ? [] : columnNotes(newest.pull, wantedNames);
  if (pull.columns === null && wantedNames !== null)
    notes.push("the layer refuses a list of columns: all came, which takes more time and room");
  return {added: pull.pages.length, unchanged: 0, partial: pull.reason ?? again, losses, notes};
}

/** The record of a pull that the layer still equals, which dates one of unknown time. */
function verifiedPull({assumed, ...pull}: ArcgisPull, at: string): ArcgisPull {
  return {...pull, ...(assumed === true ? {finished_at: at} : {}), verified_at: at};
}

/** Says why a layer was pulled again although it had not changed. */
function columnNotes({columns}: ArcgisPull, wanted: readonly string[] | null): string[] {
  if (columns === null) return [];
  const missing = (wanted ?? []).filter((name) => !columns.includes(name));
  const named = wanted === null ? "all columns" : missing.join(", ");
  return named === "" ? [] : [`pulled again: the map needs ${named}, which the last pull did not ask for`];
}

function isUnchanged(pull: ArcgisPull, layer: ArcgisLayer, rowCount: number | null): boolean {
  return (
    !pull.edited &&
    lastEdit(layer) !== null &&
    pull.layer.last_edit === lastEdit(layer) &&
    pull.counted === rowCount
  );
}

async function resumeOrStart(
  job: Job,
  layer: ArcgisLayer,
  rowCount: number | null,
): Promise<{folder: PullFolder; pull: ArcgisPull}> {
  const left = await PullFolder.newestUnfinished(job.folder.dir);
  const wanted = wantedColumns(job.source, layer);
  const isSame = left?.pull.url === job.source.url && hasColumns(left.pull, wanted);
  if (left !== null && isSame && canResume(left.pull, layer, rowCount, job.now())) return left;
  await left?.folder.remove();
  const folder = await PullFolder.begin(job.folder.dir, job.now());
  const pull = await startPull(job, {layer, rowCount, startedAt: instant(job)});
  await folder.save(pull);
  return {folder, pull};
}

/**
 * A pull by ids resumes even if rows were added, deleted or edited meanwhile, because its pages are defined by ids. A pull by offset does
 * not, because its rows would have shifted.
 */
function canResume(pull: ArcgisPull, layer: ArcgisLayer, rowCount: number | null, now: Date): boolean {
  // Since when the rows of a pull of the future may have been edited is unknown.
  const isFresh = now.getTime() - Date.parse(pull.started_at) < staleMs && !isFuture(pull.started_at, now);
  const names = (fields: readonly {name: string}[]) => fields.map(({name}) => name).join();
  if (!isFresh || names(pull.layer.fields) !== names(layer.fields)) return false;
  return pull.method !== "offset" || (pull.layer.last_edit === lastEdit(layer) && pull.counted === rowCount);
}

async function pullPages(job: Job, folder: PullFolder, start: ArcgisPull): Promise<ArcgisPull> {
  let pull = start;
  const progressStart = {at: performance.now(), rows: pull.rows};
  let pagesSinceSave = 0;
  try {
    while (pull.next !== null) {
      await job.budget.checkRoom();
      const step = await nextPage(pullAsker(job), pull, pull.next);
      if (step.kind === "not_geojson" || step.kind === "not_columns") {
        pull = step.kind === "not_geojson" ? pullAsJson(pull) : pullAllColumns(pull);
        continue;
      }
      if (step.kind === "not_paged" || step.kind === "not_honoured") {
        pull = await pullOtherwise(pullAsker(job), pull, step);
        continue;
      }
      if (step.kind === "page" && step.page.rows > 0) {
        const page = await folder.addPage(pull.pages.length + 1, step.page, pull.layer.query_format);
        // Appended in place: copying the list for each page would be quadratic.
        pull.pages.push(page);
        pull = {...pull, rows: pull.rows + page.rows};
      }
      pull = {...pull, next: step.next};
      job.say(progressText(pull, progressStart));
      pagesSinceSave += 1;
      if (pagesSinceSave < pagesBetweenSaves) continue;
      await folder.save(pull);
      pagesSinceSave = 0;
    }
  } finally {
    job.progress = {rows: pull.rows, counted: pull.counted, hasNew: pull.rows > progressStart.rows};
    await folder.save(pull);
  }
  return pull;
}

/**
 * Completes the record after the last page. If the layer has changed since the start, added rows are fetched and pages with edited rows are
 * requested again; `edited` says whether the pages may still differ from the layer.
 */
async function completePull(job: Job, folder: PullFolder, pages: ArcgisPull): Promise<ArcgisPull> {
  const {where, layer: startLayer, counted: countedFirst} = pages;
  const layer = await askLayer(job);
  const isMoved = lastEdit(layer) !== startLayer.last_edit;
  const rowCount =
    countedFirst !== null && (isMoved || pages.rows !== countedFirst)
      ? await countRows(pullAsker(job), where)
      : countedFirst;
  const hasDeleted = rowCount !== null && pages.rows > rowCount;
  if (!isMoved && !hasDeleted && rowCount === countedFirst)
    return finishedPull(job, pages, {rowCount, edited: false});
  const all = await pullPages(job, folder, withAddedRows(pages));
  const isRefreshed = await refreshEditedPages(job, {folder, pull: all, layer});
  const pull = {...all, rows: all.pages.reduce((sum, {rows}) => sum + rows, 0)};
  const after = isRefreshed ? await askLayer(job) : layer;
  // More rows than counted: some have been deleted since, and no answer says which.
  const isCurrent =
    isRefreshed && lastEdit(after) === lastEdit(layer) && pull.rows === (rowCount ?? pull.rows);
  return finishedPull(
    job,
    {...pull, layer: {...startLayer, last_edit: lastEdit(layer)}},
    {rowCount, edited: !isCurrent},
  );
}

/** Makes a pull by ids request once more the rows after its last one. */
function withAddedRows(pull: ArcgisPull): ArcgisPull {
  if (pull.method !== "keyset") return pull;
  const after = pull.pages.at(-1)?.last_id ?? null;
  return {...pull, next: {after, offset: 0, size: pull.layer.page_size, good: 0, ranges: []}};
}

function finishedPull(
  job: Job,
  unfinished: ArcgisPull,
  {rowCount, edited}: {rowCount: number | null; edited: boolean},
): ArcgisPull {
  const at = instant(job);
  const pull = {...unfinished, counted: rowCount, finished_at: at, verified_at: at, edited};
  const reason = missingRows(pull);
  return {...pull, complete: reason === null, reason};
}

/** Returns what a finished pull lacks of the rows that the service counted, or null. */
function missingRows({counted, rows, id_bounds: bounds, pages, method}: ArcgisPull): string | null {
  if (counted !== null)
    return rows >= counted
      ? null
      : `received ${countWords(rows)} of the ${countWords(counted)} rows that the service counted`;
  // For keyset pagination the empty page after the last id proves the end.
  if (method === "keyset") return null;
  if (bounds === null)
    return `received ${countWords(rows)} rows; the service reports neither a count nor object ids`;
  const least = Math.min(...pages.map(({first_id}) => first_id ?? Number.POSITIVE_INFINITY));
  const most = Math.max(...pages.map(({last_id}) => last_id ?? Number.NEGATIVE_INFINITY));
  if (least <= bounds[0] && most >= bounds[1]) return null;
  return `received object ids ${least} to ${most} of ${bounds[0]} to ${bounds[1]}`;
}

function layerFacts({counted, rows, layer, pages}: ArcgisPull): Job["layer"] {
  const bytes = pages.reduce((sum, page) => sum + (page.bytes ?? 0), 0);
  // A server that caps its pages below the stated size reveals the cap in its fullest page.
  const fullest = Math.max(0, ...pages.map((page) => page.rows));
  return {
    rows: counted,
    pageRows: pages.length > 1 ? fullest : layer.page_size,
    bytesPerRow: rows > 0 && bytes > 0 ? bytes / rows : null,
  };
}

function samePages(a: ArcgisPull, b: ArcgisPull): boolean {
  const digests = ({pages}: ArcgisPull) => pages.map(({sha256}) => sha256).join();
  return digests(a) === digests(b);
}

function lastEdit({lastEditMs}: ArcgisLayer): string | null {
  return lastEditMs === null ? null : new Date(lastEditMs).toISOString();
}

function progressText({rows, counted, pages}: ArcgisPull, start: {at: number; rows: number}): string {
  if (counted === null) return `${countWords(rows)} rows, ${pages.length} pages`;
  const perMs = (rows - start.rows) / (performance.now() - start.at);
  const left = perMs > 0 ? Math.max(0, counted - rows) / perMs / 60_000 : 0;
  return `${countWords(rows)} of ${countWords(counted)} rows, ${left.toFixed(0)} min left`;
}

/**
 * Requests again, in place, the pages with rows edited since the pull started; needs a layer that tracks edit dates per row. Returns false
 * if the service does not say which rows those are. Deleted rows appear in none of its answers.
 */
async function refreshEditedPages(
  job: Job,
  {folder, pull, layer}: {folder: PullFolder; pull: ArcgisPull; layer: ArcgisLayer},
): Promise<boolean> {
  const field = layer.editDateField;
  if (field === null || pull.method !== "keyset") return false;
  const since = new Date(Date.parse(pull.started_at) - marginMs).toISOString();
  const moment = `TIMESTAMP '${since.slice(0, 10)} ${since.slice(11, 19)}'`;
  const answer = await askUnlessRefused(job, {
    where: `(${pull.where}) AND ${field} >= ${moment}`,
    returnIdsOnly: "true",
  });
  if (answer?.kind !== "ids") return false;
  const editedIds = Float64Array.from(answer.objectIds).sort();
  for (const [i, {first_id: from, last_id: to}] of pull.pages.entries()) {
    if (from === null || to === null || !hasBetween(editedIds, from, to)) continue;
    const page = await samePageAgain(pullAsker(job), pull, [from, to]);
    const refreshedPage = await folder.addPage(i + 1, page, pull.layer.query_format);
    pull.pages[i] = {...refreshedPage, first_id: from, last_id: to};
    job.say(`page ${i + 1} of ${pull.pages.length} again`);
  }
  return true;
}

function hasBetween(sortedIds: Float64Array, from: number, to: number): boolean {
  const next = sortedIds.find((id) => id >= from);
  return next !== undefined && next <= to;
}
