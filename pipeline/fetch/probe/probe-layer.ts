import {promisify} from "node:util";
import {gzip} from "node:zlib";
import {askLayer, askPage} from "../arcgis/layer-question.ts";
import {countRows, refuseMovedLayer, startPull} from "../arcgis/start-pull.ts";
import {AskFault} from "../client/ask-fault.ts";
import {instant, type Job} from "../job.ts";
import {type ShownRow, shownRow} from "./shown-row.ts";

const pack = promisify(gzip);
/** Rows that a layer is asked for: enough for the size of a row. */
const askedRows = 10;

/** Asks a layer for its page, its count and some rows, sets what they tell on the job, and gives the first row as a build reads it. */
export async function probeLayer(job: Job): Promise<ShownRow> {
  const {entry} = job.source;
  const layer = await askLayer(job);
  const counted = await countRows(job, entry?.where ?? "1=1");
  const pull = await startPull(job, {layer, counted, startedAt: instant(job)});
  job.layer = {rows: counted, pageRows: pull.layer.page_size, bytesPerRow: null};
  refuseMovedLayer(job.source, layer, counted);
  const page = await askPage(
    job,
    {
      ...{where: pull.where, outFields: "*", returnGeometry: "true", outSR: "4326"},
      ...{f: pull.layer.query_format, resultRecordCount: String(askedRows)},
    },
    layer.objectIdField,
  );
  if (page.rows === 0) throw new AskFault("refused", "moved: the layer gave no row; correct the entry");
  const bytesPerRow = (await pack(page.bytes)).length / page.rows;
  job.layer = {rows: counted, pageRows: pull.layer.page_size, bytesPerRow};
  return entry === null ? {why: "no entry"} : shownRow(entry, {page, pull, at: job.now()});
}
