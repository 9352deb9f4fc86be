import {isUtf8} from "node:buffer";
import {type ArcgisAnswer, answerOf, parseServerJson} from "../../lib/arcgis/answer.ts";
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

/** Deepest nesting that is accepted from a foreign server. */
const deepest = 32;
/** Limits that leave room for 1,000 features with their outlines, or for one ring of 100,000 vertices. */
const mostObjects = 20_000;
const mostOpened = 150_000;

/** Digits that a double always holds. */
const mostDigits = 15;
const numberSigns: ReadonlySet<number> = new Set([..."0123456789.eE+-"].map((sign) => sign.charCodeAt(0)));

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

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

/**
 * Gives the reason not to parse JSON text of a foreign server, or null: it nests deeper than 32 levels, has a key twice in
 * an object in any spelling, a number that a double cannot hold, or has so many members that parsing them would take the memory and time of other callers
 * (`docs/design/reliability.md` section 5). One pass that only makes the keys; a text that is no JSON may pass, and the
 * parser refuses it.
 */
export function refusalOfJson(text: string, exact = true): string | null {
  const open: (Set<string> | null)[] = [];
  let objects = 0;
  let opened = 0;
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
      opened += 1;
      if (code === 0x7b) objects += 1;
      if (objects > mostObjects || opened > mostOpened) return "too many objects or lists";
      if (open.length > deepest) return `nested deeper than ${deepest} levels`;
    } else if (code === 0x7d || code === 0x5d) open.pop();
    else if (code >= 0x30 && code <= 0x39) {
      const end = endOfNumber(text, at);
      const number = text.slice(at, end);
      // A parcel number beyond 2^53 would become another one.
      if (exact && (number.length > mostDigits || /e/i.test(number)) && Number(number) >= 2 ** 53)
        return "a number beyond 2^53";
      at = end - 1;
    }
  }
  return null;
}

/** Gives a key as it is compared: its characters, in whatever way they are written, without regard to case. */
function keyOf(written: string): string {
  const decoded = written.includes("\\")
    ? written.replace(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : written;
  return decoded.normalize("NFC").toLowerCase();
}

/** Gives the position after a number that begins here. */
function endOfNumber(text: string, start: number): number {
  let at = start;
  while (at < text.length && numberSigns.has(text.charCodeAt(at))) at += 1;
  return at;
}

/** Gives the position of the closing quote, or -1. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at;
  }
  return -1;
}

/** Gives the code of the next character that is no blank. */
function nextSign(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at);
}
