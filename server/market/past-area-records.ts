import {addDays, ageDays, freshnessOf, weekdayOf} from "../../lib/dates.ts";
import {countyOf} from "../../lib/geography/counties.ts";
import {type AnswerContext, latestOf, recentDays, sortedUnique} from "../../lib/market/evidence.ts";
import type {EvidenceRow} from "../../lib/market/evidence-row.ts";
import type {VenueContacts} from "../../lib/market/implications.ts";
import {priceEvidence} from "../../lib/market/price-evidence.ts";
import {roundHalfAway} from "../../lib/rounding.ts";
import type {Contradiction, Evidence as MarketEvidence} from "../../schemas/market-evidence.ts";
import {membersOf} from "../../schemas/market-fields/market-field.ts";
import {type PriceValues, priceFields} from "../../schemas/market-fields/price.ts";
import type {PastSale, PastSales, Span} from "../tables/past-sales.ts";
import {CitedSales, type SaleMembers, type Upstream} from "./cited-sales.ts";
import {allOf, type ComparedMarket, cellSale, changesOf, venueMarket} from "./past-changes.ts";
import {describedHead, type PastFigure} from "./past-figures.ts";
import {leftOutFinding} from "./past-records.ts";

type Values = Record<string, unknown>;
const memberNames = {
  county: membersOf(priceFields, "county").map(([name]) => name),
  state: membersOf(priceFields, "state").map(([name]) => name),
};

type Inputs = {
  readonly span: Span;
  readonly context: AnswerContext;
  readonly contacts: VenueContacts;
  /** Number of venues of a state that are not closed. */
  readonly venuesKnown: (state: string) => number;
};

/** Records of counties over days and of states by week, from the rows of past sales, and their evidence: as the build makes them of its window. */
export class PastAreaRecords {
  readonly #past: PastSales;
  readonly #inputs: Inputs;
  readonly #cited: CitedSales;
  readonly #made = new Map<string, {figure: PastFigure; record: PriceValues & Values}>();

  /** `context.asOf` is the day from which ages are counted. */
  constructor(past: PastSales, inputs: Inputs) {
    this.#past = past;
    this.#cited = new CitedSales(past);
    this.#inputs = inputs;
  }

  recordOf(figure: PastFigure): PriceValues & Values {
    const {area, cell} = figure;
    const kind = area.weekEnd === null ? "county" : "state";
    const values: Values = {
      ...this.#past.cellMembers(cell),
      ...this.#figureMembers(figure),
      ...(kind === "county" ? this.#countyMembers(figure) : this.#stateMembers(figure)),
      ...citationOf(figure.counted.map((sale) => this.#cited.of(sale).members)),
      change_status: this.#ageOf(figure) > recentDays ? "stale" : "unchanged",
      window_moved: false,
    };
    const record = Object.fromEntries(
      memberNames[kind].map((name) => [name, values[name] ?? null]),
    ) as PriceValues & Values;
    this.#made.set(record.evidence_id, {figure, record});
    return record;
  }

  /** The evidence of a record that was made; null for another id. */
  evidenceOf(id: string): MarketEvidence | null {
    const made = this.#made.get(id);
    if (made === undefined) return null;
    const {context, contacts} = this.#inputs;
    const none = {of: () => null};
    const found = this.#leftOut(made.figure);
    return priceEvidence([this.#evidenceRow(made.figure, made.record)], {
      ...{context, contacts, secondSources: none, unitSlips: none},
      excluded: {of: () => (found.length === 0 ? null : found)},
    });
  }

  #figureMembers(figure: PastFigure) {
    const {cell, pool, counted} = figure;
    const [price, weight] = [pool.price, pool.averageWeight];
    const value = cell.unit === "per_cwt" && weight !== null ? (price * weight) / 100 : null;
    const age = this.#ageOf(figure);
    return {
      price_avg: roundHalfAway(price, 2),
      price_low: pool.low / 100,
      price_high: pool.high / 100,
      head_count: pool.head,
      rows: pool.rows,
      rows_excluded: pool.rowsExcluded,
      weight_imputed_rows: pool.weightsImputed,
      weight_spans_bins: pool.weightSpansBins,
      venues_reporting: venuesOf(counted).length,
      avg_weight_lb: weight === null ? null : roundHalfAway(weight, 0),
      value_per_head: value === null ? null : roundHalfAway(roundHalfAway(value, 10), 2),
      described_head: describedHead(this.#past, figure),
      window_widened: false,
      // Sales stand newest first.
      first_sale_date: counted.at(-1)!.date,
      last_sale_date: counted[0]!.date,
      age_days: age,
      freshness: freshnessOf(age),
      thin: pool.isThin,
    };
  }

  #countyMembers(figure: PastFigure) {
    const {area, cell, counted} = figure;
    const county = countyOf(area.countyFips!);
    const {from, to} = this.#inputs.span;
    const markets = sortedUnique(counted.map(({market}) => market));
    const compared = markets.flatMap((market) => {
      const last = counted.find((sale) => sale.market === market)!;
      return venueMarket(this.#past, {market, date: last.date, cell}) ?? [];
    });
    return {
      county_fips: area.countyFips,
      county_name: county?.fullName ?? null,
      county_vintage: county?.vintage ?? null,
      state: county?.state ?? null,
      price_basis: "observed_in_county",
      window_days: ageDays(from, to) + 1,
      ...changesOf(compared, cell.unit),
      evidence_id: `pc-${area.countyFips}-${this.#cellId(figure)}-${from}-${to}`,
    };
  }

  #stateMembers(figure: PastFigure) {
    const {area, cell} = figure;
    const {state, sales} = area;
    const weekEnd = area.weekEnd!;
    const receipts = sales.map((sale) => this.#cited.of(sale).facts.event_receipts);
    const stated = receipts.filter((head) => head !== null);
    const known = stated.length === 0 ? null : stated.reduce((sum, head) => sum + head, 0);
    const now = cellSale(this.#past, sales, {date: weekEnd, cell, isUntested: allOf});
    const soldIn: ComparedMarket["soldIn"] = (span) =>
      saturdaysIn(span).flatMap((date) => {
        const ofWeek = this.#past.ofState(state, {from: addDays(date, -6), to: date});
        return cellSale(this.#past, ofWeek, {date, cell, isUntested: allOf}) ?? [];
      });
    return {
      state,
      price_basis: "derived_rollup",
      window_days: 7,
      week_begin_date: addDays(weekEnd, -6),
      week_end_date: weekEnd,
      venues_known: this.#inputs.venuesKnown(state),
      receipts: stated.length === receipts.length ? known : null,
      receipts_known: known,
      ...changesOf(now === null ? [] : [{now, soldIn}], cell.unit),
      evidence_id: `ps-${state}-${this.#cellId(figure)}-${weekEnd}-${this.#inputs.span.to}`,
    };
  }

  #ageOf({counted}: PastFigure): number {
    return ageDays(counted[0]!.date, this.#inputs.context.asOf);
  }

  #cellId({cell}: PastFigure): string {
    return (this.#past.cellMembers(cell) as Pick<PriceValues, "cell_id">).cell_id;
  }

  /** The rows of a figure that it leaves out, in the order of their reports, as contradictions. */
  #leftOut({sales, cell}: PastFigure): Contradiction[] {
    return sales
      .map((sale) => this.#cited.of(sale))
      .sort((a, b) => (a.facts.issue_id < b.facts.issue_id ? -1 : 1))
      .flatMap(({sale, facts}) =>
        this.#past
          .rowsOf(sale, ({cellNo}) => cellNo === cell.cellNo)
          .flatMap((row) => leftOutFinding(this.#past.row(row), facts) ?? []),
      );
  }

  #evidenceRow({pool, counted}: PastFigure, record: PriceValues): EvidenceRow {
    const facts = counted.map((sale) => this.#cited.of(sale).facts);
    const none = Object.fromEntries(absentFromAreas.map((name) => [name, null])) as Pick<
      EvidenceRow,
      (typeof absentFromAreas)[number]
    >;
    return {
      ...none,
      ...record,
      contributing_venues: "[]",
      reporter: null,
      completeness: null,
      newer_sales: null,
      official: null,
      withdrawn: false,
      any_preliminary: counted.some((sale) => this.#statusOf(sale) === "preliminary"),
      any_estimated_weight: pool.isWeightEstimated,
      price_avg_unrounded: pool.price,
      head_recency: pool.headRecency,
      ingested_at: latestOf(facts.map(({ingested_at}) => ingested_at)),
      last_verified_at: latestOf(facts.map(({last_verified_at}) => last_verified_at)),
      venue_ids: venuesOf(counted),
      issue_ids: sortedUnique(facts.map(({issue_id}) => issue_id)),
      source_ids: sortedUnique(facts.map(({source_id}) => source_id)),
    };
  }

  #statusOf(sale: PastSale): Upstream["issue_status"] {
    return this.#cited.of(sale).members.upstream.issue_status;
  }
}

/** Columns of an evidence row that a pooled figure does not have. */
const absentFromAreas = [
  ...([
    "has_venue",
    "rows_refused",
    "head_excluded",
    "newer_known",
    "counted_head",
    "head_reported",
  ] as const),
  ...(["commodity_receipts", "commodity_head", "rollup", "withdrawn_reason", "place"] as const),
  ...(["unheld_days", "windows"] as const),
] as const;

function venuesOf(sales: readonly PastSale[]): string[] {
  return sortedUnique(sales.map(({venueId}) => venueId));
}

function saturdaysIn({from, to}: Span): string[] {
  const days = Array.from({length: ageDays(from, to) + 1}, (_, day) => addDays(from, day));
  return days.filter((day) => weekdayOf(day) === 6);
}

/** The citation of a figure: the members of `upstream` that all its sales share, and the title and pages if one report is behind it. */
function citationOf(sales: readonly SaleMembers[]) {
  const reports = [...new Map(sales.map((sale) => [sale.upstream.report_slug ?? "", sale]))].sort(
    ([a], [b]) => (a < b ? -1 : 1),
  );
  const shared = <Name extends keyof Upstream>(name: Name) => {
    const values = new Set(sales.map(({upstream}) => upstream[name]));
    return values.size === 1 ? ([...values][0] ?? null) : null;
  };
  const {report_title, report_publisher, report_url, document_url}: Partial<SaleMembers> =
    reports.length === 1 ? reports[0]![1] : {};
  return {
    upstream: {
      ...{system: shared("system"), report_slug: shared("report_slug")},
      ...{report_program: shared("report_program"), issue_status: shared("issue_status")},
      published_at_source: shared("published_at_source"),
      report_slugs: reports.map(([slug]) => slug),
      report_urls: reports.flatMap(([, {upstream}]) => upstream.report_urls),
    },
    ...{report_title, report_publisher, report_url, document_url},
  };
}
