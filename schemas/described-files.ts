import {parquetTypes} from "./column-kind.ts";
import {column, type DescribedColumn, type DescribedFile} from "./described-file.ts";
import {marketFiles} from "./market-files.ts";
import {parcelColumns} from "./parcel-columns.ts";
import {priceRowColumns} from "./price-row.ts";
import {quarantineColumns} from "./report-issue.ts";
import {saleEventColumns, summaryEventColumns} from "./sale-event.ts";
import {servingFiles} from "./serving-files.ts";
import {type SignalTable, signalFiles, signalKey} from "./signal-files.ts";

const provenanceColumns: readonly DescribedColumn[] = [
  column("provenance_id", "INTEGER", "What the `prov_*` columns of the parcels name"),
  column("source_id", "VARCHAR", "Registry entry"),
  column("vintage", "VARCHAR", "Date or roll year for which the source states the facts"),
  column("vintage_basis", "VARCHAR", "`row_date`, `roll_year`, `edition`, `layer_edit` or `retrieved`"),
  column("retrieved_at", "VARCHAR", "When the file was fetched, ISO instant in UTC"),
  column("source_url_pattern", "VARCHAR", "The source's own public page of a parcel"),
  column("authority", "VARCHAR", "`county`, `state`, `aggregate`, `copy`, `derived` or `unknown`"),
];

const rejectColumns: readonly DescribedColumn[] = [
  column("source_id", "VARCHAR", "Registry entry"),
  column("source_path", "VARCHAR", "Raw file the row came from"),
  column("source_row", "BIGINT", "Place of the row in its file, from 1"),
  column("reason", "VARCHAR", "Why it was dropped"),
  column("county_key", "VARCHAR", "County, where known"),
  column("parcel_id", "VARCHAR", "Parcel number, where known"),
  column("situs_raw", "VARCHAR", "Address of the land, as published"),
];

const marketAbout: Readonly<Record<keyof typeof marketFiles, string>> = {
  county_prices: "Price per county and cell: observed there, or estimated from the nearest markets",
  state_prices: "Price per state and cell, from sales and from weekly summaries",
  latest_prices: "Price rows of the latest sale of each venue",
  barns: "Sale barns with place, schedule and status",
  dealers: "Licensed-dealer statistics by state and list",
  evidence: "What the records rest on: sources, dates, method, confidence, limitations",
  sources: "The registry of market sources",
  county_estimate_contributors: "The markets behind each estimated county price",
  venue_schedules: "Sale calendars, rule by rule",
  derived_measures: "Spread, value of gain, slide and seasonal index of venues' feeder cattle, for analysts",
  price_history: "Price per county or state, cell and week, for all weeks that the raw files hold",
  venue_status_history: "Since when a venue has its status",
};

/** Every Parquet and Arrow file of a build, in the order of FORMAT.md. */
export const describedFiles: readonly DescribedFile[] = [
  {
    path: "tables/price_rows/year=YYYY/rows.parquet",
    about: "Every accepted row of every current report issue, by year of `report_end_date`",
    key: ["issue_id", "row_ordinal"],
    columns: priceRowColumns,
  },
  {
    path: "tables/price_rows_superseded/year=YYYY/rows.parquet",
    about: "The same for issues that were replaced; `year=0` where there is none",
    key: ["issue_id", "issue_version", "row_ordinal"],
    columns: priceRowColumns,
  },
  {
    path: "tables/sale_events.parquet",
    about: "One row per venue and sale",
    key: ["venue_id", "sale_date", "issue_id"],
    columns: saleEventColumns,
  },
  {
    path: "tables/summary_events.parquet",
    about: "One row per summary report and week: receipts of what it pools",
    key: ["issue_id"],
    columns: summaryEventColumns,
  },
  {
    path: "tables/quarantine.parquet",
    about: "Rows that were kept back, as they came, with the reason",
    key: [],
    columns: quarantineColumns,
  },
  ...(Object.keys(marketFiles) as (keyof typeof marketFiles)[]).map((name) => ({
    path: `tables/${name}.parquet`,
    about: marketAbout[name],
    key: marketFiles[name].key,
    columns: marketFiles[name].columns,
  })),
  ...(Object.keys(signalFiles) as SignalTable[]).map((name) => ({
    path: `tables/signals/${name}.parquet`,
    about: signalFiles[name].about,
    key: signalKey,
    columns: signalFiles[name].columns,
  })),
  {
    path: "tables/parcels/state=XX/parcels.parquet",
    about: "GeoParquet 1.1: one row per parcel, in Hilbert order of the points; rows without a point last",
    key: ["county_key", "parcel_uid"],
    columns: [
      ...parcelColumns.map(({name, kind, about}) => column(name, parquetTypes[kind], about)),
      column(
        "geometry",
        "GEOMETRY('OGC:CRS84')",
        "The served point, WKB in OGC:CRS84; equal to `lon`, `lat`",
      ),
    ],
  },
  {
    path: "tables/parcel_provenance/state=XX/parcel_provenance.parquet",
    about: "What the `prov_*` ids of the parcels stand for",
    key: ["provenance_id"],
    columns: provenanceColumns,
  },
  {
    path: "tables/boundaries/state=XX/boundaries.parquet",
    about: "GeoParquet 1.1: outlines, where the source has them",
    key: ["county_key", "parcel_uid"],
    columns: [
      column("parcel_uid", "VARCHAR", "Parcel, as in `parcels`"),
      column("county_key", "VARCHAR", "County, as in `parcels`"),
      column("row", "BIGINT", "Row of the parcel in the state's `parcels.parquet`, from 0"),
      column("geometry", "GEOMETRY('OGC:CRS84')", "Outline, WKB in OGC:CRS84"),
      column("bbox", "STRUCT(xmin DOUBLE, ymin DOUBLE, xmax DOUBLE, ymax DOUBLE)", "Extent of the outline"),
    ],
  },
  {
    path: "tables/parcel_rejects/state=XX/parcel_rejects.parquet",
    about: "Rows that were dropped, with the reason",
    key: ["source_path", "source_row"],
    columns: rejectColumns,
  },
  {
    path: "carried/XX.ndjson",
    about:
      "Parcels found on misses that this build holds, one JSON object to a line (DuckDB: `read_json`); the next build carries them over. No file where none was found",
    key: ["record.key"],
    columns: [
      column(
        "record",
        "JSON",
        "The delta record: key, observation, row, provenance, attributes as the county sent them",
      ),
      column("segment", "VARCHAR", "Segment of the delta that it was stored in"),
      column("end", "BIGINT", "End of its line there, in bytes"),
    ],
  },
  ...servingFiles,
];

/** The description of a file by its path below the build folder; undefined for an unknown file. */
export function describedFile(path: string): DescribedFile | undefined {
  const pattern = path
    .replace(/(state=|^serving\/parcels\/|^carried\/)[A-Z]{2}\b/, "$1XX")
    .replace(/year=\d+/, "year=YYYY");
  return describedFiles.find((file) => file.path === pattern);
}
