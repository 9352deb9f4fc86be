import {marketFiles} from "./market-files.ts";
import {parcelTables, pointColumns} from "./parcel-tables.ts";
import {quarantineColumns} from "./report-issue.ts";
import {saleEventColumns, summaryEventColumns} from "./sale-event.ts";
import {servingFiles} from "./serving-files.ts";
import {type SignalTable, signalFiles, signalKey} from "./signal-files.ts";
import {
  column,
  type DescribedFile,
  type PartitionColumn,
  type TableReference,
} from "./vocabulary/described-file.ts";
import {priceRowColumns} from "./vocabulary/price-row.ts";

const marketAbout: Readonly<Record<keyof typeof marketFiles, string>> = {
  county_prices: "Price per county and cell: observed there, or estimated from the nearest markets",
  state_prices: "Price per state and cell, from sales and from weekly summaries",
  latest_prices: "Price rows of the latest sale of each venue",
  mandatory_prices: "Newest lines of mandatory reports: what packers paid, by region, and the beef cutout",
  barns: "GeoParquet 1.1 with a covering: sale barns with place, schedule and status",
  dealers: "Licensed-dealer statistics by state and list",
  evidence: "What the records are based on: sources, dates, method, confidence, limitations",
  sources: "The registry of market sources",
  issue_cells: "What each report issue of the last 60 days says of each cell, as a hash, for `change_status`",
  county_estimate_contributors: "The markets behind each estimated county price",
  venue_schedules: "Sale calendars, rule by rule",
  reporter_trends: "What reporters say of the market: class, weights, direction, range, and the sentence",
  derived_measures:
    "Spread, value of gain, slide, seasonal index and premiums of venues' feeder cattle, for analysts",
  indicators:
    "Figures of the last 7 days for states and the nation, from the weight curves; no exchange index",
  weight_curves:
    "Price by weight of feeder cattle, for states and the nation: what the indicators are read from",
  barn_comparison:
    "What each barn paid for feeders of a class, grade and weight at its newest sale: which barn, without freight",
  price_history: "Price per county or state, cell and week, for all weeks in the raw files",
  venue_status_history: "When each venue's status began",
  venue_ids: "The id of every venue that a build ever knew, with its names and reports",
};

const year: PartitionColumn = {
  name: "year",
  type: "BIGINT",
  about: "Year of `report_end_date`; from the name of the folder",
};

const toMarketSource: TableReference = {columns: ["source_id"], table: "sources", key: ["id"]};
const toVenue: TableReference = {columns: ["venue_id"], table: "barns", key: ["venue_id"]};
const toEvidence: TableReference = {columns: ["evidence_id"], table: "evidence", key: ["evidence_id"]};

const marketReferences: Readonly<Partial<Record<keyof typeof marketFiles, readonly TableReference[]>>> = {
  county_prices: [toEvidence],
  state_prices: [toEvidence],
  latest_prices: [toEvidence, toVenue],
  mandatory_prices: [toEvidence],
  barns: [toEvidence],
  dealers: [toEvidence],
  indicators: [toEvidence],
  county_estimate_contributors: [
    {columns: ["county_fips", "cell_id"], table: "county_prices", key: ["county_fips", "cell_id"]},
    toVenue,
  ],
  venue_schedules: [toVenue],
  derived_measures: [toVenue],
  barn_comparison: [toVenue],
  reporter_trends: [toVenue],
  venue_status_history: [toVenue],
};

const marketTraps: Readonly<Partial<Record<keyof typeof marketFiles, readonly string[]>>> = {
  county_prices: [
    "Rows with `price_basis` `nearest_market_estimate` are computed from the prices of other counties: leave them out of sums and means",
    "Means of means are wrong: weight `price_avg_unrounded` with head and pounds, or start from `price_rows`",
  ],
  state_prices: [
    "A cell may have an `official_state_summary` and a `derived_rollup` in different builds: they count the same cattle, so never add them",
  ],
  latest_prices: ["Includes rows of described lots and outliers, which no aggregate counts"],
  mandatory_prices: [
    "Packers' purchases, another population than auctions: never add or average them with other prices",
    "Live, dressed and cutout prices are of different weights of the same animal: compare within one `price_basis_live`",
  ],
  barns: ["`schedule` is JSON text; `venue_schedules` has its rules as rows"],
};

/** Every Parquet and Arrow file of a build, in the order of FORMAT.md. */
export const describedFiles: readonly DescribedFile[] = [
  {
    path: "tables/price_rows/year=YYYY/rows.parquet",
    about: "Every accepted row of every current report issue, by year of `report_end_date`",
    key: ["issue_id", "row_ordinal"],
    partition: year,
    references: [toMarketSource],
    columns: priceRowColumns,
    traps: [
      "Rows of venues and rows of summaries count the same cattle: choose one `report_scope` before you add or average",
      "Never average prices of `per_cwt`, `per_head` and `per_pair` together; for `per_cwt`, weight by head times `avg_weight_lb`",
      "`voluntary` and `mandatory` reports are different populations",
      "`head_count` is null if the report does not give it: such a row has no weight in a mean",
    ],
  },
  {
    path: "tables/price_rows_superseded/year=YYYY/rows.parquet",
    about: "The same for issues that were replaced; `year=0` if there are none",
    key: ["issue_id", "issue_version", "row_ordinal"],
    partition: year,
    references: [toMarketSource],
    columns: priceRowColumns,
    traps: [
      "These rows were replaced by a later version of their issue: never read them together with `price_rows`",
    ],
  },
  {
    path: "tables/sale_events.parquet",
    about: "One row per venue and sale",
    key: ["venue_id", "sale_date", "issue_id"],
    columns: saleEventColumns,
    traps: [
      "`receipts` counts all head that arrived, `head_reported` those behind price rows: one is not the sum of the other",
      "`receipts` of 0 beside price rows are not stated: null; of one commodity, the total is null, too",
    ],
  },
  {
    path: "tables/summary_events.parquet",
    about: "One row per summary report and week: total receipts of the venues it pools",
    key: ["issue_id"],
    columns: summaryEventColumns,
  },
  {
    path: "tables/quarantine.parquet",
    about: "Quarantined rows, as received, with the reason",
    key: [],
    columns: quarantineColumns,
    traps: ["`raw` is JSON text with the publisher's own names and values; nothing in it was checked"],
  },
  ...(Object.keys(marketFiles) as (keyof typeof marketFiles)[]).map((name) => ({
    path: `tables/${name}.parquet`,
    about: marketAbout[name],
    key: marketFiles[name].key,
    columns: name === "barns" ? [...marketFiles.barns.columns, ...pointColumns] : marketFiles[name].columns,
    ...(marketReferences[name] === undefined ? {} : {references: marketReferences[name]}),
    ...(marketTraps[name] === undefined ? {} : {traps: marketTraps[name]}),
  })),
  ...(Object.keys(signalFiles) as SignalTable[]).map((name) => ({
    path: `tables/signals/${name}.parquet`,
    about: signalFiles[name].about,
    key: signalKey,
    references: [toMarketSource],
    columns: signalFiles[name].columns,
  })),
  ...parcelTables,
  {
    path: "carried/XX.ndjson",
    about:
      "Parcels of this build that were found on misses, one JSON object per line (DuckDB: `read_json`); the next build carries them over. No file if none were found",
    key: ["record.key"],
    columns: [
      column(
        "record",
        "JSON",
        "The delta record: key, observation, row, provenance, attributes as the county sent them",
      ),
      column("segment", "VARCHAR", "Segment of the delta in which it was stored"),
      column("end", "BIGINT", "End of its line there, in bytes"),
    ],
  },
  ...servingFiles,
];

/** Finds a file's description by its path below the build folder; undefined for an unknown file. */
export function describedFile(path: string): DescribedFile | undefined {
  const pattern = path
    .replace(/(state=|^serving\/parcels\/|^carried\/)[A-Z]{2}\b/, "$1XX")
    .replace(/year=\d+/, "year=YYYY");
  return describedFiles.find((file) => file.path === pattern);
}
