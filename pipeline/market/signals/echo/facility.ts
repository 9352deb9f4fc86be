import {countyAt} from "../../../../lib/geography/counties.ts";
import {type Json, numberOf, textAt} from "../../json-values.ts";
import {stateCode} from "../../words/us-states.ts";
import {countyNamed} from "../areas.ts";
import type {RowOutcome} from "../reading.ts";

const programs: readonly [string, string][] = [
  ["cwp", "cwa"],
  ["air", "air"],
  ["rcra", "rcra"],
  ["sdw", "sdwa"],
  ["pws", "sdwa"],
  ["fac", "all"],
];

/** True for a facility of ECHO with folded names (`CWPName` and `CWP_NAME` are one): an id and a name. */
export function isFacility(record: Json): boolean {
  return programOf(record) !== null && idOf(record) !== null;
}

/** One facility or permit, as far as the answer has columns for it; several answers of one day are put together. */
export function facilityRow(record: Json, fetchedOn: string): RowOutcome {
  const [id, found] = [idOf(record), programOf(record)];
  if (id === null || found === null)
    return {reject: "no_identity", detail: "a facility without its source id or name"};
  const [prefix, program] = found;
  const at = (...names: string[]) =>
    textAt(record, ...names.flatMap((name) => [`${prefix}${name}`, `fac${name}`]));
  const state = stateCode(at("state"));
  const naics = codesOf(at("naicscodes", "naics"));
  const point = pointOf(record, prefix);
  const held = point === null ? null : (countyAt(point)?.fips ?? null);
  return {
    accept: {
      table: "facilities",
      values: {
        signal: "facility",
        key: `${program}/${id}`,
        valid_from: fetchedOn,
        area_type: state === null ? null : "state",
        area: state,
        source_date: null,
        facility_name: at("name"),
        program,
        street: at("street"),
        city: at("city"),
        state,
        zip: /^\d{5}/.exec(at("zip") ?? "")?.[0] ?? null,
        county_fips:
          held ?? countyNamed(at("county") ?? textAt(record, "facstdcountyname", "faccountyname"), state),
        lat: point?.lat ?? null,
        lon: point?.lon ?? null,
        permit_status: textAt(record, `${prefix}permitstatusdesc`, `${prefix}status`),
        naics,
        livestock: isLivestock(record, naics, codesOf(at("siccodes", "sic"))),
      },
    },
  };
}

function codesOf(text: string | null): string[] {
  return (text ?? "")
    .split(/[\s,;]+/)
    .filter((code) => /^\d{2,6}$/.test(code))
    .sort();
}

/**
 * True for an operation that keeps livestock: animal production but fish (NAICS 112, SIC 02), or a permit with a component for
 * concentrated animal feeding. Null where the answer has neither codes nor components; another one may have them.
 */
function isLivestock(record: Json, naics: readonly string[], sic: readonly string[]): boolean | null {
  const components = textAt(record, "permitcomponents", "cwppermitcomponents", "cwppermittypedesc") ?? "";
  if (naics.length === 0 && sic.length === 0 && components === "") return null;
  return (
    naics.some((code) => /^112(?!5)/.test(code)) ||
    sic.some((code) => /^02\d\d$/.test(code) && code !== "0273") ||
    /\bCAFO?\b|animal feeding/i.test(components)
  );
}

function idOf(record: Json): string | null {
  return textAt(record, "sourceid", "registryid", "npdesids");
}

function programOf(record: Json): readonly [string, string] | null {
  return programs.find(([prefix]) => textAt(record, `${prefix}name`) !== null) ?? null;
}

function pointOf(record: Json, prefix: string): {lat: number; lon: number} | null {
  const number = (...names: string[]) =>
    numberOf(names.map((name) => record[name]).find((value) => numberOf(value) !== null));
  const lat = number("lat", "faclat", `${prefix}lat`, "latitude");
  const lon = number("lon", "faclong", "faclon", `${prefix}long`, "longitude");
  return lat === null || lon === null || Math.abs(lat) > 90 || Math.abs(lon) > 180 ? null : {lat, lon};
}
