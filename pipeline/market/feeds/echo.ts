import type {Point} from "@open-cattle/parcel-outlines";
import {isObject, type Json, objectsOf} from "@open-cattle/usda-reports/values";
import {countyAt} from "../../../lib/geography/counties.ts";
import {countyNamed, isInState} from "../signals/areas.ts";
import {reject, type SignalInput} from "../signals/reading.ts";
import {type Row, tableReader} from "../signals/signal-reader.ts";
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

/** Rows without a facility: a column that only they have, and the name under which reports count them. */
const otherRows = {queryid: "query_answers", columnname: "column_descriptions", valuecode: "lookup_values"};

/** Facilities and permits of EPA ECHO, with whatever columns an answer has; several answers of one day are merged. */
export const echo: SignalFeed = {
  kind: "signals",
  source: "echo",
  tables: ["facilities"],
  read: tableReader("facilities", {
    needs: [
      [...prefixes.map((prefix) => `${prefix}name`), ...Object.keys(otherRows)],
      [...ids, ...Object.keys(otherRows)],
    ],
    expected: "a facility's name and SourceID",
    records: recordsOf,
    counted: (body) => (isObject(body) && isObject(body["Results"]) ? body["Results"]["QueryRows"] : null),
    columns: facilityColumns,
  }),
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

/** The records of GeoJSON, of column descriptions and lookups, and of the first step of a query: its id and counts. */
function recordsOf(body: unknown): Json[] | undefined {
  if (!isObject(body)) return undefined;
  if ("features" in body) return objectsOf(body["features"]).map(flattenFeature);
  const results = isObject(body["Results"]) ? body["Results"] : {};
  const {ResultColumns, LuValues = ResultColumns, Facilities, Permits = Facilities} = results;
  if (Array.isArray(LuValues)) return objectsOf(LuValues);
  return "QueryID" in results && !Array.isArray(Permits) ? [results] : undefined;
}

function facilityColumns(row: Row, {file}: SignalInput) {
  const other = Object.entries(otherRows).find(([name]) => row.has(name));
  if (other !== undefined) return other[1];
  const [id, prefix] = [row.text(...ids), prefixes.find((each) => row.text(`${each}name`) !== null)];
  if (id === null || prefix === undefined) reject("no_identity", "a facility without its source id or name");
  const at = (...names: string[]) => row.text(...names.flatMap((name) => [`${prefix}${name}`, `fac${name}`]));
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
