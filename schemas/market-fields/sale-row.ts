import {z} from "zod";
import {IssueStatus, ReportScope} from "../vocabulary/price-row.ts";
import {date, fieldsOf, integer, money, oneOf, orNull, text, texts} from "./market-field.ts";
import {shared} from "./shared.ts";

const perUnit = "USD per `price_unit`";
const fixed = {revises: true} as const;
const priced = {...fixed, unit: "USD"} as const;
const weight = {...fixed, unit: "lb"} as const;

const field = fieldsOf(["latest"]);

/** The fields that only rows of a venue's latest sale, or of a video or direct trade, have; `sql` as in `priceFields`. */
export const saleRowFields = {
  report_scope: field(
    oneOf(ReportScope.extract(["venue", "video_internet", "direct"]).options),
    "`venue` for a sale at a venue; `video_internet` and `direct` for trades of a region, which have no town, county or distance",
    {sql: "coalesce(report_scope, 'venue')"},
  ),
  delivery: field(
    orNull(text),
    "Video and direct trades: `current`, or first and last month, such as `nov` or `sep-oct`",
  ),
  freight: field(
    orNull(text),
    "Video and direct trades: `fob`, `delivered` or other words of the report, if it says so",
  ),
  region: field(orNull(text), "Video and direct trades: where the cattle are, as the report names it", {
    header: "region",
  }),
  shrink: field(
    orNull(text),
    "Video and direct trades: weight that the report says is deducted, such as `2-3%`",
  ),
  slide: field(
    orNull(text),
    "Video and direct trades: slide of the price with the weight, as the report states it",
  ),
  venue_id: field(
    orNull(text),
    "`<state>-<slug>`, stable for life; null for direct trades and for a video of no registered venue",
  ),
  venue_name: field(...shared.venue_name, {header: "barn"}),
  city: field(...shared.city, {header: "town"}),
  sale_date: field(orNull(date), "Date of the sale; null for a sale of several days"),
  report_end_date: field(date, "Last day of the reported sale"),
  row_ordinal: field({...integer, shape: z.int().positive()}, "Number of the row within the venue's sale"),
  price_min: field(money, `${perUnit}: lowest price of the row, 2 decimals`, priced),
  price_max: field(money, `${perUnit}: highest price of the row, 2 decimals`, priced),
  weight_min_lb: field(orNull(integer), "Lowest weight of the row in pounds", weight),
  weight_max_lb: field(orNull(integer), "Highest weight of the row in pounds", weight),
  issue_status: field(oneOf(IssueStatus.options), "Status of the report issue", fixed),
  published_at_source: field(orNull(text), "Publication time as the source states it"),
  no_sale_on: field(texts, "Days after this sale on which its report says that none was held; oldest first", {
    sql: "coalesce(unheld_days, [])",
  }),
};
