import {wordSet} from "./address-words.ts";

const cardinals =
  "ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN ELEVEN TWELVE THIRTEEN FOURTEEN FIFTEEN SIXTEEN SEVENTEEN EIGHTEEN NINETEEN TWENTY".split(
    " ",
  );
const ordinals =
  "FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH TENTH ELEVENTH TWELFTH THIRTEENTH FOURTEENTH FIFTEENTH SIXTEENTH SEVENTEENTH EIGHTEENTH NINETEENTH".split(
    " ",
  );
const tens = "TWENTY THIRTY FORTY FIFTY SIXTY SEVENTY EIGHTY NINETY".split(" ");
const tensOrdinals = "TWENTIETH THIRTIETH FORTIETH FIFTIETH SIXTIETH SEVENTIETH EIGHTIETH NINETIETH".split(
  " ",
);

/** ONE to TWENTY as digits, and the round tens up to NINETY. */
export const cardinalWords: ReadonlyMap<string, string> = new Map([
  ...cardinals.map((word, at) => [word, String(at + 1)] as const),
  ...tens.map((word, at) => [word, String((at + 2) * 10)] as const),
]);

/** Nouns that a number counts in a street name: FIVE MILE RD, SEVEN HILLS DR, 40 ACRES LN. */
export const countedWords = wordSet(
  "MILE MILES POINT POINTS OAKS HILLS CORNERS SPRINGS FORKS NOTCH STAR PINES SISTERS BRIDGES MULE RIVERS LAKES CREEK TREES BELLS GABLES ACRE ACRES",
);

/** FIRST to NINETIETH and `TWENTY-SECOND` (hyphen or blank between) as `1ST`, `90TH`, `22ND`. */
export const ordinalWords: ReadonlyMap<string, string> = new Map([
  ...ordinals.map((word, at) => [word, ordinal(at + 1)] as const),
  ...tensOrdinals.map((word, at) => [word, ordinal((at + 2) * 10)] as const),
  ...tens.flatMap((ten, at) =>
    ordinals.slice(0, 9).flatMap((one, unit) => {
      const digits = ordinal((at + 2) * 10 + unit + 1);
      return [[`${ten} ${one}`, digits] as const, [`${ten}-${one}`, digits] as const];
    }),
  ),
]);

/** The tens that may begin a two-word ordinal. */
export const tensWords: ReadonlySet<string> = new Set(tens);

/** A number with its English ordinal suffix: `22ND`, `113TH`. */
export function ordinal(value: number): string {
  const rest = value % 100;
  if (rest >= 11 && rest <= 13) return `${value}TH`;
  return `${value}${["TH", "ST", "ND", "RD"][value % 10] ?? "TH"}`;
}
