import {isUtf8} from "node:buffer";
import {type ArcgisAnswer, answerOf, parseServerJson} from "./layer-reply.ts";

/** Limits on what we accept of a server that nobody here runs. */
const maxVertices = 100_000;
const maxRings = 500;

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

const byteOrderMark = Buffer.from("\uFEFF");

/** An answer, or why its bytes are not read. The reason contains no value of the body. */
type UntrustedAnswer = ArcgisAnswer | {readonly kind: "refused"; readonly reason: string};

/** Parses an untrusted body. With `exact`, numbers that a double cannot hold are refused; metadata do contain such numbers. */
export function readUntrusted(bytes: Uint8Array, {exact}: {exact: boolean}): UntrustedAnswer {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(body)) return refused("not UTF-8");
  // RFC 8259 section 8.1 forbids a byte order mark.
  if (body.subarray(0, byteOrderMark.length).equals(byteOrderMark)) return refused("a byte-order mark");
  const text = body.toString("utf8");
  const reason = refusalOfJson(text, exact);
  if (reason !== null) return refused(reason);
  try {
    const parsed = parseServerJson(text);
    const tooMuch = refusalOfOutlines(parsed);
    return tooMuch === null ? answerOf(parsed) : refused(tooMuch);
  } catch {
    return refused("no ArcGIS answer");
  }
}

function refused(reason: string): UntrustedAnswer {
  return {kind: "refused", reason};
}

/** Returns the reason to refuse parsed JSON whose outlines would cost too much to read, or null. */
export function refusalOfOutlines(body: unknown): string | null {
  const {features} = (body ?? {}) as {features?: unknown};
  if (!Array.isArray(features)) return null;
  const size = {vertices: 0, rings: 0};
  for (const feature of features) {
    const {geometry} = (feature ?? {}) as {geometry?: unknown};
    for (const part of Object.values(geometry ?? {})) addSize(part, size);
    if (size.vertices > maxVertices) return "too many vertices";
    if (size.rings > maxRings) return "too many rings";
  }
  return null;
}

/** Counts positions (lists that contain no lists) and rings (lists of positions). Returns true for a position. */
function addSize(list: unknown, size: {vertices: number; rings: number}): boolean {
  if (!Array.isArray(list)) return false;
  const lists = list.filter(Array.isArray);
  if (lists.length === 0) size.vertices += 1;
  const positions = lists.filter((each) => addSize(each, size));
  if (positions.length > 0) size.rings += 1;
  return lists.length === 0;
}

/**
 * Returns the reason to refuse JSON from a foreign server before parsing it, or null. Refused are: more than 32 levels of nesting, a key
 * that occurs twice in an object (in any spelling), a number that a double cannot hold, and so many members that parsing them would starve
 * other callers. A single pass that materialises only the keys. Invalid JSON may pass; the parser
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
