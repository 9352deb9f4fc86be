import {streetTypes} from "@open-cattle/us-address";
import type {Random} from "../server/parcels/invented-state.ts";
import {typingError} from "./typing-error.ts";

/** The address of a published row: its line, and the parts that the line was read as. */
export type AddressRow = {
  parcel_uid: string;
  situs_raw: string;
  situs_number: string;
  situs_fraction: string | null;
  situs_pre: string | null;
  situs_name: string;
  situs_type: string | null;
  situs_post: string | null;
  situs_unit: string | null;
  city: string | null;
  zip: string | null;
};

/** The questions for a parcel: its own lines, and the eight mutations of issue 5. */
export const addressQuestions = [
  "own line",
  "own line with town and ZIP",
  "case",
  "punctuation",
  "suffix spelled out",
  "suffix dropped",
  "directional moved",
  "one typo in the street",
  "ZIP missing",
  "unit added",
] as const;
export type AddressQuestionName = (typeof addressQuestions)[number];

/** Which words of a line are which part of its street; a half-open stretch of word numbers each. */
type Spans = {
  pre: number | null;
  name: [number, number];
  type: number | null;
  post: number | null;
  end: number;
};

type Line = {readonly words: readonly string[]; readonly spans: Spans | null};

/**
 * The lines to ask for a row. A question is left out where the row has nothing to mutate (no suffix, no directional), where it has a unit
 * already, and where a typing error may not be corrected (names of fewer than four letters or with digits).
 */
export function addressLines(
  row: AddressRow,
  state: string,
  random: Random,
): Map<AddressQuestionName, string> {
  const full = withPlace(row, state);
  const words = full.split(/\s+/);
  const line: Line = {words, spans: spansOf(words, row)};
  const lines: [AddressQuestionName, string | null][] = [
    ["own line", row.situs_raw],
    ["own line with town and ZIP", full],
    ["case", random.pick([full.toLowerCase(), titled(full)])],
    ["punctuation", random.pick([dotted, bare])(line)],
    ["suffix spelled out", spelledSuffix(line)],
    ["suffix dropped", droppedSuffix(line)],
    ["directional moved", movedDirectional(line)],
    ["one typo in the street", misspeltStreet(line, random)],
    ["ZIP missing", withoutZip(full, row)],
    ["unit added", row.situs_unit === null ? addedUnit(line) : null],
  ];
  return new Map(lines.filter((entry): entry is [AddressQuestionName, string] => entry[1] !== null));
}

/** Gives the published line, followed by those of town, state and ZIP of the row that it does not have itself. */
function withPlace(row: AddressRow, state: string): string {
  const {city, zip} = row;
  const line = row.situs_raw.trim();
  const words = line.split(/\s+/);
  const behind = words
    .slice(spansOf(words, row)?.end ?? 0)
    .join(" ")
    .toUpperCase();
  const has = (part: string) => behind.includes(part);
  const town = city === null || has(city) ? "" : `, ${city}`;
  return zip === null || has(zip) ? line + town : `${line}${town}, ${state} ${zip}`;
}

/** Finds the parts of the street among the words of the line; null where the line writes its name in another form. */
function spansOf(words: readonly string[], row: AddressRow): Spans | null {
  const numberWords = row.situs_number.split(" ").length + (row.situs_fraction === null ? 0 : 1);
  const name = row.situs_name.split(" ");
  for (let from = numberWords; from <= numberWords + 2 && from + name.length <= words.length; from++) {
    if (name.some((word, at) => plain(words[from + at]!) !== word)) continue;
    const to = from + name.length;
    const type = row.situs_type !== null && typeOf(words[to]) === row.situs_type ? to : null;
    const behind = type === null ? to : to + 1;
    const post = row.situs_post !== null && isDirectional(words[behind], row.situs_post) ? behind : null;
    const pre = row.situs_pre !== null && isDirectional(words[from - 1], row.situs_pre) ? from - 1 : null;
    if (row.situs_type !== null && type === null) return null;
    if ((row.situs_pre !== null && pre === null) || (row.situs_post !== null && post === null)) return null;
    return {pre, name: [from, to], type, post, end: post === null ? behind : post + 1};
  }
  return null;
}

function plain(word: string): string {
  return word.toUpperCase().replace(/[.,']/g, "");
}

function typeOf(word: string | undefined): string | undefined {
  return word === undefined ? undefined : streetTypes.get(plain(word))?.short;
}

const directionalWords: Readonly<Record<string, string>> = {
  NORTH: "N",
  SOUTH: "S",
  EAST: "E",
  WEST: "W",
};

function isDirectional(word: string | undefined, dir: string): boolean {
  if (word === undefined) return false;
  return plain(word) === dir || directionalWords[plain(word)] === dir;
}

function titled(line: string): string {
  return line.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** Puts full stops after abbreviations, and a comma after the street. */
function dotted({words, spans}: Line): string {
  if (spans === null) return words.join(" ");
  const {pre, type, post, end} = spans;
  return words
    .map((word, at) => {
      const dot = (at === pre || at === type || at === post) && /^[A-Za-z]{1,4}$/.test(word) ? "." : "";
      const comma = at === end - 1 && end < words.length && !word.endsWith(",") ? "," : "";
      return word.replace(/,$/, "") + dot + (word.endsWith(",") ? "," : comma);
    })
    .join(" ");
}

/** No punctuation at all, and uneven blanks. */
function bare({words}: Line): string {
  return words
    .map((word) => word.replace(/[.,]/g, ""))
    .filter((word) => word !== "")
    .join("  ");
}

function replacedType({words, spans}: Line, make: (word: string) => string[]): string | null {
  if (spans === null || spans.type === null) return null;
  const {type} = spans;
  return words.flatMap((word, at) => (at === type ? make(word) : [word])).join(" ");
}

function spelledSuffix(line: Line): string | null {
  return replacedType(line, (word) => {
    const full = streetTypes.get(plain(word))!.full;
    return [full + (word.endsWith(",") ? "," : "")];
  });
}

function droppedSuffix({words, spans}: Line): string | null {
  if (spans === null || spans.type === null) return null;
  const {type} = spans;
  const comma = words[type]!.endsWith(",") ? "," : "";
  return words.flatMap((word, at) => (at === type ? [] : [at === type - 1 ? word + comma : word])).join(" ");
}

/** The directional before the name moves to the end of the street or back; a street with two directionals has no place for it. */
function movedDirectional({words, spans}: Line): string | null {
  if (spans === null || (spans.pre === null) === (spans.post === null)) return null;
  const at = (spans.pre ?? spans.post)!;
  const comma = words[spans.end - 1]!.endsWith(",") ? "," : "";
  const dir = words[at]!.replace(/,$/, "");
  const street = words.slice(spans.name[0], spans.post ?? spans.end).map((word) => word.replace(/,$/, ""));
  const before = words.slice(0, spans.pre ?? spans.name[0]);
  const turned = spans.pre === null ? [dir, ...street] : [...street, dir];
  turned[turned.length - 1] += comma;
  return [...before, ...turned, ...words.slice(spans.end)].join(" ");
}

function misspeltStreet({words, spans}: Line, random: Random): string | null {
  if (spans === null) return null;
  const [from, to] = spans.name;
  const name = words.slice(from, to).join(" ");
  if (name.length < 4 || !/^[A-Za-z ]+$/.test(name)) return null;
  return [...words.slice(0, from), typingError(name.toUpperCase(), random), ...words.slice(to)].join(" ");
}

/** The line up to its ZIP. */
function withoutZip(full: string, {zip}: AddressRow): string | null {
  if (zip === null) return null;
  const at = full.lastIndexOf(zip);
  return at < 0 ? null : full.slice(0, at).replace(/[\s,]+$/, "");
}

/** A unit that no row has, between street and town. */
function addedUnit({words, spans}: Line): string | null {
  if (spans === null) return null;
  const comma = words[spans.end - 1]!.endsWith(",") ? "," : "";
  const street = words.slice(0, spans.end);
  street[street.length - 1] = street.at(-1)!.replace(/,$/, "");
  return [...street, "APT", `9Z7${comma}`, ...words.slice(spans.end)].join(" ");
}
