import {UserError} from "../../../lib/errors.ts";
import {countyAt} from "../../../lib/geography/counties.ts";
import type {Point} from "../../../lib/geography/distance.ts";
import {isObject, type Json, membersOf, objectsOf, textOf} from "../json-values.ts";
import {countyNamed, isInState} from "../signals/areas.ts";
import {reading, reject, type SignalInput, type SignalReading} from "../signals/reading.ts";
import {errorIn, type Row, tableReader} from "../signals/table.ts";
import type {SignalFeed} from "./feed.ts";

/** Programs by column prefix: `CWPName`, `AIRName`. */
const programs: Readonly<Record<string, string>> = {
  cwp: "cwa",
  air: "air",
  rcra: "rcra",
  sdw: "sdwa",
  pws: "sdwa",
  fac: "all",
};
const prefixes = Object.keys(programs);
const ids = ["sourceid", "registryid", "npdesids"];

/** Facilities and permits of EPA ECHO, with whatever columns an answer has; several answers of one day are merged. */
export const echo: SignalFeed = {
  kind: "signals",
  source: "echo",
  tables: ["facilities"],
  read: (input) => otherAnswer(input) ?? readFacilities(input),
  context: [
    {
      signal: "facility_screening",
      table: "facilities",
      carries: "county_fips IS NOT NULL AND livestock",
      newestOf: "key",
      days: "30",
      places: {county: "[county_fips]"},
      // Records are undated, so age counts from the fetch. An item names at most ten permits.
      values: ["count(*) AS facilities", "list_sort(list(split_part(key, '/', -1)))[:10] AS permit_ids"],
      limitation:
        "Records as reported to the regulator, of the queries in this build only; no finding of any kind.",
    },
  ],
  sample: ["sample.csv"],
};

const readFacilities = tableReader("facilities", {
  of: "a list of facilities",
  needs: [prefixes.map((prefix) => `${prefix}name`), ids],
  expected: "a facility's name and SourceID",
  records: (body) =>
    isObject(body) && "features" in body ? objectsOf(body["features"]).map(flattenFeature) : undefined,
  counted: (body) => (isObject(body["Results"]) ? body["Results"]["QueryRows"] : null),
  columns(row, {file}) {
    const [id, prefix] = [row.text(...ids), prefixes.find((each) => row.text(`${each}name`) !== null)];
    if (id === null || prefix === undefined)
      reject("no_identity", "a facility without its source id or name");
    const at = (...names: string[]) =>
      row.text(...names.flatMap((name) => [`${prefix}${name}`, `fac${name}`]));
    const state = row.state(`${prefix}state`, "facstate");
    const naics = codesOf(at("naicscodes", "naics"));
    const point = pointOf(row, prefix, state);
    const county = at("county") ?? row.text("facstdcountyname", "faccountyname");
    return {
      signal: "facility",
      key: `${programs[prefix]}/${id}`,
      valid_from: file.retrievedAt.slice(0, 10),
      area_type: state === null ? null : "state",
      area: state,
      source_date: null,
      facility_name: at("name"),
      program: programs[prefix],
      street: at("street"),
      city: at("city"),
      state,
      zip: /^\d{5}/.exec(at("zip") ?? "")?.[0] ?? null,
      county_fips: (point === null ? undefined : countyAt(point)?.fips) ?? countyNamed(county, state),
      lat: point?.lat ?? null,
      lon: point?.lon ?? null,
      permit_status: row.text(`${prefix}permitstatusdesc`, `${prefix}status`),
      naics,
      livestock: isLivestock(row, naics, codesOf(at("siccodes", "sic"))),
    };
  },
});

/**
 * ECHO answers without facilities: the first step of a query (its id and counts), column descriptions and lookups; null for
 * others. Throws a UserError, with the source's own message, for an error inside an HTTP 200.
 */
function otherAnswer({file: {path}, content}: SignalInput): SignalReading | null {
  if (content.kind !== "json" || !isObject(content.body) || !isObject(content.body["Results"])) return null;
  const results = content.body["Results"];
  const error = errorIn({error: results["Error"]});
  if (error !== null) throw new UserError(`${path}: an error came: ${error}`);
  const listed = {column_descriptions: results["ResultColumns"], lookup_values: results["LuValues"]};
  for (const [note, entries] of Object.entries(listed))
    if (Array.isArray(entries))
      return reading({
        otherAccepted: entries.length,
        notes: entries.length === 0 ? {} : {[note]: entries.length},
      });
  if (Array.isArray(results["Facilities"] ?? results["Permits"])) return null;
  if (textOf(results["QueryID"]) === null)
    throw new UserError(
      `${path}: Results with ${membersOf(results)} came; expected a QueryID, rows or columns.`,
    );
  const remark = `${path}: a query of ${textOf(results["QueryRows"]) ?? "?"} rows, to be downloaded by its id`;
  return reading({otherAccepted: 1, notes: {query_answers: 1}, remark});
}

/** Flattens a GeoJSON feature: its properties plus the point's coordinates. */
function flattenFeature({geometry, properties}: Json): Json {
  const coordinates = isObject(geometry) ? geometry["coordinates"] : null;
  const [lon, lat] = Array.isArray(coordinates) ? coordinates : [];
  return {...(isObject(properties) ? properties : {}), lat, lon};
}

function codesOf(text: string | null): string[] {
  return (text ?? "")
    .split(/[\s,;]+/)
    .filter((code) => /^\d{2,6}$/.test(code))
    .sort();
}

/**
 * True for a livestock operation: animal production other than fish (NAICS 112, SIC 02), or a permit for concentrated animal
 * feeding. Null if the answer has neither codes nor components; another answer may have them.
 */
function isLivestock(row: Row, naics: readonly string[], sic: readonly string[]): boolean | null {
  const components = row.text("permitcomponents", "cwppermitcomponents");
  const words = [components, row.text("cwppermittypedesc")].join(" ");
  const isTold = naics.length > 0 || sic.length > 0 || components !== null;
  const isOne =
    naics.some((code) => /^112(?!5)/.test(code)) ||
    sic.some((code) => /^02\d\d$/.test(code) && code !== "0273") ||
    /\bCAFO?\b|animal feeding/i.test(words);
  return isOne || isTold ? isOne : null;
}

/** The point of a facility; null if it lies outside its state, such as 0, 0 or a longitude without its sign. */
function pointOf(row: Row, prefix: string, state: string | null): Point | null {
  const lat = row.number("lat", "faclat", `${prefix}lat`, "latitude");
  const lon = row.number("lon", "faclong", "faclon", `${prefix}long`, "longitude");
  if (lat === null || lon === null || (lat === 0 && lon === 0)) return null;
  return isInState({lat, lon}, state) ? {lat, lon} : null;
}
