import {countyBox} from "../../lib/geography/county-box.ts";
import type {OwnerWords} from "../../lib/parcels/matching/owner-match.ts";
import {askedTokens} from "../../lib/parcels/owner/owner-tokens.ts";
import {spellings, stopWords} from "../../lib/parcels/owner/owner-vocabulary.ts";
import type {ParcelIdReading} from "../../lib/parcels/parcel-id/parcel-id-query.ts";
import type {CadastreQuestion} from "../parcels/cadastre.ts";
import {addressComparisons} from "./address-query.ts";
import type {AskedCounty} from "./asked-county.ts";
import type {LayerMap} from "./layer-map.ts";
import type {Layer} from "./layers.ts";
import {printedPart} from "./printed-part.ts";
import {type Comparison, isSendableParcelId, sendableText, whereClause} from "./where.ts";

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
  const forms = layer.source.cadastre.idForms ?? ["raw"];
  return idComparisons(question.readings, {map, forms, county}).flatMap(queryOf);
}

type NumberColumn = {map: LayerMap; forms: readonly ("raw" | "std" | "tok")[]; county: AskedCounty};

/** Gives one comparison for each distinct form of the number, in the entry's order, without a prefix for the county. */
function idComparisons(
  readings: readonly ParcelIdReading[],
  {map: {id}, forms, county}: NumberColumn,
): Comparison[][] {
  const reading =
    readings.find(
      ({countyKey, state}) => countyKey === county.key || (countyKey === null && state === county.state),
    ) ?? readings[0];
  // A digest or suffix of ours is no number of the county's.
  if (id === null || reading === undefined || reading.id.includes("~")) return [];
  const values = new Set(forms.map((form) => reading.forms[form]).filter(isSendableParcelId));
  const comparisons = [...values].flatMap((value): Comparison[] => {
    if (!id.numeric) return [{field: id.name, op: "equals", value}];
    return /^\d{1,15}$/.test(value) ? [{field: id.name, op: "equalsNumber", value: Number(value)}] : [];
  });
  const distinct = new Map(comparisons.map((comparison) => [comparison.value, comparison]));
  return [...distinct.values()].map((comparison) => [comparison]);
}

/** Index words that stand for longer printed ones: a county may print neither. */
const indexWords: ReadonlySet<string> = new Set(spellings.values());

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
