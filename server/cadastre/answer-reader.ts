import {isUtf8} from "node:buffer";
import {type ArcgisAnswer, answerOf} from "../../lib/arcgis/answer.ts";
import {parseServerJson} from "../../lib/arcgis/json.ts";
import type {Point} from "../../lib/geography/distance.ts";
import type {
  CountyReader,
  LayerFacts,
  ReadFailure,
  ReadKind,
  ReadResult,
  ReadTask,
  ReplyTask,
} from "./county-reader.ts";
import {refusalOfJson} from "./json-guard.ts";
import {
  mayHaveMore,
  refusalOfOutlines,
  refusalOfPage,
  replyProjection,
  sortedFeatures,
} from "./page-check.ts";
import {holdsPoint, isOfCounty, unreadRows} from "./reply-acceptance.ts";
import {createReplyReader, type ReplyReader} from "./reply-reader.ts";

const mostFields = 2_000;
const longestFieldName = 128;
const byteOrderMark = Buffer.from("\uFEFF");

/** Makes a reader that guards, parses, conforms and accepts bodies in this process, with its own DuckDB in memory. */
export function createAnswerReader(replies: ReplyReader = createReplyReader()): CountyReader {
  const readers: {
    [Kind in ReadKind]: (task: ReadTask<Kind>) => Promise<ReadResult<Kind>>;
  } = {
    layer: async ({body}) => layerOf(answerIn(body, {exact: false})),
    reply: (task) => readReply(task, replies),
  };
  return {
    read: (kind, task) => readers[kind](task),
    close: () => replies.close(),
  };
}

function failed(reason: string, status: ReadFailure["status"] = "rejected"): ReadFailure {
  return {kind: "failed", status, reason};
}

type Answer = Exclude<ArcgisAnswer, {kind: "error"}>;

/** Gives the answer in a body that may be anything; `exact` refuses numbers that a double does not hold, which metadata have. */
function answerIn(bytes: Uint8Array, {exact}: {exact: boolean}): Answer | ReadFailure {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(body)) return failed("not UTF-8");
  // JSON must not begin with one (RFC 8259 section 8.1).
  if (body.subarray(0, byteOrderMark.length).equals(byteOrderMark)) return failed("a byte-order mark");
  const text = body.toString("utf8");
  const refused = refusalOfJson(text, exact);
  if (refused !== null) return failed(refused);
  try {
    const parsed = parseServerJson(text);
    const tooMuch = refusalOfOutlines(parsed);
    if (tooMuch !== null) return failed(tooMuch);
    const answer = answerOf(parsed);
    if (answer.kind !== "error") return answer;
    return failed(`error ${answer.code ?? ""} in a 200`.trim(), "unavailable");
  } catch {
    return failed("no ArcGIS answer");
  }
}

function layerOf(answer: Answer | ReadFailure): ReadResult<"layer"> {
  if (answer.kind === "failed") return answer;
  if (answer.kind !== "layer") return failed(`${answer.kind} in place of metadata`);
  const {geometryType, fields, maxRecordCount, lastEditDate} = answer;
  if (fields.length > mostFields) return failed(`more than ${mostFields} fields`);
  const layer: LayerFacts = {
    geometryType,
    fields: fields
      .filter(({name}) => name.length <= longestFieldName && name.isWellFormed())
      .map(({name, type}) => ({name, type: type ?? null})),
    maxRecordCount,
    lastEditDate,
  };
  return {kind: "layer", layer};
}

async function readReply(task: ReplyTask, replies: ReplyReader): Promise<ReadResult<"reply">> {
  const answer = answerIn(task.body, {exact: true});
  if (answer.kind === "failed") return answer;
  if (answer.kind !== "page") return failed(`${answer.kind} in place of rows`);
  const reason = refusalOfPage(answer);
  if (reason !== null) return failed(reason);
  const more = mayHaveMore(answer, task.asked);
  if (answer.features.length === 0) return {kind: "rows", rows: [], unread: [], unreadable: 0, more};
  const {entry, layerEdit, retrievedAt} = task;
  const {sound, placeless, unreadable} = sortedFeatures(answer, task);
  const project = replyProjection(answer.spatialReference) ?? undefined;
  const stands = (geometry: Point) => isOfCounty(geometry, task);
  const read =
    sound.length === 0
      ? {rows: [], unread: [], left: 0}
      : await replies.read({entry, features: sound, placeless, project, layerEdit, retrievedAt, stands});
  const {point} = task;
  const accepted = point === null ? read.rows : read.rows.filter((row) => holdsPoint(row, point));
  const unread = unreadRows(read.unread, task);
  if (accepted.length === 0 && !more) {
    // Rows that state another county, or are no parcels, are an answer; others are none.
    const isAnswer = read.left === answer.features.length && task.point === null;
    if (!isAnswer) return failed("no row of the answer passed the checks");
  }
  return {
    kind: "rows",
    // The outline has been read: it does not leave this process a second time.
    rows: accepted.map((row) => ({...row, feature: {...row.feature, geometry: null}})),
    unread,
    unreadable,
    more,
  };
}
