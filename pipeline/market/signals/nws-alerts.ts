import {isObject, objectsOf, textOf} from "@open-cattle/usda-reports/values";
import {stateOf} from "../../../lib/geography/states.ts";
import {sortedUnique} from "../../../lib/market/evidence.ts";
import {countyCode, stateOfCounty} from "./areas.ts";
import {reject} from "./reading.ts";
import type {Row} from "./signal-reader.ts";

/**
 * One alert of the weather service (CAP 1.2 fields), valid from `onset` (else `effective`) to `ends` (else `expires`). Rejects
 * times that are not ISO instants with an offset, and messages that are not `Actual`.
 */
export function alertColumns(row: Row) {
  // The id of a message is alone or at the end of its URL.
  const [key, event] = [lastPart(row.text("id")), row.text("event")];
  if (key === null || event === null) reject("no_identity", "an alert without id or event");
  const [sent, effective, onset, expires, ends] = ["sent", "effective", "onset", "expires", "ends"].map(
    (name) => row.instant(name),
  );
  if (sent == null) reject("not_iso_time", "no time in sent");
  const valid_to = ends ?? expires ?? reject("not_iso_time", "no time in ends or expires");
  const status = row.text("status") ?? "Actual";
  if (status !== "Actual") reject("not_actual", `status ${status}: a test, an exercise or a draft`);
  const {counties, wholeStates, states, zones} = areasOf(row);
  const [type, area] =
    [["county", counties[0]] as const, ["state", wholeStates[0]] as const].find(
      ([, first]) => first !== undefined,
    ) ?? (["zone", zones[0]] as const);
  return {
    signal: "weather_alert",
    key,
    valid_from: onset ?? effective ?? sent,
    valid_to,
    area_type: type,
    area: area ?? null,
    source_date: sent.slice(0, 10),
    event,
    severity: row.lower("severity"),
    certainty: row.lower("certainty"),
    urgency: row.lower("urgency"),
    message_type: row.lower("messagetype"),
    sent,
    expires,
    area_text: row.text("areadesc"),
    county_fips: counties,
    states,
    zones,
    refers_to: referencesOf(row),
  };
}

/**
 * Areas of an alert. Counties come from SAME codes (`0` + FIPS; another first digit means part of the county, and a code ending
 * in 000 a whole state) and from county UGC codes (`AZC013`). Forecast zones (`AZZ537`) are not counties, but the SAME codes
 * beside them are.
 */
function areasOf({cells}: Row): Record<"counties" | "wholeStates" | "states" | "zones", string[]> {
  const geocode = isObject(cells["geocode"]) ? cells["geocode"] : {};
  const same = textsOf(geocode["SAME"]).flatMap((code) => (/^\d{6}$/.test(code) ? code.slice(1) : []));
  const zones = sortedUnique([
    ...textsOf(geocode["UGC"]),
    ...textsOf(cells["affectedzones"]).flatMap((url) => lastPart(url) ?? []),
  ]);
  const counties = sortedUnique([
    ...same.filter((code) => !code.endsWith("000") && stateOf(code.slice(0, 2)) !== undefined),
    ...zones.flatMap((zone) => countyOfUgc(zone) ?? []),
  ]);
  const wholeStates = sortedUnique(
    same.flatMap((code) => (code.endsWith("000") ? (stateOf(code.slice(0, 2))?.state ?? []) : [])),
  );
  const states = sortedUnique([
    ...counties.flatMap((county) => stateOfCounty(county) ?? []),
    ...[...same, ...zones].flatMap((code) => stateOf(code.slice(0, 2))?.state ?? []),
  ]);
  return {counties, wholeStates, states, zones};
}

/** The county code of a county UGC code; null for a zone and for anything else. */
export function countyOfUgc(code: string): string | null {
  const [, state, digits] = /^([A-Z]{2})C(\d{3})$/.exec(code) ?? [];
  return countyCode(state ?? null, digits ?? null);
}

/** Ids of earlier messages: the references, and those listed as expired (`sender,id,sent`, separated by spaces). */
function referencesOf({cells}: Row): string[] {
  const named = objectsOf(cells["references"]).flatMap(
    (reference) => textOf(reference["identifier"]) ?? lastPart(reference["@id"]) ?? [],
  );
  const parameters = isObject(cells["parameters"]) ? cells["parameters"] : {};
  const expired = textsOf(parameters["expiredReferences"])
    .flatMap((text) => text.split(/\s+/))
    .flatMap((reference) => reference.split(",")[1] ?? []);
  return sortedUnique([...named, ...expired]);
}

/** The last part of a URL or path; null for no text. */
export function lastPart(url: unknown): string | null {
  return textOf(url)?.split("/").at(-1) ?? null;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
