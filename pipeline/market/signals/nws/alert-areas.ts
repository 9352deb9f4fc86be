import {stateOf} from "../../../../lib/geography/states.ts";
import {isObject, type Json} from "../../json-values.ts";
import {countyCode, stateOfCounty} from "../areas.ts";

/** Areas of an alert: county codes, states, and the codes of counties and zones (UGC) as published. */
type AlertAreas = {readonly counties: string[]; readonly states: string[]; readonly zones: string[]};

/**
 * Areas of an alert. County codes come from SAME codes (`0` + FIPS; a first digit other than 0 is a part of the county)
 * and from county UGC codes (`AZC013`); forecast zones (`AZZ537`) are no counties, the SAME codes beside them are.
 */
export function alertAreas(properties: Json): AlertAreas {
  const geocode = isObject(properties["geocode"]) ? properties["geocode"] : {};
  const same = textsOf(geocode["SAME"]).flatMap((code) => (/^\d{6}$/.test(code) ? code.slice(1) : []));
  const zones = sortedTexts([
    ...textsOf(geocode["UGC"]),
    ...textsOf(properties["affectedZones"]).flatMap((url) => url.split("/").at(-1) ?? []),
  ]);
  const counties = sortedTexts([
    ...same.filter((code) => !code.endsWith("000") && stateOf(code.slice(0, 2)) !== undefined),
    ...zones.flatMap((zone) => countyOfUgc(zone) ?? []),
  ]);
  const states = sortedTexts([
    ...counties.flatMap((county) => stateOfCounty(county) ?? []),
    ...same.flatMap((code) => stateOf(code.slice(0, 2))?.state ?? []),
    ...zones.flatMap((zone) => stateOf(zone.slice(0, 2))?.state ?? []),
  ]);
  return {counties, states, zones};
}

/** County code of a county UGC code; null for a zone and for anything else. */
export function countyOfUgc(code: string): string | null {
  const match = /^([A-Z]{2})C(\d{3})$/.exec(code);
  return match === null ? null : countyCode(match[1]!, match[2]!);
}

/** Texts of a list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function sortedTexts(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
