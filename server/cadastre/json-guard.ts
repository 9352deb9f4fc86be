/** Deepest nesting that is accepted from a foreign server. */
const deepest = 32;
/** Limits that leave room for 1,000 features with their outlines, or for one ring of 100,000 vertices. */
const mostObjects = 20_000;
const mostOpened = 150_000;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/**
 * Gives the reason not to parse JSON text of a foreign server, or null: it nests deeper than 32 levels, has a key twice in
 * an object, or has so many members that parsing them would take the memory and time of other callers
 * (`docs/design/reliability.md` section 5). One pass that only makes the keys; a text that is no JSON may pass, and the
 * parser refuses it.
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
