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
