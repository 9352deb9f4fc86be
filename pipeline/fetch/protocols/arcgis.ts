import type {ArcgisLayer} from "../../../lib/arcgis/answer.ts";
import type {ArcgisPull} from "../../../schemas/arcgis-pull.ts";
import {askLayer} from "../arcgis/layer-question.ts";
import {nextPage} from "../arcgis/next-page.ts";
import {PullFolder} from "../arcgis/pull-folder.ts";
import {countRows, pullByRanges, refuseMovedLayer, startPull} from "../arcgis/start-pull.ts";
import {type Gain, instant, type Job, noGain} from "../job.ts";

/** The record is written after so many pages, and pages after it are asked for again when a run is killed. */
const pagesBetweenSaves = 8;
/** A pull that was left for longer is begun anew: its first pages would be older than its last ones by more than that. */
const staleMs = 14 * 24 * 3_600_000;

/**
 * Pulls an ArcGIS layer whole (`docs/design/fetching.md` section 3). A layer with the count and the last edit of the newest
 * complete pull is unchanged; a pull that a run left unfinished goes on from its checkpoint. Rejects with an `AskFault`, and
 * then the pages that came stay for the next run.
 */
export async function pullLayer(job: Job): Promise<Gain> {
  const layer = await askLayer(job);
  const where = job.source.entry?.where ?? "1=1";
  const counted = await countRows(job, where);
  refuseMovedLayer(job.source, layer, counted);
  const newest = await PullFolder.newestComplete(job.folder.dir);
  if (newest !== null && isUnchanged(newest.pull, layer, counted)) {
    await newest.folder.save({...newest.pull, verified_at: instant(job)});
    return {...noGain, unchanged: newest.pull.pages.length};
  }
  const {folder, pull: begun} = await goOnOrBegin(job, layer, counted);
  const pulled = await pullPages(job, folder, begun);
  const after = await askLayer(job);
  const pull = finished(pulled, {at: instant(job), edited: after.lastEditMs !== layer.lastEditMs});
  if (newest !== null && pull.complete && samePages(newest.pull, pull)) {
    await newest.folder.save({
      ...newest.pull,
      layer: pull.layer,
      edited: pull.edited,
      verified_at: instant(job),
    });
    await folder.remove();
    return {...noGain, unchanged: pull.pages.length};
  }
  await folder.save(pull);
  await folder.finish();
  const again = pull.edited ? "edited during the pull: it is pulled again next time" : null;
  return {added: pull.pages.length, unchanged: 0, partial: pull.reason ?? again};
}

function isUnchanged(pull: ArcgisPull, layer: ArcgisLayer, counted: number | null): boolean {
  return (
    !pull.edited &&
    lastEdit(layer) !== null &&
    pull.layer.last_edit === lastEdit(layer) &&
    pull.counted === counted
  );
}

async function goOnOrBegin(
  job: Job,
  layer: ArcgisLayer,
  counted: number | null,
): Promise<{folder: PullFolder; pull: ArcgisPull}> {
  const left = await PullFolder.unfinished(job.folder.dir);
  if (left !== null && left.pull.url === job.source.url && goesOn(left.pull, layer, counted, job.now()))
    return left;
  await left?.folder.remove();
  const folder = await PullFolder.begin(job.folder.dir, job.now());
  const pull = await startPull(job, {layer, counted, startedAt: instant(job)});
  await folder.save(pull);
  return {folder, pull};
}

/** A pull goes on as long as the layer is as it was: else pages of two states of it would be mixed. */
function goesOn(pull: ArcgisPull, layer: ArcgisLayer, counted: number | null, now: Date): boolean {
  const isFresh = now.getTime() - Date.parse(pull.started_at) < staleMs;
  return isFresh && pull.layer.last_edit === lastEdit(layer) && pull.counted === counted;
}

async function pullPages(job: Job, folder: PullFolder, begun: ArcgisPull): Promise<ArcgisPull> {
  let pull = begun;
  const started = {at: performance.now(), rows: pull.rows};
  let unsaved = 0;
  try {
    while (pull.next !== null) {
      await job.bounds.checkRoom();
      const step = await nextPage(job, pull, pull.next);
      if (step.kind === "ignores_offset") {
        pull = await pullByRanges(job, pull);
        continue;
      }
      if (step.kind === "page" && step.page.rows > 0) {
        const page = await folder.addPage(pull.pages.length + 1, step.page, pull.layer.query_format);
        // The list grows in place: a copy for each page would cost the square of their number.
        pull.pages.push(page);
        pull = {...pull, rows: pull.rows + page.rows};
      }
      pull = {...pull, next: step.next};
      job.say(progressText(pull, started));
      unsaved += 1;
      if (unsaved < pagesBetweenSaves) continue;
      await folder.save(pull);
      unsaved = 0;
    }
  } finally {
    await folder.save(pull);
  }
  return pull;
}

function finished(pull: ArcgisPull, {at, edited}: {at: string; edited: boolean}): ArcgisPull {
  const reason = missing(pull);
  return {...pull, finished_at: at, verified_at: at, edited, complete: reason === null, reason};
}

/** Gives what a pull at its end lacks of the rows that the service counted, or null. */
function missing({counted, rows, id_bounds: bounds, pages}: ArcgisPull): string | null {
  if (counted !== null)
    return rows >= counted ? null : `${rows} rows came of ${counted} that the service counted`;
  if (bounds === null) return `${rows} rows came, and the service says neither its count nor its object ids`;
  const least = Math.min(...pages.map(({first_id}) => first_id ?? Number.POSITIVE_INFINITY));
  const most = Math.max(...pages.map(({last_id}) => last_id ?? Number.NEGATIVE_INFINITY));
  if (least <= bounds[0] && most >= bounds[1]) return null;
  return `object ids ${least} to ${most} came of ${bounds[0]} to ${bounds[1]}`;
}

function samePages(a: ArcgisPull, b: ArcgisPull): boolean {
  const digests = ({pages}: ArcgisPull) => pages.map(({sha256}) => sha256).join();
  return digests(a) === digests(b);
}

function lastEdit({lastEditMs}: ArcgisLayer): string | null {
  return lastEditMs === null ? null : new Date(lastEditMs).toISOString();
}

function progressText({rows, counted, pages}: ArcgisPull, started: {at: number; rows: number}): string {
  const count = (n: number) => n.toLocaleString("en-US");
  if (counted === null) return `${count(rows)} rows, ${pages.length} pages`;
  const perMs = (rows - started.rows) / (performance.now() - started.at);
  const left = perMs > 0 ? Math.max(0, counted - rows) / perMs / 60_000 : 0;
  return `${count(rows)} of ${count(counted)} rows, ${left.toFixed(0)} min left`;
}
