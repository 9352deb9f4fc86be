import type {z} from "zod";
import {suggestions} from "../../lib/text/suggestions.ts";
import type {Endpoint} from "./endpoint.ts";
import {foldedWords} from "./parameter-kinds.ts";
import {invalidParameters, type ParameterFault} from "./problem-document.ts";
import type {Question, Step} from "./step.ts";

/** Synonyms of parameter names, folded. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  state: ["st", "statecode", "stateabbr", "province", "usstate"],
  zip: ["zipcode", "postalcode", "postcode", "zcta", "near", "nearzip"],
  zipCode: ["zip", "postalcode", "postcode", "zcta"],
  county: ["fips", "countyfips", "countyname", "countycode"],
  lat: ["latitude", "y"],
  lon: ["longitude", "lng", "long", "x"],
  latitude: ["lat", "y"],
  longitude: ["lon", "lng", "long", "x"],
  radius: ["miles", "distance", "within", "range", "radiusmi", "radiusmiles"],
  parcelId: ["apn", "pin", "parcel", "parcelnumber", "parcelno"],
  address: ["street", "streetaddress", "addr", "line"],
  owner: ["name", "ownername"],
  use: ["landuse", "landusecategory", "category", "usecode"],
  status: ["barnstatus"],
  venue: ["barn", "venueid", "venuename", "name"],
  limit: ["max", "size", "pagesize", "perpage", "count", "top", "rows"],
  offset: ["start", "skip", "from", "page"],
  commodity: ["commodities", "product"],
  class: ["classes", "sex", "kind", "cattleclass", "type"],
  weight: ["lb", "lbs", "pounds", "weightlb", "weightlbs", "weightbin"],
  history: ["weeks", "past"],
  evidence: ["proof", "sources"],
};

const MAX_ECHOED_CHARACTERS = 60;
/** Longer lists do not help in an error message; the OpenAPI document has them. */
const MAX_LISTED_WORDS = 30;

/** Parses the request's parameters into its facts; throws a 400 if one is wrong. */
export function parameters(endpoint: Endpoint): Step {
  return (request, {locals}, next) => {
    locals.question = readParameters(endpoint, request.query);
    next();
  };
}

/**
 * Parses a query string for an endpoint: values are trimmed, empty ones dropped, unknown names ignored and listed. Throws a 400 that lists
 * every repeated, missing or malformed parameter and, outside the parcel endpoints, every misspelt name.
 */
export function readParameters(endpoint: Endpoint, pairs: Iterable<[string, string]>): Question {
  const parameterShapes = endpoint.parameters.shape;
  const values: Record<string, string> = {};
  const ignored: string[] = [];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name, given] of pairs) {
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
    const value = given.trim();
    if (!Object.hasOwn(parameterShapes, name)) ignored.push(name);
    else if (value !== "") values[name] = value;
  }
  if (repeated.size > 0) throw invalidParameters([...repeated].map(repeatedParameter));
  const mistyped =
    endpoint.family !== "parcel" ? ignored.flatMap((name) => mistypedName(name, parameterShapes)) : [];
  if (mistyped.length > 0) throw invalidParameters(mistyped);
  const parsed = endpoint.parameters.safeParse(values);
  if (!parsed.success) {
    throw invalidParameters(parsed.error.issues.map((issue) => describe(issue, {values, ignored, endpoint})));
  }
  return {query: parsed.data, ignored: ignored.sort(), given: Object.keys(values)};
}

function repeatedParameter(name: string): ParameterFault {
  return {name, reason: "is given more than once"};
}

/** Suggests names for an unknown one. Parcel endpoints are exempt: they replace another service and ignore its extra parameters. */
function mistypedName(name: string, known: Endpoint["parameters"]["shape"]): ParameterFault[] {
  const similar = suggestedParameters(name, Object.keys(known));
  if (similar.length === 0) return [];
  const shown = name.slice(0, MAX_ECHOED_CHARACTERS);
  const reason = "is not a parameter of this endpoint";
  const sentence = `Unknown parameter "${shown}". ${didYouMean(similar)}`;
  return [{name: shown, reason, allowed: similar, sentence}];
}

type Given = {values: Record<string, string>; ignored: readonly string[]; endpoint: Endpoint};

function describe(issue: z.core.$ZodIssue, {values, ignored, endpoint}: Given): ParameterFault {
  const name = String(issue.path[0] ?? "");
  const value = values[name];
  const allowed = allowedValues(issue);
  const isShown = value !== undefined && !endpoint.redacted.includes(name);
  const sentence = isShown ? unknownWord(issue, value) : undefined;
  return {
    name,
    ...(isShown ? {value: value.slice(0, MAX_ECHOED_CHARACTERS)} : {}),
    reason:
      value === undefined && issue.code === "invalid_type"
        ? required(name, ignored, endpoint)
        : issue.message,
    ...(allowed === undefined ? {} : {allowed}),
    ...(sentence === undefined ? {} : {sentence}),
  };
}

/** The sentence for a word that a list does not have, with the words like it or, if there are none, all that it has. */
function unknownWord(issue: z.core.$ZodIssue, value: string): string | undefined {
  if (issue.code !== "custom" || issue.params?.["listOf"] === undefined) return undefined;
  const words = issue.params["allowed"] as readonly string[];
  const unknown = foldedWords(value).find((word) => !words.includes(word)) ?? "";
  const similar = [
    ...new Set([...suggestions(unknown, words), ...words.filter((word) => hasWord(word, unknown))]),
  ];
  const shown = unknown.slice(0, MAX_ECHOED_CHARACTERS);
  return `Unknown ${String(issue.params["listOf"])} "${shown}". ${didYouMean(similar.length > 0 ? similar : words)}`;
}

/** True if a word of a list, such as `baby_calves`, has the other as one of its parts. */
function hasWord(word: string, part: string): boolean {
  return word.split("_").includes(part);
}

function didYouMean(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop();
  return `Did you mean ${quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`}?`;
}

/** Reason for a missing parameter; mentions an ignored name that resembles it. */
function required(name: string, ignored: readonly string[], {parameters: {shape}}: Endpoint): string {
  const other = ignored.find((each) => suggestedParameters(each, Object.keys(shape)).includes(name));
  return other === undefined
    ? "is required"
    : `is required; ${other.slice(0, MAX_ECHOED_CHARACTERS)} is not a parameter of this endpoint`;
}

function allowedValues(issue: z.core.$ZodIssue): string[] | undefined {
  if (issue.code === "invalid_value") {
    return issue.values.length > MAX_LISTED_WORDS ? undefined : issue.values.map(String);
  }
  const allowed = issue.code === "custom" ? issue.params?.["allowed"] : undefined;
  return Array.isArray(allowed) ? allowed.map(String) : undefined;
}

/** Returns the known parameters that a wrong name may stand for. */
export function suggestedParameters(given: string, known: readonly string[]): string[] {
  return suggestions(given, known, synonyms);
}
