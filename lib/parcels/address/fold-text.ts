/** The name of a place in the forms in which it is compared. */
export type PlaceName = {
  /** As `cityKey` gives it: `DE KALB`. */
  readonly words: string;
  /** Without blanks, so that `DE KALB` is `DEKALB`. */
  readonly key: string;
};

const marks = /\p{M}+/gu;
/** Characters of a line that are read. */
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

/** Gives the first 300 characters in upper case, without accents, with plain fractions, dashes and quotes. */
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

/** Gives the form in which whole texts are compared: upper case letters and digits, one blank for a run of other signs. */
export function foldText(text: string): string {
  // Towns and units of records mostly are in this form already.
  if (text === "" || (text.length <= longestLine && folded.test(text))) return text;
  return upperPlain(text)
    .replaceAll("'", "")
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== "")
    .join(" ");
}

/** Gives the form in which towns are compared: folded, with SAINT, FORT and MOUNT shortened to ST, FT and MT. */
export function cityKey(city: string | null): string {
  return foldText(city ?? "")
    .replace(/^(?:CITY|TOWN|VILLAGE) OF /, "")
    .replace(/\b(?:SAINT|FORT|MOUNT)\b/g, shortForm);
}

function shortForm(word: string): string {
  return word === "SAINT" ? "ST" : word === "FORT" ? "FT" : "MT";
}

/** Gives the forms of a place's name; empty ones for no name. */
export function placeName(city: string | null): PlaceName {
  const words = cityKey(city);
  return {words, key: words.replaceAll(" ", "")};
}
