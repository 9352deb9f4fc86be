/** A place name, normalised for comparison. */
export type PlaceName = {
  /** As returned by `cityKey`: `DE KALB`. */
  readonly words: string;
  /** Without blanks, so that `DE KALB` equals `DEKALB`. */
  readonly key: string;
};

const marks = /\p{M}+/gu;
/** Maximum number of characters read of a line. */
export const longestLine = 300;
const fractionSigns: Readonly<Record<string, string>> = {
  "¼": " 1/4",
  "½": " 1/2",
  "¾": " 3/4",
  "⅓": " 1/3",
  "⅔": " 2/3",
  "⅛": " 1/8",
  "⅜": " 3/8",
  "⅝": " 5/8",
  "⅞": " 7/8",
};
const fractionSign = /[¼½¾⅓⅔⅛⅜⅝⅞]/gu;
const letters: Readonly<Record<string, string>> = {
  ß: "SS",
  æ: "AE",
  Æ: "AE",
  ø: "O",
  Ø: "O",
  đ: "D",
  Đ: "D",
  ł: "L",
  Ł: "L",
};
const letter = /[ßæÆøØđĐłŁ]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for plain ASCII, control characters included
const ascii = /^[\x00-\x7f]*$/;

/** The first 300 characters in upper case, without accents, with plain fractions, dashes and quotes. */
export function upperPlain(line: string): string {
  const cut = line.length > longestLine ? line.slice(0, longestLine) : line;
  if (ascii.test(cut)) return cut.toUpperCase();
  return cut
    .replace(fractionSign, (sign) => fractionSigns[sign] ?? sign)
    .replace(letter, (sign) => letters[sign] ?? sign)
    .normalize("NFKD")
    .replace(marks, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/[\u2018\u2019\u02bc]/gu, "'")
    .toUpperCase();
}

const folded = /^[A-Z0-9]+(?: [A-Z0-9]+)*$/;

/**
 * Normalises text for comparison: capitals and digits, with a single blank for each run of other characters.
 */
export function foldText(text: string): string {
  // Towns and units in records usually are normalised already.
  if (text === "" || (text.length <= longestLine && folded.test(text))) return text;
  return upperPlain(text)
    .replaceAll("'", "")
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== "")
    .join(" ");
}

/** Normalises a town for comparison: folded, with SAINT, FORT and MOUNT shortened to ST, FT and MT. */
export function cityKey(city: string | null): string {
  return foldText(city ?? "")
    .replace(/^(?:CITY|TOWN|VILLAGE) OF /, "")
    .replace(/\b(?:SAINT|FORT|MOUNT)\b/g, shortForm);
}

function shortForm(word: string): string {
  return word === "SAINT" ? "ST" : word === "FORT" ? "FT" : "MT";
}

/** Normalises a place name; both members are empty when there is none. */
export function placeName(city: string | null): PlaceName {
  const words = cityKey(city);
  return {words, key: words.replaceAll(" ", "")};
}
