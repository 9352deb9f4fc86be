import type {ColumnKind} from "./vocabulary/described-file.ts";

/** A column of an Arrow file that the server maps. */
type ServedColumn = {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  readonly about: string;
};

const of =
  (kind: ColumnKind, nullable = false) =>
  (name: string, about: string): ServedColumn => ({name, kind, nullable, about});
const [text, flag, int, date, list] = [of("text"), of("bool"), of("int32"), of("date"), of("list")];
const [textOrNull, intOrNull, dateOrNull] = [of("text", true), of("int32", true), of("date", true)];
const [word, wordOrNull] = [of("dictionary"), of("dictionary", true)];
const degrees = of("float64", true);

const evidenceId = text("evidence_id", "Row of `evidence.arrow`");
const record = text("record", "The finished record as JSON, without members that depend on the query");
const state = text("state", "Two letters");
const fips = "Five digits";
/** Columns of a price record's cell, and its position among the records of its area. */
const kind = [
  text("cell_id", "Kind of cattle and price basis"),
  text("commodity", "Commodity of the cell"),
  text("class", "Class of the cell"),
  intOrNull("bin_low_lb", "Lowest weight of the cell's 50-lb bin; null for cells without one"),
  flag("headline", "True for the cells that an unfiltered query returns"),
  int("importance", "Rank of the record in its county, state or sale, from 1, the most relevant"),
];
const lastSale = dateOrNull("last_sale_date", "Latest sale behind the price");
const point = [degrees("lat", "WGS 84 latitude; null where not located"), degrees("lon", "WGS 84 longitude")];

/** The Arrow files of the market that the server maps: keys, and finished records as JSON text. */
export const marketServing = {
  county_prices: {
    about: "Answers of /price-by-county",
    columns: [
      state,
      text("county_fips", fips),
      text("county_name", "With suffix"),
      ...kind,
      flag("observed", "True for a price of sales in the county"),
      lastSale,
      ...point,
      evidenceId,
      record,
    ],
  },
  state_prices: {
    about: "Answers of /price-by-state",
    columns: [
      state,
      ...kind,
      lastSale,
      dateOrNull("week_end_date", "Last day of an official summary's period, else null"),
      textOrNull("report_slug", "Report of an official summary, else null"),
      evidenceId,
      record,
    ],
  },
  latest_prices: {
    about: "Answers of /latest-prices",
    columns: [
      date("report_end_date", "Last day of the sale"),
      textOrNull("state", "Two letters; null for trades of a region"),
      textOrNull("venue_id", "Venue; null for trades without a known venue"),
      text("report_scope", "`venue`, `video_internet` or `direct`"),
      textOrNull("region", "Region of a video or direct trade, else null"),
      ...kind,
      int("row_ordinal", "Position of the row in its issue"),
      ...point,
      evidenceId,
      record,
    ],
  },
  past_sales: {
    about:
      "Sales and trades of every age, newest first, of whose rows /latest-prices, /price-by-county and /price-by-state answer `from` and `to`",
    columns: [
      date("report_end_date", "Last day of the sale"),
      word("report_scope", "`venue`, `video_internet` or `direct`"),
      wordOrNull("state", "Two letters; null for trades of a region"),
      wordOrNull("venue_id", "Venue; null for trades without a known venue"),
      ...point,
      wordOrNull("county_fips", "County of a located venue, else null"),
      flag("pooled", "True for sales of which prices of counties and states are made"),
      word("market", "Venue, or report of a trade, with whose earlier sales the sale is compared"),
      int("first_row", "Row of `past_rows.arrow` with which the sale begins"),
      int("rows", "Rows of the sale"),
      text(
        "facts",
        "JSON: issue, report, source and receipts of the sale, for its records and their evidence",
      ),
      text(
        "record",
        "JSON: the members that the records of the sale share, but for those that follow from columns and facts",
      ),
    ],
  },
  past_cells: {
    about: "Cells of the rows of past sales",
    columns: [
      int("cell_no", "Number of the cell, in the order of the ids"),
      intOrNull(
        "base_no",
        "Cell of the same cattle without lot comment, if there is one; its own if it has none",
      ),
      text("commodity", "Commodity of the cell"),
      text("class", "Class of the cell"),
      intOrNull("bin_low_lb", "Lowest weight of the cell's 50-lb bin; null for cells without one"),
      word("price_unit", "Unit of its prices"),
      flag("headline", "True for the cells that an unfiltered query returns"),
      textOrNull("region", "Region of a video or direct trade, else null"),
      int(
        "rank",
        "Rank of the cell's records in a sale, the most relevant first; a thin one of 8 or more comes last",
      ),
      flag("takes_shrink", "True if the shrink that a trade states holds for these cattle"),
      flag("takes_slide", "True if the slide that a trade states holds for these cattle"),
      text("record", "JSON: the members that the records of the cell share"),
    ],
  },
  past_rows: {
    about: "Rows of past sales, sale by sale in the order of `past_sales.arrow`, as numbers",
    columns: [
      int("cell_no", "Cell of the row, in `past_cells.arrow`"),
      int("row_ordinal", "Position of the row in its issue"),
      intOrNull("price", "Average price in cents"),
      intOrNull("low", "Lowest price in cents"),
      intOrNull("high", "Highest price in cents"),
      intOrNull("head_count", "Head (pairs for `per_pair`)"),
      intOrNull("weight_lb", "Average weight, lb; the middle of its break where a flag says so"),
      intOrNull("weight_min_lb", "Lowest weight, lb"),
      intOrNull("weight_max_lb", "Highest weight, lb"),
      intOrNull(
        "median_price",
        "For an outlier or an implausible price: what it was compared with, in cents",
      ),
      of("int16")(
        "flags",
        "Bits: weights beyond the bin, estimated, or taken as the middle of their break; usable for means; impossible head; implausible price; outlier; weight is the middle of its break",
      ),
    ],
  },
  mandatory_prices: {
    about: "Lines of mandatory reports in answers of /price-by-state and /latest-prices",
    columns: [
      list("region_states", "States of the region, one per line; empty for the nation"),
      text("commodity", "`slaughter_cattle`; empty for the cutout"),
      text("class", "Class of cattle as questions name it; empty where the line names none or several"),
      evidenceId,
      record,
    ],
  },
  sale_pens: {
    about: "Pens of the weight curves, by sale and class, and of the cells of other cattle, by sale and cell",
    columns: [
      state,
      textOrNull("venue_id", "Venue; null for a state summary"),
      textOrNull("venue_name", "Name of the venue"),
      text("place", "Town and state of the venue; the state of a summary"),
      textOrNull("county_fips", fips),
      text("report_scope", "`venue` or `state_summary`"),
      text("class", "Class of the cattle"),
      textOrNull("cell", "JSON: facts of a cell of other cattle; null for the pens of a weight curve"),
      date("report_end_date", "Last day of the sale"),
      int("age_days", "Days before the as-of date"),
      ...point,
      text("issue_id", "Report issue"),
      text("source_id", "Source of the issue"),
      textOrNull("ingested_at", "When the issue was read"),
      textOrNull("last_verified_at", "When it was last read again and found equal"),
      flag("is_new", "True if the earlier build cited no such issue"),
      flag("preliminary", "True for a preliminary issue"),
      text(
        "pens",
        "JSON: grade, pounds, USD and head of each pen, and 1 where its reporter calls such cattle not tested; empty for a sale of other feeders of the class alone",
      ),
    ],
  },
  indicators: {
    about: "Indicators of /price-by-state",
    columns: [
      text("area", "State letters; `US` for the nation"),
      textOrNull("evidence_id", "Row of `evidence.arrow`; null without a figure"),
      text("record", "The indicator as JSON"),
    ],
  },
  barns: {
    about: "Answers of /barns and /cattle-sale-barn-directory",
    columns: [
      state,
      textOrNull("county_fips", fips),
      textOrNull("county_name", "With suffix"),
      textOrNull("city", "Town"),
      text("venue_name", "Name"),
      text("venue_id", "Venue"),
      text("status", "Status of the venue"),
      ...point,
      dateOrNull("last_reported_sale_date", "Last sale in the reports of this build"),
      evidenceId,
      text("directory_evidence_id", "Evidence of the directory row"),
      text("directory_record", "Row of the directory, JSON"),
      text("barn_record", "Record of /barns, JSON"),
    ],
  },
  dealers: {about: "Answers of /dealers/stats", columns: [state, evidenceId, record]},
  evidence: {
    about: "Evidence of all records",
    columns: [
      evidenceId,
      list("sources", "Source ids, one per line"),
      dateOrNull("source_date", "Date of the underlying report"),
      list("limitations", "Sentences, one per line"),
      text("evidence", "The evidence as JSON"),
    ],
  },
  price_history: {
    about: "Histories of the records of counties and states",
    columns: [
      text("key", "County or state, cell and, for an official summary, its report, with `|` between them"),
      text("weeks", "Weeks as JSON, one per line, oldest first"),
    ],
  },
  sources: {
    about: "Registry entries of the sources to which answers refer",
    columns: [text("id", "Source id"), text("entry", "The entry as JSON")],
  },
  last_known: {
    about: "Latest date with a record for each area, for answers without rows",
    columns: [
      text("endpoint", "Path of the endpoint"),
      text("area", "State or county"),
      date("source_date", "Newest date"),
    ],
  },
  zips: {
    about: "ZIP areas",
    columns: [
      text("zip", fips),
      ...point,
      textOrNull("county_fips", fips),
      text("method", "How the county was found"),
      text("counties", "Counties with their shares of the land, JSON; empty if no file gives them"),
    ],
  },
  context: {
    about: "Signals that answers carry as context",
    columns: [
      text("key_type", "What the key is: county, state …"),
      text("key", "Its value"),
      text("signal", "Kind of signal"),
      textOrNull("item", "The context item as JSON; null for a signal that is left out"),
      intOrNull(
        "age_days",
        "Age of the signal; null for an item without a date, and for one that the licence does not allow to be served",
      ),
    ],
  },
} as const satisfies Record<string, {about: string; columns: readonly ServedColumn[]}>;

export type ServedFile = keyof typeof marketServing;
