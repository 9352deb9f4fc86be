import {isUtf8} from "node:buffer";
import type {Point} from "@open-cattle/parcel-outlines";
import {type ArcgisAnswer, answerOf, parseServerJson} from "../../lib/arcgis/layer-reply.ts";
import type {
  CountyReader,
  LayerFacts,
  ReadFailure,
  ReadKind,
  ReadResult,
  ReadTask,
  ReplyTask,
} from "./county-reader.ts";
import {
  holdsPoint,
  isOfCounty,
  mayHaveMore,
  refusalOfOutlines,
  refusalOfPage,
  replyProjection,
  sortedFeatures,
  unreadRows,
} from "./page-check.ts";
import {createReplyReader, type ReplyReader} from "./reply-reader.ts";

/** Maximum nesting depth accepted from a foreign server. */
const maxDepth = 32;
/** Enough for 1,000 features with their outlines, or for one ring of 100,000 vertices. */
const maxObjects = 20_000;
const maxContainers = 150_000;

/** Any number of this many digits is exact as a double. */
const exactDigits = 15;
const numberSigns: ReadonlySet<number> = new Set([..."0123456789.eE+-"].map((sign) => sign.charCodeAt(0)));

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

const maxFields = 2_000;
const maxNameLength = 128;
const byteOrderMark = Buffer.from("\uFEFF");

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

/** Parses an untrusted body. With `exact`, numbers that a double cannot hold are refused; metadata do contain such numbers. */
function answerIn(bytes: Uint8Array, {exact}: {exact: boolean}): Answer | ReadFailure {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(body)) return failed("not UTF-8");
  // RFC 8259 section 8.1 forbids a byte order mark.
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
    const {code, message, needsToken} = answer;
    const isGone = code === 404 || /service not found|invalid url|layer .*not found/i.test(message);
    const refusesPages = /pagination is not supported/i.test(message);
    return {
      ...failed(`error ${code ?? ""} in a 200`.trim(), "unavailable"),
      ...(needsToken && {needsToken}),
      ...(refusesPages && {refusesPages}),
      ...(isGone && {mark: "gone"}),
    };
  } catch {
    return failed("no ArcGIS answer");
  }
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

/**
 * Returns the reason to refuse JSON from a foreign server before parsing it, or null. Refused are: more than 32 levels of nesting, a key
 * that occurs twice in an object (in any spelling), a number that a double cannot hold, and so many members that parsing them would starve
 * other callers (`docs/design/reliability.md` section 5). A single pass that materialises only the keys. Invalid JSON may pass; the parser
 * rejects it.
 */
export function refusalOfJson(text: string, exact = true): string | null {
  const open: (Set<string> | null)[] = [];
  let objects = 0;
  let containers = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (end < 0) return "a string without its end";
      const keys = open.at(-1);
      if (keys && nextSign(text, end + 1) === colon) {
        const key = keyOf(text.slice(at + 1, end));
        if (keys.has(key)) return "a key stands twice";
        keys.add(key);
      }
      at = end;
    } else if (code === 0x7b || code === 0x5b) {
      open.push(code === 0x7b ? new Set() : null);
      containers += 1;
      if (code === 0x7b) objects += 1;
      if (objects > maxObjects || containers > maxContainers) return "too many objects or lists";
      if (open.length > maxDepth) return `nested deeper than ${maxDepth} levels`;
    } else if (code === 0x7d || code === 0x5d) open.pop();
    else if (code >= 0x30 && code <= 0x39) {
      const end = endOfNumber(text, at);
      const number = text.slice(at, end);
      // As a double it would turn into a different parcel number.
      if (exact && (number.length > exactDigits || /e/i.test(number)) && Number(number) >= 2 ** 53)
        return "a number beyond 2^53";
      at = end - 1;
    }
  }
  return null;
}

/** Normalises a key for comparison: escapes are decoded and case is folded. */
function keyOf(written: string): string {
  const decoded = written.includes("\\")
    ? written.replace(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : written;
  return decoded.normalize("NFC").toLowerCase();
}

/** Returns the position just past the number that starts here. */
function endOfNumber(text: string, start: number): number {
  let at = start;
  while (at < text.length && numberSigns.has(text.charCodeAt(at))) at += 1;
  return at;
}

/** Returns the position of the closing quote, or -1. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at;
  }
  return -1;
}

/** Returns the char code of the next non-blank character. */
function nextSign(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at);
}
