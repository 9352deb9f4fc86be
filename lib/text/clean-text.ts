/** Code points from the first to the last. */
type Range = readonly [first: number, last: number];

/** Characters that act on a screen: C0 but tab and line feed, DEL, C1, separators of lines and paragraphs. */
export const controlRanges: readonly Range[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x2028, 0x2029],
];
/** Characters without width: controls of direction, joiners, byte order marks. */
export const invisibleRanges: readonly Range[] = [
  [0x061c, 0x061c],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x2069],
  [0xfeff, 0xfeff],
];

/** The class of a regular expression that has the ranges: of JavaScript in its Unicode mode, with the letter `x` of RE2, which DuckDB has. */
export function classOf(ranges: readonly Range[], letter: "u" | "x" = "u"): string {
  const hex = (code: number) => `\\${letter}{${code.toString(16)}}`;
  return `[${ranges.map(([first, last]) => `${hex(first)}-${hex(last)}`).join("")}]`;
}

/** Anything but printable ASCII, tabs and line feeds. */
const unlikePrint = /[^\t\n -~]/;
const controls = new RegExp(`${classOf(controlRanges)}+`, "gu");
const invisible = new RegExp(classOf(invisibleRanges), "gu");

/**
 * A published text as we keep it (`docs/design/reliability.md` section 2.1): control characters are a space, characters without width are
 * left out, CR LF is a line feed, and the rest is NFC. Tabs and line feeds stay. `lib/sql/clean-text-sql.ts` is the same in SQL.
 */
export function cleanText(text: string): string {
  if (!unlikePrint.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replaceAll(controls, " ")
    .replaceAll(invisible, "")
    .normalize("NFC");
}

/** A value with its texts cleaned, however deep they lie in lists and plain objects. */
export function cleanTexts<Value>(value: Value): Value {
  return cleaned(value) as Value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleaned(member)]));
}
