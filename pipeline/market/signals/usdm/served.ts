import {type Json, numberOf, textAt} from "../../json-values.ts";
import {dateFrom} from "../../words/published-date.ts";
import {stateCode} from "../../words/us-states.ts";
import {isCounty} from "../areas.ts";
import type {RowOutcome} from "../reading.ts";
import {type DroughtArea, droughtRow} from "./drought-row.ts";
import {type DroughtShares, droughtClasses, fromCumulative, fromExclusive, type Shares} from "./shares.ts";

/** True for a record of the statistics service, with folded names: a map date, an area and the share of D0. */
export function isServed(record: Json): boolean {
  return "mapdate" in record && "d0" in record && ("none" in record || "ot" in record);
}

/**
 * One row of the statistics service (droughtmonitor.unl.edu, REST statistics): percent of an area by class. Format 1 is
 * cumulative, 2 categorical; without a format the shares decide. Areas in square miles and counts do not add up to 100 and
 * are rejected.
 */
export function servedRow(record: Json): RowOutcome {
  const date = dateFrom(record["mapdate"]);
  if (date === null)
    return {reject: "bad_date", detail: `MapDate ${String(record["mapdate"])}, a date was expected`};
  const area = areaOf(record);
  if (area === null)
    return {reject: "unknown_area", detail: "no county code, state or area of interest that is known"};
  const shares = sharesOf(record);
  if (shares === null)
    return {reject: "no_value", detail: "a share of a class is missing or is not a number"};
  const read = bothWays(shares, textAt(record, "statisticformatid"));
  if (read === null)
    return {
      reject: "shares_do_not_add",
      detail: "percent by class were expected that make up 100 percent of the area",
    };
  return {accept: droughtRow(area, {date, end: dateFrom(record["validend"])}, read)};
}

function bothWays(shares: Shares, format: string | null): DroughtShares | null {
  if (format === "1") return fromCumulative(shares);
  if (format === "2") return fromExclusive(shares);
  return fromCumulative(shares) ?? fromExclusive(shares);
}

function sharesOf(record: Json): Shares | null {
  const none = numberOf(record["none"] ?? record["ot"]);
  const classes = droughtClasses.flatMap((name) => numberOf(record[name]) ?? []);
  return none === null || classes.length < droughtClasses.length ? null : {none, classes};
}

function areaOf(record: Json): DroughtArea | null {
  const fips = textAt(record, "fips", "countyfips", "geoid");
  if (fips !== null && /^\d{4,5}$/.test(fips)) {
    const key = fips.padStart(5, "0");
    return isCounty(key) ? {type: "county", key} : null;
  }
  const state = stateCode(
    textAt(record, "stateabbreviation", "state", "statefips") ??
      (fips !== null && fips.length === 2 ? fips : null),
  );
  if (state !== null) return {type: "state", key: state};
  return interest(textAt(record, "areaofinterest", "name"));
}

/** `Total` and `US` are the nation with Alaska, Hawaii and Puerto Rico, `CONUS` the 48 states. */
function interest(name: string | null): DroughtArea | null {
  if (name === null) return null;
  if (/^(total|us|usa|national)$/i.test(name)) return {type: "nation", key: "US"};
  const state = stateCode(name);
  return state === null ? {type: "other", key: name} : {type: "state", key: state};
}
