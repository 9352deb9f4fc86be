import {countWithNoun, countWords} from "../../counts.ts";
/**
 * The parcel limitation catalogue (`docs/design/parcels.md` section 11), worded as answers show it. Ids are
 * stable.
 */
export const parcelLimitations = {
  P01: "Parcel data is public centroid and assessor-attribute context only; it is not survey, title, ownership, boundary, appurtenance or water-right evidence.",
  P02: "Owner names are as last published by the source and may be out of date.",
  P03: "The point is a representative point of the parcel, not a corner, an entrance or a surveyed position.",
  P04: "Acreage is computed from a map outline.",
  P05: "Stated and computed acreage differ by more than 10 percent.",
  P06: "The source does not publish owner names for this area.",
  P07: "Land use category is derived from a local code and may differ from the present use.",
  P08: "n parcels without a land use category were left out by the filter.",
  P09: "Values of this source are assessed or use values, not market prices.",
  P10: "The county service could not be asked; the answer may be incomplete.",
  P11: "This answer came from the county service at the time of the request and is not yet part of a build.",
  P12: "Limit reduced to the maximum.",
  P13: "Coverage of STATE is partial: p parcels in n of m counties, l of them complete.",
  P14: "Boundaries are not loaded here; containment is not known.",
  P15: "The parcel has no published point.",
  P16: "Address matched after correction; check the notes.",
  P17: "Several accounts or units share this parcel.",
  P18: "The vintage is the retrieval date; the source states none.",
  P19: "Parcel numbers may be re-used or re-formatted by the county.",
  P20: "The data build is older than 36 hours.",
  P21: "The source publishes no parcel number for this record.",
  P22: "Generated sample data: no real parcel, owner or value.",
  P23: "Owner names of this area are not published or not redistributed; no search by owner can find them here.",
  P24: "The line had no house number: streets are not looked up, only numbered addresses.",
  P25: "Vacant land of this size in a ranching area may be open range.",
  P26: "No owner of that name was found; these are the nearest spellings.",
  P27: "The town or ZIP of the question could not be checked against this parcel.",
  P28: "n parcels (a acres) of vacant land that may be open range were left out by the filter; includeOpenRange=true adds them.",
  P29: "The age of this data is unknown: the source states no date.",
  P30: "The land and building values are not assessed values; see valuePartsKind.",
  P31: "Part of the printed record could not be read; its facts have a lower confidence.",
  P32: "When the source's file was fetched is not stated; the time at which a build first saw it is taken.",
  P33: "The point is far from all counties; latitude and longitude may be exchanged, or the minus sign of the longitude is missing.",
  P34: "The county service was asked for the parcel at the point alone, not for others within the radius.",
} as const;

export type ParcelLimitationId = keyof typeof parcelLimitations;

/** P08 with its count filled in; the sentence also mentions acres when the question filters by them. */
export function unclassifiedLimitation(count: number, aboutAcres: boolean): string {
  const sentence = parcelLimitations.P08.replace("n", String(count));
  return aboutAcres ? sentence.replace("category", "category or acres") : sentence;
}

/** P28 with its count and acres filled in. */
export function openRangeLimitation(parcels: number, acres: number): string {
  return parcelLimitations.P28.replace("n parcels", `${parcels} parcels`).replace(
    "a acres",
    `${countWords(Math.round(acres))} acres`,
  );
}

/** Parcels and the counties that have some; without a total they are municipalities of Manitoba. */
type CoveredCounties = {parcels: number; counties: number; total?: number | undefined};

/** Words such as `6,062 parcels in 38 of 56 counties`. */
export function coveredCounties({parcels, counties, total}: CoveredCounties): string {
  const where =
    total === undefined
      ? countWithNoun(counties, "municipality", "municipalities")
      : `${counties} of ${total} counties`;
  return `${countWords(parcels)} parcels in ${where}`;
}

/** P13 with state and counts filled in; `whole` is the number of counties that are complete. */
export function partialLimitation(
  state: string,
  {whole, ...covered}: CoveredCounties & {whole: number},
): string {
  return parcelLimitations.P13.replace("STATE", state)
    .replace("p parcels in n of m counties", coveredCounties(covered))
    .replace("l of them", `${whole === 0 ? "none" : whole} of them`);
}

/**
 * Removes duplicates and sorts by id. P01 is always included; P26 comes before it, and P22 first of all in a
 * sample build.
 */
export function orderedParcelLimitations(sentences: Iterable<string>, sample: boolean): string[] {
  const all = new Set([...sentences, parcelLimitations.P01, ...(sample ? [parcelLimitations.P22] : [])]);
  return [...all].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

const ids = Object.keys(parcelLimitations) as ParcelLimitationId[];
const ranks = new Map(ids.map((id, rank): [string, number] => [parcelLimitations[id], rank]));

/**
 * Rank of a sentence, with or without filled-in values: P22 and P26 come first, sentences outside the
 * catalogue last.
 */
function rankOf(sentence: string): number {
  if (sentence === parcelLimitations.P22) return -2;
  if (sentence === parcelLimitations.P26) return -1;
  const known = ranks.get(sentence);
  if (known !== undefined) return known;
  const plain = sentence
    .replace(/^\d+ parcels/, "n parcels")
    .replace(/\([\d,]+ acres\)/, "(a acres)")
    .replace("category or acres", "category")
    .replace(/^Coverage of .*/, parcelLimitations.P13);
  return ranks.get(plain) ?? ids.length;
}
