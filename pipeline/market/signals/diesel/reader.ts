import {addDays} from "../../../../lib/dates.ts";
import {UserError} from "../../../../lib/errors.ts";
import {roundHalfAway} from "../../../../lib/rounding.ts";
import {
  folded,
  isObject,
  type Json,
  membersOf,
  numberOf,
  objectsOf,
  textAt,
  textOf,
} from "../../json-values.ts";
import {dateFrom} from "../../words/published-date.ts";
import {type RowOutcome, readRows, type SignalInput, type SignalReading, tellingRow} from "../reading.ts";
import {tableRows} from "../tables.ts";
import {dieselRegion} from "./regions.ts";

/** Bounds outside of which a price per gallon is a mistake of units. */
const plausible = {least: 0.5, most: 20};

/**
 * Reads the weekly diesel price: an answer of the EIA API v2 (`response.data`), its CSV, or series by region reduced to
 * period and value. Other products than No 2 diesel and other units than dollars per gallon are rejected.
 */
export function readDiesel({file, content}: SignalInput): SignalReading {
  if (content.kind === "text")
    return readRows(checkedRows(file.path, tableRows(file, content.text)), dieselRow);
  if (content.kind === "json")
    return readRows(checkedRows(file.path, recordsOf(file.path, content.body)), dieselRow);
  throw new UserError(`${file.path}: ${content.kind} came; JSON or CSV of the EIA was expected.`);
}

function recordsOf(path: string, body: unknown): Json[] {
  const answer = isObject(body) && isObject(body["response"]) ? body["response"] : body;
  if (Array.isArray(answer)) return objectsOf(answer);
  if (isObject(answer) && Array.isArray(answer["data"])) return objectsOf(answer["data"]);
  if (isObject(answer) && isObject(answer["series"])) return reducedRows(answer["series"]);
  const message = isObject(body) ? textAt(folded(body), "error", "message") : null;
  const error =
    isObject(body) && isObject(body["error"]) ? textAt(folded(body["error"]), "message") : message;
  throw new UserError(
    error === null
      ? `${path}: ${membersOf(body)} came; expected response.data, or series by region.`
      : `${path}: an error came: ${error}`,
  );
}

/** `{region: [{period, value}]}`: the unit is not said, the price per gallon is what the series is. */
function reducedRows(series: Json): Json[] {
  return Object.entries(series).flatMap(([region, points]) =>
    objectsOf(points).map((point) => ({...point, "area-name": region})),
  );
}

function checkedRows(path: string, rows: readonly Json[]): readonly Json[] {
  const first = tellingRow(rows, isWeek);
  if (first === undefined || isWeek(first)) return rows;
  throw new UserError(
    `${path}: members ${Object.keys(first).slice(0, 12).join(", ")}; expected period, duoarea (or area-name) and value.`,
  );
}

/** True for a row with the members of a week's price. */
function isWeek(row: Json): boolean {
  const names = folded(row);
  return "period" in names && "value" in names && ("duoarea" in names || "areaname" in names);
}

function dieselRow(raw: Json): RowOutcome {
  const row = folded(raw);
  const date = dateFrom(row["period"]);
  if (date === null)
    return {reject: "bad_date", detail: `period ${String(row["period"])}, a date was expected`};
  const product = textAt(row, "product", "productname");
  if (product !== null && !/^epd2d|diesel/i.test(product))
    return {reject: "not_diesel", detail: `product ${product}; No 2 diesel was expected`};
  const unit = textAt(row, "units", "unit");
  if (unit !== null && !/^(\$\/gal|usd\/gal|dollars per gallon|dollars\/gallon)$/i.test(unit))
    return {reject: "unknown_unit", detail: `unit ${unit}; $/GAL was expected`};
  const words = [textOf(row["duoarea"]), textOf(row["areaname"])].filter((text) => text !== null);
  const region = words.map(dieselRegion).find((found) => found !== null);
  if (region == null) return {reject: "unknown_area", detail: `area ${words.join(", ")} is no PADD region`};
  const price = numberOf(row["value"]);
  if (price === null) return {reject: "no_value", detail: "no price for the week"};
  if (price < plausible.least || price > plausible.most)
    return {reject: "implausible_value", detail: `${price} USD per gallon`};
  return {
    accept: {
      table: "diesel",
      values: {
        signal: "diesel",
        key: region.key,
        valid_from: date,
        valid_to: addDays(date, 6),
        area_type: region.areaType,
        area: region.key,
        source_date: date,
        price_usd_per_gal: roundHalfAway(price, 3),
        region_name: textAt(row, "areaname", "duoarea"),
      },
    },
  };
}
