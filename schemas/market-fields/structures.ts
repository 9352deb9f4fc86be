import {z} from "zod";
import {IssueStatus} from "../vocabulary/price-row.ts";

/** The report that the rows of a record came from; a field is null if several reports disagree on it. */
export const Upstream = z
  .looseObject({
    system: z.enum(["mymarketnews", "lmr_datamart"]).nullable().describe("System that published the report"),
    report_slug: z.string().nullable().describe("Upstream report number or code"),
    report_program: z.enum(["voluntary", "mandatory"]).nullable().describe("Programme of the report"),
    issue_status: IssueStatus.nullable().describe("Whether the issue may still change"),
    published_at_source: z.string().nullable().describe("Publication time as the source states it"),
    report_slugs: z.array(z.string()).describe("Every report behind the record, sorted"),
    report_urls: z.array(z.string()).describe("The publisher's pages of these reports, in the same order"),
  })
  .meta({id: "Upstream"});

/** The number in a report code, such as 1889 of `ams-1889`; samples invent the numbers from 5000 up. */
const numberInCode = "^ams-([1-4]\\d{3})$";
const documentsOfReports = "https://www.ams.usda.gov/mnreports/ams_";
const pagesOfReports = "https://mymarketnews.ams.usda.gov/viewReport/";

/** SQL: the number in a report code of the market-news service; null for other codes. */
const reportNumber = (slug: string) => `nullif(regexp_extract(${slug}, '${numberInCode}', 1), '')`;
/** SQL: the publisher's page of a report; null if its code has no number. */
export const reportPage = (slug: string) => `'${pagesOfReports}' || ${reportNumber(slug)}`;
/** The same of a code; null for no code too. */
export function reportPageOf(slug: string | null): string | null {
  const number = new RegExp(numberInCode).exec(slug ?? "")?.[1];
  return number === undefined ? null : `${pagesOfReports}${number}`;
}
/** SQL: the publisher's printed report, in its newest edition. */
export const reportDocument = (slug: string) => `'${documentsOfReports}' || ${reportNumber(slug)} || '.pdf'`;
/** The same of a code. */
export function reportDocumentOf(slug: string): string | null {
  const number = new RegExp(numberInCode).exec(slug)?.[1];
  return number === undefined ? null : `${documentsOfReports}${number}.pdf`;
}

/** SQL for a member of `Upstream`: the only value of a list of a draft, or null. */
export const only = (list: string) => `CASE WHEN len(${list}) = 1 THEN ${list}[1] END`;
export const upstreamText = `CASE WHEN report_slugs IS NOT NULL THEN to_json({'system': ${only("systems")}, 'report_slug': ${only("report_slugs")},
  'report_program': ${only("programs")}, 'issue_status': ${only("statuses")}, 'published_at_source': ${only("published")},
  'report_slugs': report_slugs, 'report_urls': list_filter(list_transform(report_slugs, s -> ${reportPage("s")}), u -> u IS NOT NULL)})::VARCHAR END`;

/** One venue behind an estimate. */
export const ContributingVenue = z
  .looseObject({
    venue_id: z.string().describe("Venue"),
    distance_mi: z.number().describe("Great-circle miles to the county's internal point, 1 decimal"),
    price_avg: z.number().describe("USD per `price_unit`, 2 decimals"),
    head_count: z.int().nonnegative().describe("Head behind the price"),
    report_end_date: z.iso.date().describe("Latest sale behind the price"),
  })
  .meta({id: "ContributingVenue"});

/** The values that a revised record had in the previous build. */
export const PreviousValues = z.looseObject({
  price_avg: z.number().nullable().describe("Earlier mean"),
  price_low: z.number().nullable().describe("Earlier lowest price"),
  price_high: z.number().nullable().describe("Earlier highest price"),
  head_count: z.int().nullable().describe("Earlier head"),
});

/** What became of an earlier sale of the venue that was corrected in the same night in which a later one arrived. */
export const PreviousSale = z
  .looseObject({
    report_end_date: z.iso.date().describe("Last day of the corrected sale"),
    cells_revised: z.int().positive().describe("Cells of that sale with a changed row"),
    rows: z
      .array(
        PreviousValues.extend({
          previous: PreviousValues.nullable().describe(
            "Values before the correction; null for a row that is new",
          ),
        }),
      )
      .describe(
        "Changed rows of the record's own cell as they are now; all values are null if the row was withdrawn",
      ),
  })
  .meta({id: "PreviousSale"});

/** One side of a change: a cell's sales, now or earlier, at the markets that the change compares. */
export const ComparedSale = z
  .looseObject({
    date: z.iso
      .date()
      .describe(
        "Day of the sale, of a state's figure the last of its week; of several, the one farthest from the other side",
      ),
    price_avg: z
      .number()
      .describe(
        "USD per `price_unit`, 2 decimals; of several markets weighted by what each sold last, on both sides",
      ),
    head_count: z.int().positive().describe("Head (pairs for `per_pair`)"),
    pens: z.int().positive().describe("Rows of the reports"),
    markets: z.int().positive().describe("Venues; 1 for a state's figure"),
  })
  .meta({id: "ComparedSale"});

/** The two sides of a change by the year. */
export const YearSales = z
  .looseObject({
    last_sale: ComparedSale.describe("Last sale of the venues that `change_year` compares"),
    then_sale: ComparedSale.describe("Their sale a year earlier"),
  })
  .meta({id: "YearSales"});

/** A known sale of a summary's period. */
const KnownSale = z.looseObject({
  venue_id: z.string().describe("Venue"),
  venue_name: z.string().nullable().describe("Its name"),
  sale_date: z.iso.date().describe("Last day of the sale"),
  receipts: z.int().nonnegative().describe("Head of the commodity that arrived"),
});

/** How the receipts that an official summary states compare with the sales of its period that are known. */
export const SummaryCompleteness = z
  .looseObject({
    status: z
      .enum(["incomplete", "printed_before_week_end", "no_sale_known_missing"])
      .describe(
        "`incomplete`: known sales have more head than the summary states; `printed_before_week_end`: it was printed before a known sale, or two days before its period ended",
      ),
    commodity: z
      .string()
      .nullable()
      .describe("Commodity of the receipts; null where the summary states a total alone"),
    printed_on: z.iso.date().nullable().describe("Day of the print; null where the source states none"),
    stated_receipts: z.int().nonnegative().describe("Head that the summary states"),
    known_receipts: z.int().nonnegative().describe("Head of the known sales of its state and period"),
    missing_sales: z
      .array(KnownSale)
      .describe(
        "Sales that it cannot hold: those after the print; of an incomplete one without any, all known sales of the period, of which some are missing",
      ),
  })
  .meta({id: "SummaryCompleteness"});
export type SummaryCompleteness = z.infer<typeof SummaryCompleteness>;

/** The sales of a state's venues after the week of its official summary, for the cell of a record. */
export const NewerSales = z
  .looseObject({
    first_date: z.iso.date().describe("Earliest of these sales"),
    last_date: z.iso.date().describe("Latest of them"),
    venues: z.int().positive().describe("Venues that sold"),
    head_count: z.int().positive().describe("Head (pairs for `per_pair`)"),
    price_avg: z.number().describe("USD per `price_unit`, 2 decimals"),
  })
  .meta({id: "NewerSales"});
export type NewerSales = z.infer<typeof NewerSales>;

/** The figure of an official summary that newer sales outrank. */
export const OfficialFigure = z
  .looseObject({
    report_slug: z.string().describe("Upstream report"),
    issue_id: z.string().describe("Its issue"),
    week_begin_date: z.iso.date().describe("First day of its period"),
    week_end_date: z.iso.date().describe("Last day of its period"),
    price_avg: z.number().describe("USD per `price_unit`, 2 decimals"),
    head_count: z.int().positive().describe("Head (pairs for `per_pair`)"),
  })
  .meta({id: "OfficialFigure"});
export type OfficialFigure = z.infer<typeof OfficialFigure>;

/** One week of a record's history. */
export const HistoryWeek = z
  .looseObject({
    week_end_date: z.iso
      .date()
      .describe("Saturday of the week; of an official summary the last day of its period"),
    price_avg: z.number().describe("USD per `price_unit` of the record, 2 decimals"),
    head_count: z.int().nonnegative().describe("Head (pairs for `per_pair`) behind the price"),
    venues_reporting: z
      .int()
      .nonnegative()
      .nullable()
      .describe("Venues behind the price; null for an official summary, which does not state them"),
  })
  .meta({id: "HistoryWeek"});
