import {countyOf} from "../../lib/geography/counties.ts";
import {reportPublisher} from "../../schemas/market-fields/citation.ts";
import type {PriceValues} from "../../schemas/market-fields/price.ts";
import {reportDocumentOf, reportPageOf} from "../../schemas/market-fields/structures.ts";
import type {PastSale, PastSales, SaleFacts} from "../tables/past-sales.ts";

export type Upstream = NonNullable<PriceValues["upstream"]>;

/** The members that the records of a sale share; those with a type are read here. */
export type SaleMembers = Readonly<Record<string, unknown>> &
  Pick<PriceValues, "report_title" | "report_publisher" | "report_url" | "document_url"> & {
    readonly upstream: Upstream;
  };

/** A past sale, with what its records and their evidence share. */
type CitedSale = {readonly sale: PastSale; readonly members: SaleMembers; readonly facts: SaleFacts};

/** Past sales with what their records share, each read once. */
export class CitedSales {
  readonly #past: PastSales;
  readonly #known = new Map<PastSale, CitedSale>();

  constructor(past: PastSales) {
    this.#past = past;
  }

  of(sale: PastSale): CitedSale {
    const known = this.#known.get(sale);
    if (known !== undefined) return known;
    const facts = this.#past.factsOf(sale);
    const cited = {sale, members: membersOf(sale, facts, this.#past.saleMembers(sale)), facts};
    this.#known.set(sale, cited);
    return cited;
  }
}

/** The stored members, with those that follow from the sale's columns and facts: its place, its days and its report. */
function membersOf(
  sale: PastSale,
  {system, report_slug, report_program}: SaleFacts,
  stored: Readonly<Record<string, unknown>>,
): SaleMembers {
  const {report_title, issue_status, published_at_source} = stored as Pick<
    PriceValues,
    "report_title" | "issue_status" | "published_at_source"
  >;
  const county = sale.countyFips === "" ? undefined : countyOf(sale.countyFips);
  const page = reportPageOf(report_slug);
  return {
    ...stored,
    county_fips: sale.countyFips === "" ? null : sale.countyFips,
    county_name: county?.fullName ?? null,
    county_vintage: county?.vintage ?? null,
    report_scope: sale.scope,
    venue_id: sale.venueId === "" ? null : sale.venueId,
    last_sale_date: sale.date,
    report_end_date: sale.date,
    report_title,
    report_publisher: reportPublisher,
    report_url: page,
    document_url: reportDocumentOf(report_slug),
    upstream: {
      ...{system, report_slug, report_program, issue_status, published_at_source},
      ...{report_slugs: [report_slug], report_urls: page === null ? [] : [page]},
    },
  };
}
