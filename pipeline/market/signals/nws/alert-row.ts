import {isObject, type Json, objectsOf, textOf} from "../../json-values.ts";
import {instantFrom} from "../../words/published-date.ts";
import type {RowOutcome} from "../reading.ts";
import {alertAreas, textsOf} from "./alert-areas.ts";

const times = ["sent", "effective", "onset", "expires", "ends"] as const;
type Times = Record<(typeof times)[number], string | null>;

/**
 * One alert of the weather service (GeoJSON feature, CAP 1.2 fields). It holds from `onset` (else `effective`) to `ends`
 * (else `expires`). Rejected: times that are no ISO instants with an offset, and messages that are not `Actual`.
 */
export function alertRow(feature: Json): RowOutcome {
  const properties = isObject(feature["properties"]) ? feature["properties"] : feature;
  const id = textOf(properties["id"]) ?? idOf(textOf(properties["@id"]) ?? textOf(feature["id"]));
  const event = textOf(properties["event"]);
  if (id === null || event === null) return {reject: "no_identity", detail: "an alert without id or event"};
  const read = timesOf(properties);
  if (typeof read === "string") return {reject: "not_iso_time", detail: read};
  const status = textOf(properties["status"]) ?? "Actual";
  if (status !== "Actual")
    return {reject: "not_actual", detail: `status ${status}: a test, an exercise or a draft`};
  const {counties, states, zones} = alertAreas(properties);
  return {
    accept: {
      table: "alerts",
      values: {
        signal: "weather_alert",
        key: id,
        valid_from: read.onset ?? read.effective ?? read.sent!,
        valid_to: read.ends ?? read.expires,
        area_type: counties.length > 0 ? "county" : "zone",
        area: counties[0] ?? zones[0] ?? null,
        source_date: read.sent!.slice(0, 10),
        event,
        severity: lower(properties["severity"]),
        certainty: lower(properties["certainty"]),
        urgency: lower(properties["urgency"]),
        message_type: lower(properties["messageType"]),
        sent: read.sent,
        expires: read.expires,
        area_text: textOf(properties["areaDesc"]),
        county_fips: counties,
        states,
        zones,
        refers_to: referencesOf(properties),
      },
    },
  };
}

/** The five times as UTC; a message about the first that is there and is no instant, or about a missing `sent`. */
function timesOf(properties: Json): Times | string {
  const read: Partial<Times> = {};
  for (const name of times) {
    const text = textOf(properties[name]);
    const instant = instantFrom(text);
    if (text !== null && instant === null)
      return `${name} ${JSON.stringify(text)}; an ISO time with its offset was expected`;
    read[name] = instant;
  }
  if (read.sent == null) return "no time in sent";
  return (read.ends ?? read.expires) == null ? "no time in ends or expires" : (read as Times);
}

/** Ids of earlier messages: the references, and those that the message says have expired (`sender,id,sent` by spaces). */
function referencesOf(properties: Json): string[] {
  const named = objectsOf(properties["references"]).flatMap(
    (reference) => textOf(reference["identifier"]) ?? idOf(textOf(reference["@id"])) ?? [],
  );
  const parameters = isObject(properties["parameters"]) ? properties["parameters"] : {};
  const expired = textsOf(parameters["expiredReferences"])
    .flatMap((text) => text.split(/\s+/))
    .flatMap((reference) => reference.split(",")[1] ?? []);
  return [...new Set([...named, ...expired])].sort();
}

function idOf(url: string | null): string | null {
  return url === null ? null : (url.split("/").at(-1) ?? null);
}

function lower(value: unknown): string | null {
  return textOf(value)?.toLowerCase() ?? null;
}
