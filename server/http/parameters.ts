import type {z} from "zod";
import {editDistance} from "../../lib/parcels/address/edit-distance.ts";
import type {InvalidParameter} from "../../schemas/problem.ts";
import type {Endpoint} from "./endpoint.ts";
import {invalidParameters} from "./problem.ts";
import type {Question, Step} from "./step.ts";

/** Other words for parameters, folded: lower case, without brackets, hyphens and underscores. */
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

const MOST_CHARACTERS_ECHOED = 60;
/** Longer lists of words are no help in an error; the OpenAPI document has them. */
const MOST_WORDS_LISTED = 30;

/** Reads the parameters of an endpoint's request into its facts; a wrong one is 400. */
export function parameters(endpoint: Endpoint): Step {
  return (request, {locals}, next) => {
    locals.question = readParameters(endpoint, request.query);
    next();
  };
}

/**
 * Reads the names and values of a query string for an endpoint: trimmed, empty values left out, unknown names ignored and
 * listed. Throws the 400 of every repeated, missing or malformed parameter, and of a market endpoint's mistyped name.
 */
export function readParameters(endpoint: Endpoint, pairs: Iterable<[string, string]>): Question {
  const known = endpoint.parameters.shape;
  const values: Record<string, string> = {};
  const ignored: string[] = [];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name, given] of pairs) {
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
    const value = given.trim();
    if (!Object.hasOwn(known, name)) ignored.push(name);
    else if (value !== "") values[name] = value;
  }
  if (repeated.size > 0) throw invalidParameters([...repeated].map(givenTwice));
  const mistyped = endpoint.family !== "parcel" ? ignored.flatMap((name) => mistypedName(name, known)) : [];
  if (mistyped.length > 0) throw invalidParameters(mistyped);
  const parsed = endpoint.parameters.safeParse(values);
  if (!parsed.success) {
    throw invalidParameters(parsed.error.issues.map((issue) => describe(issue, {values, ignored, endpoint})));
  }
  return {query: parsed.data, ignored: ignored.sort(), given: Object.keys(values)};
}

function givenTwice(name: string): InvalidParameter {
  return {name, reason: "is given more than once"};
}

/** Parcel lookups take the place of another service, whose further parameters they pass over. */
function mistypedName(name: string, known: Endpoint["parameters"]["shape"]): InvalidParameter[] {
  const meant = suggestions(name, Object.keys(known));
  if (meant.length === 0) return [];
  const reason = `is no parameter here; did you mean ${meant.join(" or ")}?`;
  return [{name: name.slice(0, MOST_CHARACTERS_ECHOED), reason, allowed: meant}];
}

type Given = {values: Record<string, string>; ignored: readonly string[]; endpoint: Endpoint};

function describe(issue: z.core.$ZodIssue, {values, ignored, endpoint}: Given): InvalidParameter {
  const name = String(issue.path[0] ?? "");
  const value = values[name];
  const allowed = allowedValues(issue);
  return {
    name,
    ...(value === undefined || endpoint.unspoken.includes(name)
      ? {}
      : {value: value.slice(0, MOST_CHARACTERS_ECHOED)}),
    reason:
      value === undefined && issue.code === "invalid_type"
        ? required(name, ignored, endpoint)
        : issue.message,
    ...(allowed === undefined ? {} : {allowed}),
  };
}

/** The reason of an absent parameter; an ignored name that means it is told. */
function required(name: string, ignored: readonly string[], {parameters: {shape}}: Endpoint): string {
  const other = ignored.find((each) => suggestions(each, Object.keys(shape)).includes(name));
  return other === undefined
    ? "is required"
    : `is required; ${other.slice(0, MOST_CHARACTERS_ECHOED)} is no parameter here`;
}

function allowedValues(issue: z.core.$ZodIssue): string[] | undefined {
  if (issue.code === "invalid_value") {
    return issue.values.length > MOST_WORDS_LISTED ? undefined : issue.values.map(String);
  }
  const allowed = issue.code === "custom" ? issue.params?.["allowed"] : undefined;
  return Array.isArray(allowed) ? allowed.map(String) : undefined;
}

/** Gives the parameters among the known ones that a wrong name may mean: by another case, a synonym, or one letter. */
export function suggestions(given: string, known: readonly string[]): string[] {
  const said = folded(given);
  const same = known.filter((name) => folded(name) === said || synonyms[name]?.includes(said));
  if (same.length > 0) return same;
  return known.filter((name) => editDistance(said, folded(name), 1) <= 1);
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
