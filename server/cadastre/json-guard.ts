/** Deepest nesting that is read of a foreign server. */
const deepest = 32;
/** Objects, and objects and lists together: room for 1,000 features with their outlines, or one ring of 100,000 vertices. */
const mostObjects = 20_000;
const mostOpened = 150_000;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/**
 * Why JSON text of a foreign server is not to be parsed, or null: deeper than 32 levels, an object that has a key twice, or so many
 * members that parsing them would take the memory and time of other callers (`docs/design/reliability.md` section 5). One pass that makes nothing but the keys; whether the text is JSON at all is the parser's to say.
 */
export function refusalOfJson(text: string): string | null {
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
        const key = text.slice(at, end + 1);
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
  }
  return null;
}

/** Place of the closing quote, or -1. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at;
  }
  return -1;
}

/** The next character that is no blank. */
function nextSign(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at);
}
