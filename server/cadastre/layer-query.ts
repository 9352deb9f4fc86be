import {countyBox} from "../../lib/geography/county-box.ts";
import {directionals} from "../../lib/parcels/address/directionals.ts";
import {ordinalWords} from "../../lib/parcels/address/number-words.ts";
import type {ScoredAddress} from "../../lib/parcels/address/parsed-address.ts";
import {streetTypes} from "../../lib/parcels/address/street-types.ts";
import type {OwnerWords} from "../../lib/parcels/matching/owner-match.ts";
import {askedTokens} from "../../lib/parcels/owner/owner-tokens.ts";
import {aliasWords, spellings, stopWords} from "../../lib/parcels/owner/owner-vocabulary.ts";
import type {ParcelIdReading} from "../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import type {CadastreQuestion} from "../parcels/cadastre.ts";
import type {LayerMap} from "./layer-map.ts";
import type {AskedCounty, Layer} from "./layers.ts";
import {type Comparison, isSendableParcelId, sendableText, whereClause} from "./where.ts";

/** Begins a name that some counties print with an apostrophe or a blank after it. */
const oftenParted = /^(?:O|D|L|MC|MAC)(?=[A-Z]{3})/;
/** Ends a name that some counties print with an apostrophe before it: FARMER'S, KING'S. */
const possessive = /(?<=[A-Z]{4})S$/;

/** What a county is asked for an address: its number, and where too many rows have that, also a part of the street's name. */
type AddressComparisons = {
  readonly byNumber: readonly Comparison[];
  /** One list for each printed form; the rows of all of them together are the answer. */
  readonly narrower: readonly (readonly Comparison[])[];
};

/** Words that counties print in full or short. */
const shortForms: ReadonlyMap<string, string> = new Map([
  ["SAINT", "ST"],
  ["SAINTE", "STE"],
  ["FORT", "FT"],
  ["MOUNT", "MT"],
  ["POINT", "PT"],
  ["LAKE", "LK"],
  ["GENERAL", "GEN"],
  ["DOCTOR", "DR"],
  ["MARTIN", "M"],
]);

/** One query to a layer: the parts of its form that depend on the question, and the comparisons that rows have to fit. */
export type LayerQuery = {
  readonly form: Readonly<Record<string, string>>;
  readonly comparisons: readonly Comparison[];
  /**
   * Queries that together give what this one gives of interest, for a server that has too many rows for it. What is printed in another
   * way than they ask for is not among their rows.
   */
  readonly narrower?: readonly LayerQuery[];
};

const mostOwnerWords = 8;
/** The box of a county is grown a little, because county borders are known at 1:10 M. */
const boxGrowthDegrees = 0.02;

/**
 * Gives the queries of a question, which are sent one after the other until one has rows. Empty when the layer has no field
 * for it or the value may not be sent (`docs/design/reliability.md` section 5): then no query goes out.
 */
export function layerQueries(
  question: CadastreQuestion,
  {map, layer, county}: {map: LayerMap; layer: Layer; county: AskedCounty},
): LayerQuery[] {
  if (question.kind === "location") {
    return layer.source.cadastre.point === true ? [pointQuery(question.point)] : [];
  }
  const area = layer.statewide ? countyArea(county) : {};
  const queryOf = (comparisons: readonly Comparison[]): LayerQuery[] => {
    const where = whereClause(comparisons);
    return where === null ? [] : [{form: {where, ...area}, comparisons}];
  };
  if (question.kind === "address") {
    const asked = addressComparisons(question.address, map);
    if (asked === null) return [];
    return queryOf(asked.byNumber).map((query) => ({...query, narrower: asked.narrower.flatMap(queryOf)}));
  }
  if (question.kind === "owner") {
    const asked = ownerComparisons(question.words, map);
    if (asked === null) return [];
    return queryOf(asked.wide).map((query) => ({...query, narrower: queryOf(asked.narrower)}));
  }
  const spellings = layer.source.cadastre.idForms ?? ["raw"];
  return idComparisons(question.readings, {map, spellings, county}).flatMap(queryOf);
}

type NumberColumn = {map: LayerMap; spellings: readonly ("raw" | "std" | "tok")[]; county: AskedCounty};

/** Gives one comparison for each distinct form of the number, in the entry's order, without a prefix for the county. */
function idComparisons(
  readings: readonly ParcelIdReading[],
  {map: {id}, spellings, county}: NumberColumn,
): Comparison[][] {
  const reading =
    readings.find(
      ({countyKey, state}) => countyKey === county.key || (countyKey === null && state === county.state),
    ) ?? readings[0];
  // A digest or suffix of ours is no number of the county's.
  if (id === null || reading === undefined || reading.id.includes("~")) return [];
  const values = new Set(spellings.map((form) => reading.spellings[form]).filter(isSendableParcelId));
  const comparisons = [...values].flatMap((value): Comparison[] => {
    if (!id.numeric) return [{field: id.name, op: "equals", value}];
    return /^\d{1,15}$/.test(value) ? [{field: id.name, op: "equalsNumber", value: Number(value)}] : [];
  });
  const distinct = new Map(comparisons.map((comparison) => [comparison.value, comparison]));
  return [...distinct.values()].map((comparison) => [comparison]);
}

/** Index words that stand for longer printed ones: a county may print neither. */
const indexWords: ReadonlySet<string> = new Set([...spellings.values(), ...aliasWords]);

/**
 * Gives the comparisons of an owner's words, widest first: by the part of each longer word that all printed forms have, and for a county
 * with too many rows of that, by the words as they are.
 */
function ownerComparisons(
  words: OwnerWords,
  {owner}: LayerMap,
): {wide: Comparison[]; narrower: Comparison[]} | null {
  if (owner === null) return null;
  const tokens =
    "tokens" in words
      ? words.tokens
      : [...askedTokens(words.lastName), ...askedTokens(words.firstName ?? "")];
  const telling = [...new Set(tokens)].filter(
    (token) =>
      token.length > 1 && !stopWords.has(token) && !indexWords.has(token) && sendableText(token) !== null,
  );
  if (telling.length === 0) return null;
  // `JP` is printed `J P`, and `J.P.` too.
  const longer = telling.filter((token) => token.length > 2);
  const contained = (values: readonly string[]) =>
    values
      .slice(0, mostOwnerWords)
      .map((value): Comparison => ({field: owner.name, op: "containsWord", value}));
  return {
    wide: contained(longer.length > 0 ? longer.map(printedPart) : telling),
    narrower: contained(telling),
  };
}

function pointQuery({lat, lon}: {lat: number; lon: number}): LayerQuery {
  const geometry = JSON.stringify({x: lon, y: lat, spatialReference: {wkid: 4326}});
  return {form: {where: "1=1", ...within("esriGeometryPoint", geometry)}, comparisons: []};
}

/** Narrows a query to the county by its extent, because the names of counties in a statewide layer are not known. */
function countyArea({key}: AskedCounty): Record<string, string> {
  const box = countyBox(key);
  if (box === undefined) return {};
  const envelope = {
    xmin: box.west - boxGrowthDegrees,
    ymin: box.south - boxGrowthDegrees,
    xmax: box.east + boxGrowthDegrees,
    ymax: box.north + boxGrowthDegrees,
    spatialReference: {wkid: 4326},
  };
  return within("esriGeometryEnvelope", JSON.stringify(envelope));
}

function within(geometryType: string, geometry: string): Record<string, string> {
  return {geometry, geometryType, inSR: "4326", spatialRel: "esriSpatialRelIntersects"};
}

/**
 * Gives the comparisons of an address; null where the layer cannot be asked for it. Streets are compared here, not there: a county
 * prints ordinals, saints and apostrophes in its own way (`docs/design/parcels.md` section 9).
 */
function addressComparisons(
  {number, numberLo, name, status}: ScoredAddress,
  map: LayerMap,
): AddressComparisons | null {
  if (status !== "numbered" || number === null || name === null || map.address === null) return null;
  const byNumber = [houseNumber({number, numberLo}, map)];
  const field = map.address.name;
  const narrower = printedForms(name).map((value) => [...byNumber, {field, op: "contains", value} as const]);
  return {byNumber, narrower};
}

/** Compares the number where the layer has a column of it, else the beginning of the line. */
function houseNumber(
  {number, numberLo}: {number: string; numberLo: number | null},
  {number: field, address}: LayerMap,
): Comparison {
  if (field?.numeric === true && numberLo !== null)
    return {field: field.name, op: "equalsNumber", value: numberLo};
  const isText = field !== null && !field.numeric;
  // `12A`, `12-14` and `12 1/2` begin with the digits; a column of the number alone may lack the letters before them.
  const value = String(numberLo ?? (isText && !field.whole ? number.replace(/^\D+/, "") : number));
  // A column of numbers may have blanks or zeros before them; a line that begins with its number has none.
  if (isText) return {field: field.name, op: "contains", value};
  return {field: address!.name, op: "startsWith", value};
}

/** Gives a part of the name that all its printed forms have, or the forms themselves where they have no part in common. */
function printedForms(name: string): string[] {
  const words = name.split(" ");
  // The number of a road is printed in digits, whatever stands before it.
  const road = words.length > 1 ? /\d+/.exec(name)?.[0] : undefined;
  if (road !== undefined) return [road];
  const plain = words.filter(
    (word) => !shortForms.has(word) && !streetTypes.has(word) && !directionals.has(word) && !/^\d/.test(word),
  );
  if (plain.length > 0) {
    const longest = plain.reduce((best, word) => (word.length > best.length ? word : best));
    return [printedPart(longest)];
  }
  const [first = name] = words;
  // `23RD` is also printed 23, and TWENTY-THIRD with a hyphen or a blank; its last word is in both.
  const digits = /^(\d+)(?:ST|ND|RD|TH)$/.exec(first)?.[1] ?? first;
  const spelt = [...ordinalWords].flatMap(([word, ordinal]) => (ordinal === first ? [word] : []));
  const short = shortForms.get(first) ?? [];
  return [...new Set([digits, ...spelt.map((word) => word.split(/[ -]/).at(-1)!), short].flat())];
}

/**
 * Gives the part of a word of a name that is in all forms in which counties print it (`docs/design/parcels.md` section 9): BRIEN of
 * OBRIEN, O'BRIEN and O BRIEN. Rows with other words come too, and are compared here.
 */
function printedPart(word: string): string {
  return word.replace(oftenParted, "").replace(possessive, "");
}
