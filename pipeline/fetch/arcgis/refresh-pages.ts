import type {ArcgisLayer} from "../../../lib/arcgis/answer.ts";
import type {ArcgisPull} from "../../../schemas/arcgis-pull.ts";
import type {Job} from "../job.ts";
import {samePageAgain} from "./next-page.ts";
import type {PullFolder} from "./pull-folder.ts";
import {askUnlessRefused} from "./start-pull.ts";

/** Before the begin of a pull: the clock of the service and the time zone of its dates may be others than ours. */
const marginMs = 24 * 3_600_000;

/**
 * Asks again for the pages with rows that were edited since the pull began, in their places, for a layer that keeps when each row was
 * edited. Gives false where the service does not say which rows those are; a row that was deleted is in none of its answers.
 */
export async function refreshEditedPages(
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
  const edited = Float64Array.from(answer.objectIds).sort();
  for (const [i, {first_id: from, last_id: to}] of pull.pages.entries()) {
    if (from === null || to === null || !hasBetween(edited, from, to)) continue;
    const page = await samePageAgain(job, pull, [from, to]);
    const kept = await folder.addPage(i + 1, page, pull.layer.query_format);
    pull.pages[i] = {...kept, first_id: from, last_id: to};
    job.say(`page ${i + 1} of ${pull.pages.length} again`);
  }
  return true;
}

function hasBetween(sorted: Float64Array, from: number, to: number): boolean {
  const next = sorted.find((id) => id >= from);
  return next !== undefined && next <= to;
}
