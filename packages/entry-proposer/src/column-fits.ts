import {directionals, stateCodes, stateNames, stateOfZip, streetTypes} from "@open-cattle/us-address";
import {type ColumnValues, numberOf} from "./column-values.ts";
import type {StateFacts} from "./field-proposal.ts";
import {plainColumns} from "./field-synonyms.ts";

/** Tests whether values can belong to a role in a state. */
type Fits = (values: ColumnValues, state: string | undefined, boxOf?: StateFacts["boxOf"]) => boolean;

const minCells = 5;
const zipPattern = /^\d{5}(?:[- ]?\d{4})?(?:\.0+)?$/;
const poBoxPattern = /\bP\.? ?O\.? ?(?:BOX|BX|DRAWER)\b|^\s*BOX \d/i;
const careOfPattern = /^\s*(?:C\/O\b|%|ATTN\b)|\bC\/O\b/i;

const isType = (cell: string) => streetTypes.has(cell.toUpperCase().replaceAll(".", ""));
const isDirectional = (cell: string) => directionals.has(cell.toUpperCase().replaceAll(".", ""));
const isHouseNumber = (cell: string) => /^\d{1,6}(?:\.0+)?[A-Z]?$/i.test(cell);
const isNumber = (cell: string) => Number.isFinite(numberOf(cell));
const hasLetters = (cell: string) => /[a-z]{2}/i.test(cell);
const isUrl = (cell: string) => /^(?:https?:\/\/|www\.)/i.test(cell);
const upTo = (max: number) => (values: ColumnValues) =>
  values.share((cell) => isNumber(cell) && numberOf(cell) >= 0 && numberOf(cell) <= max) >= 0.9;
const numeric: Fits = (values) => values.share(isNumber) >= 0.9;
const text: Fits = (values) => values.share(hasLetters) >= 0.8 && values.share(isUrl) < 0.1;
const inDegrees =
  (side: "lon" | "lat"): Fits =>
  (values, state, boxOf) => {
    const box = state === undefined ? undefined : boxOf?.(state);
    const [low, high] =
      box === undefined
        ? [-180, 180]
        : side === "lon"
          ? [box.west - 1, box.east + 1]
          : [box.south - 1, box.north + 1];
    return values.share((cell) => numberOf(cell) >= low && numberOf(cell) <= high) >= 0.9;
  };
/** Section, township and range in either order (`27-01S-14W`), which are no street. */
const surveyPattern =
  /^(?:S(?:EC)?\W?)?\d{1,2}\W+T?\d{1,3}\s?[NS]\W+R?\d{1,3}\s?[EW]$|^T?\d{1,3}\s?[NS]\W+R?\d{1,3}\s?[EW]\W+(?:S(?:EC)?\W?)?\d{1,2}$/i;
const isSurvey = (cell: string) => surveyPattern.test(cell.trim());
const isPhone = (cell: string) => /^\(?\d{3}\)?[-. ]?\d{3}[-. ]?\d{4}$/.test(cell.trim());
/** A roll has the year of its edition, and perhaps those of rows that were not renewed. */
const fewYears = 3;
const years = (values: ColumnValues) =>
  values.share((cell) => numberOf(cell) >= 1990 && numberOf(cell) <= 2100) >= 0.9;
const isFewYears = (values: ColumnValues) => new Set(values.filled.map(numberOf)).size <= fewYears;
/** No county's buildings are mostly smaller than a shed: such numbers are acres. */
const smallestBuilding = 50;
const directional: Fits = (values) => values.share(isDirectional) >= 0.8;

const tests: Readonly<Record<string, Fits>> = {
  situs_raw: (values, state) =>
    values.share((cell) => /[a-z]/i.test(cell)) >= 0.5 &&
    values.share(isUrl) < 0.1 &&
    values.share(isSurvey) < 0.1 &&
    !looksLikeOwnerAddress(values, state, 0.1),
  situs_number: (values) =>
    values.share((cell) => /\d/.test(cell) && cell.length <= 14) >= 0.7 && values.share(isPhone) < 0.5,
  situs_pre: directional,
  situs_post: directional,
  situs_type: (values) => values.share(isType) >= 0.6,
  situs_name: (values, state) =>
    values.share((cell) => /^\d+[a-z]? +\S/i.test(cell) || poBoxPattern.test(cell)) < 0.5 &&
    values.share(isSurvey) < 0.1 &&
    !looksLikeOwnerAddress(values, state, 0.1),
  situs_unit: (values) => values.share((cell) => cell.length <= 16) >= 0.8,
  city: (values, state) =>
    values.share(hasLetters) >= 0.8 &&
    values.share(isNumber) < 0.05 &&
    !looksLikeOwnerAddress(values, state, 0.1),
  zip: (values, state) =>
    values.share((cell) => zipPattern.test(cell)) >= 0.8 && outOfStateZips(values, state) <= 0.1,
  mail_city: text,
  mail_zip: (values) => values.share((cell) => /\d/.test(cell)) >= 0.5,
  mail_state: (values) => values.share((cell) => stateOf(cell) !== null) >= 0.7,
  owner_raw: text,
  owner_second: text,
  taxpayer: text,
  owner_care_of: text,
  subdivision: (values) => values.share(isUrl) < 0.1,
  legal_desc: (values) => values.share(hasLetters) >= 0.5,
  census_tract: (values) => values.share((cell) => /^\d{4}(?:\.?\d{2})?$|^\d{11}/.test(cell)) >= 0.8,
  jurisdiction: (values) => values.share(isUrl) < 0.1 && values.share(hasLetters) >= 0.5,
  source_url: (values) => values.share(isUrl) >= 0.9,
  year_built: (values) =>
    values.share((cell) => numberOf(cell) === 0 || (numberOf(cell) >= 1600 && numberOf(cell) <= 2100)) >= 0.9,
  roll_year: (values) => years(values) && isFewYears(values),
  tax_year: years,
  stories: upTo(120),
  bedrooms: upTo(500),
  bathrooms: upTo(500),
  building_count: upTo(500),
  units_count: upTo(5000),
  frontage_ft: upTo(50_000),
  depth_ft: upTo(50_000),
  building_area: (values, state) => numeric(values, state) && !looksLikeAcres(values),
  lon: inDegrees("lon"),
  lat: inDegrees("lat"),
  any_state: (values) => values.share((cell) => stateOf(cell) !== null) >= 0.7,
  any_x: inDegrees("lon"),
  any_y: inDegrees("lat"),
  section: upTo(99),
  sec_twn_rng: (values) => values.share((cell) => /\d/.test(cell)) >= 0.8,
  parcel_id: (values) =>
    values.share((cell) => /\d/.test(cell)) >= 0.8 && !looksLikeDate(values) && values.share(isUrl) < 0.1,
  alt_id: (values) =>
    values.share((cell) => /\d/.test(cell)) >= 0.8 && values.distinct >= 0.5 && values.share(isUrl) < 0.1,
};

/** Tests of cells that show a role where the name of the column says too little. */
const proofs: Readonly<Record<string, Fits>> = {
  situs_raw: (values, state) =>
    values.share((cell) => /^\d+\S* +\S*[a-z]/i.test(cell)) >= 0.7 &&
    values.share((cell) => cell.split(/[\s,]+/).some(isType)) >= 0.5 &&
    !looksLikeOwnerAddress(values, state, 0.1),
  situs_number: (values) => values.share(isHouseNumber) >= 0.95,
  situs_fraction: (values) => values.share((cell) => /^(?:\d\/\d|[¼½¾])$/.test(cell)) >= 0.9,
  situs_pre: (values) => values.share(isDirectional) >= 0.9,
  situs_post: (values) => values.share(isDirectional) >= 0.9,
  situs_type: (values) => values.share(isType) >= 0.8,
  situs_name: (values) =>
    values.share((cell) => /[a-z]{3}|^\d+(?:st|nd|rd|th)\b/i.test(cell)) >= 0.8 &&
    values.share(isType) < 0.5 &&
    values.share(isDirectional) < 0.5,
  zip: (values, state) => values.share((cell) => zipPattern.test(cell) && stateOfZip(cell) === state) >= 0.95,
  city: (values) => values.share((cell) => /^[a-z][a-z .'-]+$/i.test(cell)) >= 0.95 && values.distinct <= 0.5,
  area_acres: (values) => values.share((cell) => /^\d*\.\d+$/.test(cell)) >= 0.5,
  year_built: (values) => tests.year_built!(values, undefined),
  mail_state: (values) => values.share((cell) => stateOf(cell) !== null) >= 0.95,
  mail_zip: (values) => values.share((cell) => zipPattern.test(cell)) >= 0.9,
};

/** True when at least five cells are known and show that the column has a role. */
export function provesRole(role: string, values: ColumnValues, state?: string): boolean {
  const proof = proofs[role.replace(/^any_/, "")];
  return values.filled.length >= minCells && proof !== undefined && proof(values, state);
}

/** True when a column's cells fit a role, or when fewer than five cells are known. */
export function fitsRole(
  role: string,
  values: ColumnValues,
  state?: string,
  boxOf?: StateFacts["boxOf"],
): boolean {
  if (values.filled.length < minCells) return true;
  const test = tests[role] ?? (plainColumns.get(role) === "money" ? numeric : null);
  return test === null || test(values, state, boxOf);
}

/**
 * True when addresses, cities, states or ZIPs are those of owners, who live out of state, use PO boxes or
 * receive mail care of somebody else. Fewer than 0.5 % of situs cells look like that, through typing errors.
 */
export function looksLikeOwnerAddress(
  values: ColumnValues,
  state: string | undefined,
  maxShare = 0.005,
): boolean {
  return ownerSigns(values, state) > Math.max(1, values.filled.length * maxShare);
}

/** Counts the cells that can only belong to an owner's address. */
function ownerSigns(values: ColumnValues, state: string | undefined): number {
  return values.filled.filter((cell) => {
    if (poBoxPattern.test(cell) || careOfPattern.test(cell)) return true;
    const there = stateAtEnd(cell);
    return state !== undefined && there !== null && there !== state;
  }).length;
}

/**
 * The state named by a cell: a code or name alone, a ZIP alone, or code and ZIP after a city; null otherwise.
 */
function stateAtEnd(cell: string): string | null {
  if (zipPattern.test(cell)) return stateOfZip(cell);
  if (/^[A-Z]{2}$/.test(cell)) return stateOf(cell);
  const [, code] = /[ ,]([A-Z]{2})\.?,? +\d{5}(?:-\d{4})?$/i.exec(cell) ?? [];
  const known = code?.toUpperCase() ?? "";
  return stateCodes.has(known) ? known : null;
}

/** The state that a cell consists of (`TX`, `Texas`), else null. */
export function stateOf(cell: string): string | null {
  const upper = cell.toUpperCase().replaceAll(".", "").trim();
  return stateCodes.has(upper) ? upper : (stateNames.get(upper) ?? null);
}

function outOfStateZips(values: ColumnValues, state: string | undefined): number {
  if (state === undefined) return 0;
  return values.share((cell) => ![null, state].includes(stateOfZip(cell)));
}

function looksLikeAcres({numbers}: ColumnValues): boolean {
  const known = numbers.filter((number): number is number => number !== null && number > 0);
  return (
    known.length >= minCells && known.filter((number) => number < smallestBuilding).length > known.length / 2
  );
}

function looksLikeDate(values: ColumnValues): boolean {
  return values.share((cell) => /^\d{1,2}\/\d{1,2}\/\d{4}/.test(cell)) >= 0.5;
}
