import {
  type ArcgisAnswer,
  mayHaveMore,
  readUntrusted,
  refusalOfPage,
  replyProjection,
  sortedFeatures,
} from "@open-cattle/arcgis-layers";
import type {Point} from "@open-cattle/parcel-outlines";
import type {
  CountyReader,
  LayerFacts,
  ReadFailure,
  ReadKind,
  ReadResult,
  ReadTask,
  ReplyTask,
} from "./county-reader.ts";
import {holdsPoint, isOfCounty, unreadRows} from "./place-check.ts";
import {createReplyReader, type ReplyReader} from "./reply-reader.ts";

const maxFields = 2_000;
const maxNameLength = 128;

/** Creates a reader that vets, parses, conforms and accepts bodies in this process, with its own in-memory DuckDB. */
export function createAnswerReader(replies: ReplyReader = createReplyReader()): CountyReader {
  const readers: {
    [Kind in ReadKind]: (task: ReadTask<Kind>) => Promise<ReadResult<Kind>>;
  } = {
    layer: async ({body}) => layerOf(answerIn(body, {exact: false})),
    count: async ({body}) => countOf(answerIn(body, {exact: false})),
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

/** Reads a body, and says of an error what it tells of the layer. */
function answerIn(body: Uint8Array, {exact}: {exact: boolean}): Answer | ReadFailure {
  const answer = readUntrusted(body, {exact});
  if (answer.kind === "refused") return failed(answer.reason);
  if (answer.kind !== "error") return answer;
  const {code, needsToken, isGone, refusesPages} = answer;
  return {
    ...failed(`error ${code ?? ""} in a 200`.trim(), "unavailable"),
    ...(needsToken && {needsToken}),
    ...(refusesPages && {refusesPages}),
    ...(isGone && {mark: "gone"}),
  };
}

function layerOf(answer: Answer | ReadFailure): ReadResult<"layer"> {
  if (answer.kind === "failed") return answer;
  if (answer.kind !== "layer") return failed(`${answer.kind} in place of metadata`);
  const {geometryType, fields, maxRecordCount, lastEditDate, refusesPages} = answer;
  if (fields.length > maxFields) return failed(`more than ${maxFields} fields`);
  const layer: LayerFacts = {
    geometryType,
    fields: fields
      .filter(({name}) => name.length <= maxNameLength && name.isWellFormed())
      .map(({name, type}) => ({name, type: type ?? null})),
    maxRecordCount,
    lastEditDate,
    refusesPages,
  };
  return {kind: "layer", layer};
}

/** Old servers give the object ids in place of their number. */
function countOf(answer: Answer | ReadFailure): ReadResult<"count"> {
  if (answer.kind === "failed" || answer.kind === "count") return answer;
  if (answer.kind === "ids") return {kind: "count", count: answer.objectIds.length};
  return failed(`${answer.kind} in place of a count`);
}

async function readReply(task: ReplyTask, replies: ReplyReader): Promise<ReadResult<"reply">> {
  const answer = answerIn(task.body, {exact: true});
  if (answer.kind === "failed") return answer;
  if (answer.kind !== "page") return failed(`${answer.kind} in place of rows`);
  const reason = refusalOfPage(answer);
  if (reason !== null) return failed(reason);
  const more = mayHaveMore(answer, task.asked);
  const uncounted = more && !answer.exceededTransferLimit ? answer.features.length : null;
  if (answer.features.length === 0)
    return {kind: "rows", rows: [], unread: [], unreadable: 0, more, uncounted};
  const {entry, layerEdit, retrievedAt} = task;
  const {sound, placeless, unreadable} = sortedFeatures(answer, task);
  const project = replyProjection(answer.spatialReference) ?? undefined;
  const isInCounty = (geometry: Point) => isOfCounty(geometry, task);
  const read =
    sound.length === 0
      ? {rows: [], unread: [], left: 0}
      : await replies.read({entry, features: sound, placeless, project, layerEdit, retrievedAt, isInCounty});
  const {point} = task;
  const accepted = point === null ? read.rows : read.rows.filter((row) => holdsPoint(row, point));
  const unread = unreadRows(read.unread, task);
  if (accepted.length === 0 && !more) {
    // Rows of another county, or rows that are no parcels, still count as an answer.
    const isAnswer = read.left === answer.features.length && task.point === null;
    if (!isAnswer) return failed("no row of the answer passed the checks");
  }
  return {
    kind: "rows",
    // The outline has been used: strip it, so that it is not sent to the parent process.
    rows: accepted.map((row) => ({...row, feature: {...row.feature, geometry: null}})),
    unread,
    unreadable,
    more,
    uncounted,
  };
}
