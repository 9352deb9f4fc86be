import {
  boxForm,
  type Comparison,
  isSendableParcelId,
  isSpellable,
  pointForm,
  sendableText,
  whereClause,
} from "@open-cattle/arcgis-layers";
import {directionals, ordinalWords, type ScoredAddress, streetTypes} from "@open-cattle/us-address";
import {countyBox} from "../../lib/geography/county-box.ts";
import type {OwnerWords} from "../../lib/parcels/matching/owner-match.ts";
import {searchTokens} from "../../lib/parcels/owner/owner-tokens.ts";
import {aliasWords, spellings, stopWords} from "../../lib/parcels/owner/owner-vocabulary.ts";
import type {ParcelIdReading} from "../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import type {CadastreQuestion} from "../parcels/cadastre-port.ts";
import type {AskedCounty} from "./asked-county.ts";
import type {LayerMap} from "./county-layer-map.ts";
import type {Layer} from "./county-layers.ts";

/** Prefix of a name after which some counties print an apostrophe or a blank. */
const splitPrefix = /^(?:O|D|L|MC|MAC)(?=[A-Z]{3})/;
/** A final S before which some counties print an apostrophe: FARMER'S, KING'S. */
const possessive = /(?<=[A-Z]{4})S$/;

/** Comparisons for an address: by house number and, if too many rows match, also by a part of the street name. */
type AddressComparisons = {
  readonly byNumber: readonly Comparison[];
  /** One list per printed spelling; the answer is the union of their rows. */
  readonly narrower: readonly (readonly Comparison[])[];
  /** For the number elsewhere in the line and inside a range; null where the layer's columns can print neither. */
  readonly otherPrints: readonly Comparison[] | null;
};

/** Marks between the ends of a range of house numbers. */
const rangeMarks = ["-", "&", "/"];

/** Words that counties print in full or abbreviated. */
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

/** One query to a layer: the form parameters that depend on the question, and the comparisons that rows must satisfy. */
export type LayerQuery = {
  readonly form: Readonly<Record<string, string>>;
  readonly comparisons: readonly Comparison[];
  /**
   * Queries to send when this one matches more rows than the server sends; their union covers what the question needs. They miss rows that
   * are printed differently.
   */
  readonly narrower?: readonly LayerQuery[];
};

const maxOwnerWords = 8;
/** County borders are only known at 1:10 M, so their boxes are padded a little. */
const boxGrowthDegrees = 0.02;

/**
 * Returns the queries for a question, to be sent in order until one returns rows. Empty when the layer has no suitable field, or when the
 * value must not be sent (`docs/design/reliability.md` section 5).
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
    const byNumber = queryOf(asked.byNumber);
    const narrower = asked.narrower.flatMap(queryOf);
    const others = asked.otherPrints === null ? [] : queryOf(asked.otherPrints);
    return byNumber.flatMap((query) => [{...query, narrower}, ...others]);
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

/**
 * One comparison per distinct spelling of the number, in the entry's order, without a county prefix. If the entry names several
 * spellings, the county's own is unknown. The ones after the first are then replaced by a comparison that matches any spelling: without
 * it an empty answer proves nothing about a number that the county prints with other marks.
 */
function idComparisons(
  readings: readonly ParcelIdReading[],
  {map: {id}, spellings, county}: NumberColumn,
): Comparison[][] {
  const reading =
    readings.find(
      ({countyKey, state}) => countyKey === county.key || (countyKey === null && state === county.state),
    ) ?? readings[0];
  // Ids with a digest or suffix of ours are unknown to the county.
  if (id === null || reading === undefined || reading.id.includes("~")) return [];
  const values = new Set(spellings.map((spelling) => reading.spellings[spelling]).filter(isSendableParcelId));
  const {std} = reading.spellings;
  const [first] = values;
  if (!id.numeric && spellings.length > 1 && first !== undefined && isSpellable(std)) {
    const field = id.name;
    return [[{field, op: "equals", value: first}], [{field, op: "spells", value: std}]];
  }
  const comparisons = [...values].flatMap((value): Comparison[] => {
    if (!id.numeric) return [{field: id.name, op: "equals", value}];
    return /^\d{1,15}$/.test(value) ? [{field: id.name, op: "equalsNumber", value: Number(value)}] : [];
  });
  const distinct = new Map(comparisons.map((comparison) => [comparison.value, comparison]));
  return [...distinct.values()].map((comparison) => [comparison]);
}

/** Index words that replace longer printed ones; a county may print neither. */
const indexWords: ReadonlySet<string> = new Set([...spellings.values(), ...aliasWords]);

/**
 * Comparisons for an owner's words. The wide ones use the part of each longer word that every printed spelling shares. The narrower ones,
 * for counties where too many rows match, use the words as given.
 */
function ownerComparisons(
  words: OwnerWords,
  {owner}: LayerMap,
): {wide: Comparison[]; narrower: Comparison[]} | null {
  if (owner === null) return null;
  const tokens =
    "tokens" in words
      ? words.tokens
      : [...searchTokens(words.lastName), ...searchTokens(words.firstName ?? "")];
  const significant = [...new Set(tokens)].filter(
    (token) =>
      token.length > 1 && !stopWords.has(token) && !indexWords.has(token) && sendableText(token) !== null,
  );
  if (significant.length === 0) return null;
  // Short tokens are unreliable: `JP` may be printed `J P` or `J.P.`.
  const longer = significant.filter((token) => token.length > 2);
  const contained = (values: readonly string[]) =>
    values
      .slice(0, maxOwnerWords)
      .map((value): Comparison => ({field: owner.name, op: "containsWord", value}));
  return {
    wide: contained(longer.length > 0 ? longer.map(printedPart) : significant),
    narrower: contained(significant),
  };
}

function pointQuery(point: {lat: number; lon: number}): LayerQuery {
  return {form: {where: "1=1", ...pointForm(point)}, comparisons: []};
}

/** Limits a query to the county's extent, because we do not know how a statewide layer names its counties. */
function countyArea({key}: AskedCounty): Record<string, string> {
  const box = countyBox(key);
  if (box === undefined) return {};
  return boxForm({
    west: box.west - boxGrowthDegrees,
    south: box.south - boxGrowthDegrees,
    east: box.east + boxGrowthDegrees,
    north: box.north + boxGrowthDegrees,
  });
}

/**
 * Comparisons for an address; null when the layer cannot be asked for it. Street names are compared on our side, because each county prints
 * ordinals, saints and apostrophes in its own way (`docs/design/parcels.md` section 9).
 */
function addressComparisons(
  {number, numberLo, name, status}: ScoredAddress,
  map: LayerMap,
): AddressComparisons | null {
  if (status !== "numbered" || number === null || name === null || map.address === null) return null;
  const byNumber = [houseNumber({number, numberLo}, map)];
  const field = map.address.name;
  const streets = printedForms(name);
  const narrower = streets.map((value) => [...byNumber, {field, op: "contains", value} as const]);
  const numbered = map.address.isStreet ? map.number : map.address;
  if (numbered === null || numbered.numeric) return {byNumber, narrower, otherPrints: null};
  const otherPrints: Comparison[] = [
    ...insideOrElsewhere(String(numberLo ?? number), numbered.name),
    {field, op: "containsOneOf", value: streets},
  ];
  return {byNumber, narrower, otherPrints};
}

/**
 * Compares a house number with a cell that may print it behind other words (`# 4 55 MARDEN ST`) or hold it inside a range (`1820-1824`). The
 * ends of a range are less than 200 apart, so that one of them begins as the number does, but for its last two digits.
 */
function insideOrElsewhere(number: string, field: string): Comparison[] {
  const beginning = /^\d{3,}$/.test(number) ? number.slice(0, -2) : null;
  return [
    {field, op: "containsOneOf", value: [number, ...rangeMarks]},
    ...(beginning === null ? [] : [{field, op: "contains", value: beginning} as const]),
  ];
}

/** Compares the house number in its own column if the layer has one, otherwise as the start of the address line. */
function houseNumber(
  {number, numberLo}: {number: string; numberLo: number | null},
  {number: field, address}: LayerMap,
): Comparison {
  if (field?.numeric === true && numberLo !== null)
    return {field: field.name, op: "equalsNumber", value: numberLo};
  const isText = field !== null && !field.numeric;
  // `12A`, `12-14` and `12 1/2` start with the digits; a number column may lack the letters before them.
  const value = String(numberLo ?? (isText && !field.whole ? number.replace(/^\D+/, "") : number));
  // A number column may have leading blanks or zeros; an address line that starts with its number has none.
  if (isText) return {field: field.name, op: "contains", value};
  return {field: address!.name, op: "startsWith", value};
}

/** Returns a part of the name common to all its printed spellings, or the spellings themselves when they share none. */
function printedForms(name: string): string[] {
  const words = name.split(" ");
  // The number of a road is always printed in digits.
  const road = words.length > 1 || /^[A-Z]+\d/.test(name) ? /\d+/.exec(name)?.[0] : undefined;
  if (road !== undefined) return [road];
  const plain = words.filter(
    (word) => !shortForms.has(word) && !streetTypes.has(word) && !directionals.has(word) && !/^\d/.test(word),
  );
  if (plain.length > 0) {
    const longest = plain.reduce((best, word) => (word.length > best.length ? word : best));
    return [printedPart(longest)];
  }
  const [first = name] = words;
  // `23RD` may be printed as 23, or as TWENTY-THIRD with a hyphen or a blank; the last word is the same in both.
  const digits = /^(\d+)(?:ST|ND|RD|TH)$/.exec(first)?.[1] ?? first;
  const spelt = [...ordinalWords].flatMap(([word, ordinal]) => (ordinal === first ? [word] : []));
  const short = shortForms.get(first) ?? [];
  return [...new Set([digits, ...spelt.map((word) => word.split(/[ -]/).at(-1)!), short].flat())];
}

/**
 * Returns the part of a word that all printed spellings share (`docs/design/parcels.md` section 9): BRIEN for OBRIEN, O'BRIEN and O BRIEN.
 * It also matches unrelated names; the rows are compared again on our side.
 */
function printedPart(word: string): string {
  return word.replace(splitPrefix, "").replace(possessive, "");
}
