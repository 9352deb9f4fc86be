import {choice, column, type DescribedColumn, instantType} from "./vocabulary/described-file.ts";

/** A Parquet file of signals, `tables/signals/<name>.parquet`. Its key is always `signal, key, valid_from`. */
type SignalFile = {readonly about: string; readonly columns: readonly DescribedColumn[]};

/** Columns that every signal has, around its own. `validity` is DATE for daily and longer signals. */
function signalColumns(
  validity: "DATE" | typeof instantType,
  own: readonly DescribedColumn[],
): DescribedColumn[] {
  return [
    column("signal", "VARCHAR", "Kind of signal"),
    column("key", "VARCHAR", "What the signal is about: area, region, contract, alert, permit …"),
    column("valid_from", validity, "First day or instant (UTC) for which the source states it"),
    column("valid_to", validity, "Last one; null if the source gives none"),
    column(
      "area_type",
      "VARCHAR",
      "`county`, `state`, `nation`, `padd`, `zone`, `grid`, `county_group`, `states` …",
    ),
    column("area", "VARCHAR", "County FIPS code, state letters (of `states` several), region or grid"),
    ...own,
    column("source_id", "VARCHAR", "Registry id"),
    column("source_date", "DATE", "Date that the source gives to the statement"),
    column("source_path", "VARCHAR", "Raw file"),
    column("ingested_at", instantType, "When the file was fetched, UTC"),
  ];
}

const percent = (name: string, about: string) => column(name, "DOUBLE", `${about}, percent of the area`);
const droughtClasses = ["D0", "D1", "D2", "D3", "D4"];

/** The signal files (`docs/design/architecture.md` section 5). */
export const signalFiles = {
  drought: {
    about: "US Drought Monitor: shares of an area by drought class, per week",
    columns: signalColumns("DATE", [
      percent("none_pct", "Without drought"),
      ...droughtClasses.map((name) => percent(`${name.toLowerCase()}_pct`, `At least ${name} (cumulative)`)),
      ...droughtClasses.map((name) =>
        percent(`${name.toLowerCase()}_only_pct`, `Exactly ${name} (exclusive)`),
      ),
      column("worst_class", "VARCHAR", "Worst class with a share of the area; null without drought"),
      column(
        "county_vintage",
        "VARCHAR",
        "`2020` or `2022` if county-equivalents changed (Connecticut), else null",
      ),
      column(
        "counties_summed",
        "INTEGER",
        "Number of counties from which a state's shares were computed, by area; null for shares that the source states",
      ),
    ]),
  },
  alerts: {
    about: "National Weather Service alerts, one row per message; `key` is the message's id",
    columns: signalColumns(instantType, [
      column("event", "VARCHAR", "Such as `Winter Storm Warning`"),
      column("severity", "VARCHAR", "Lower case, as published"),
      column("certainty", "VARCHAR", "Lower case, as published"),
      column("urgency", "VARCHAR", "Lower case, as published"),
      choice("message_type", ["alert", "update", "cancel"]),
      column("sent", instantType, "When the message was sent, UTC"),
      column("expires", instantType, "When the message itself expires, UTC"),
      column("area_text", "VARCHAR", "Area as the source names it"),
      column("county_fips", "VARCHAR[]", "Counties by the message's county codes"),
      column("states", "VARCHAR[]", "States of counties and zones"),
      column("zones", "VARCHAR[]", "UGC codes"),
      column("refers_to", "VARCHAR[]", "Ids of earlier messages that this one updates or cancels"),
      column("superseded_by", "VARCHAR", "Id of the later message that updates or cancels this one"),
      column("in_force", "BOOLEAN", "In force on the as-of date"),
    ]),
  },
  forecasts: {
    about: "National Weather Service forecasts: periods, hours and raw grid values",
    columns: signalColumns(instantType, [
      column("name", "VARCHAR", "Name of the period"),
      column("value", "DOUBLE", "Temperature of a period, or the value of the grid layer"),
      column("unit", "VARCHAR", "Unit of `value`, such as `degF`, `degC`, `percent`"),
      column("wind_low_mph", "DOUBLE", "Lower end of the wind speed"),
      column("wind_high_mph", "DOUBLE", "Upper end of the wind speed"),
      column("wind_direction", "VARCHAR", "Compass letters"),
      column("precipitation_pct", "DOUBLE", "Chance of precipitation"),
      column("summary", "VARCHAR", "Short forecast"),
    ]),
  },
  forecast_points: {
    about: "Which forecast grid, county and zone a point has",
    columns: signalColumns("DATE", [
      column("lat", "DOUBLE", "WGS 84 degrees"),
      column("lon", "DOUBLE", "WGS 84 degrees"),
      column("grid", "VARCHAR", "Forecast grid, `OFFICE/X,Y`"),
      column("forecast_zone", "VARCHAR", "UGC code"),
    ]),
  },
  diesel: {
    about: "Weekly on-highway diesel price by PADD region",
    columns: signalColumns("DATE", [
      column("price_usd_per_gal", "DECIMAL(6,3)", "USD per gallon"),
      column("change_week_usd_per_gal", "DECIMAL(6,3)", "Change from the previous week; null if unknown"),
      column("region_name", "VARCHAR", "Region in words"),
    ]),
  },
  futures: {
    about: "Daily futures of feeder cattle, live cattle and corn; values only if the deployment is licensed",
    columns: signalColumns("DATE", [
      choice("product", ["feeder_cattle", "live_cattle", "corn"]),
      column("contract_month", "VARCHAR", "`YYYY-MM`: of the contract, else the nearby one on that day"),
      column("continuous", "BOOLEAN", "True for a vendor's series of nearby contracts"),
      column(
        "contract_roll",
        "BOOLEAN",
        "True on the first day of a contract in a continuous series: its change is not a market move",
      ),
      column(
        "settlement",
        "DECIMAL(10,4)",
        "In `unit`; null unless licensed (CATTLE_FUTURES_LICENSED) and for a day without trade",
      ),
      column("unit", "VARCHAR", "`usd_per_cwt` or `us_cents_per_bushel`"),
    ]),
  },
  basis: {
    about: "Local cash price of the index-like cell less the nearby feeder-cattle futures",
    columns: signalColumns("DATE", [
      column("head_count", "INTEGER", "Head behind the cash price"),
      column("cash_usd_per_cwt", "DOUBLE", "Pounds-weighted price of the index-like cell, unrounded"),
      column("contract_month", "VARCHAR", "`YYYY-MM` of the nearby contract on the sale date"),
      column("basis_usd_per_cwt", "DOUBLE", "Cash less settlement; null unless licensed"),
    ]),
  },
  animal_health: {
    about: "Published animal-health notices by county or state",
    columns: signalColumns("DATE", [
      column("disease", "VARCHAR", "Lower case words"),
      column("title", "VARCHAR", "Notice in short"),
      column("species", "VARCHAR", "As published, lower case"),
      column("status", "VARCHAR", "As published, lower case; null if none is given"),
    ]),
  },
  facilities: {
    about: "EPA ECHO facility and permit records",
    columns: signalColumns("DATE", [
      column("facility_name", "VARCHAR", "As published"),
      column("program", "VARCHAR", "`cwa` (water), `air`, `rcra`, `sdwa` or `all`"),
      column("street", "VARCHAR", "As published"),
      column("city", "VARCHAR", "As published"),
      column("state", "VARCHAR", "Two letters"),
      column("zip", "VARCHAR", "Five digits"),
      column("county_fips", "VARCHAR", "County that contains the point, else the named county"),
      column("lat", "DOUBLE", "WGS 84 degrees"),
      column("lon", "DOUBLE", "WGS 84 degrees"),
      column("permit_status", "VARCHAR", "As published"),
      column("naics", "VARCHAR[]", "Industry codes"),
      column(
        "livestock",
        "BOOLEAN",
        "True for an operation that keeps livestock, by industry code or permit component; null if neither is given",
      ),
    ]),
  },
  inventory: {
    about: "USDA NASS Quick Stats: cattle inventories, feed and crop statistics",
    columns: signalColumns("DATE", [
      column("item", "VARCHAR", "Data item, as published"),
      column("commodity", "VARCHAR", "Lower case"),
      column("program", "VARCHAR", "`survey` or `census`"),
      column("year", "INTEGER", "Reference year"),
      column("period", "VARCHAR", "Reference period, as published"),
      column("domain", "VARCHAR", "Domain category, as published; null for the total"),
      column("value", "DOUBLE", "In `unit`; null if suppressed or not given"),
      column("unit", "VARCHAR", "As published, lower case"),
      column(
        "suppression",
        "VARCHAR",
        "The source's mark instead of a value: `D` withheld, `Z` less than half the unit …",
      ),
      column("cv_pct", "DOUBLE", "Coefficient of variation, percent"),
    ]),
  },
  mandatory_reports: {
    about: "Rows of mandatory packer reports (Datamart): never pooled with auction prices",
    columns: signalColumns("DATE", [
      column("report_title", "VARCHAR", "Title of the report"),
      column("report_slug", "VARCHAR", "Report code, such as `ams-2477`; null where the file gives none"),
      column("section", "VARCHAR", "Section of the report"),
      column("published_at_source", "VARCHAR", "As published"),
      column("labels", "VARCHAR", "The row's texts by their published names", {json: true}),
      column("measures", "VARCHAR", "The row's numbers by their published names", {json: true}),
    ]),
  },
  references: {
    about: "Pointers to agencies, reference pages and editorial sources; no content is copied",
    columns: signalColumns("DATE", [
      column("title", "VARCHAR", "What the page is"),
      column("publisher", "VARCHAR", "Whose page it is"),
      column("url", "VARCHAR", "https address"),
    ]),
  },
} as const satisfies Record<string, SignalFile>;

export type SignalTable = keyof typeof signalFiles;

/** Columns that identify a row of a signal file. */
export const signalKey = ["signal", "key", "valid_from"] as const;
