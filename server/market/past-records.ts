import {addDays, ageDays, freshnessOf} from "../../lib/dates.ts";
import {type AnswerContext, recentDays} from "../../lib/market/evidence.ts";
import type {EvidenceRow} from "../../lib/market/evidence-row.ts";
import {findingOf} from "../../lib/market/excluded-findings.ts";
import type {VenueContacts} from "../../lib/market/implications.ts";
import {hasFlag} from "../../lib/market/past-row.ts";
import type {CrossChecks} from "../../lib/market/price-checks.ts";
import {thinHead, thinPairs} from "../../lib/market/price-confidence.ts";
import {priceEvidence} from "../../lib/market/price-evidence.ts";
import {roundHalfAway} from "../../lib/rounding.ts";
import type {Contradiction, Evidence as MarketEvidence} from "../../schemas/market-evidence.ts";
import {membersOf} from "../../schemas/market-fields/market-field.ts";
import {type PriceValues, priceFields} from "../../schemas/market-fields/price.ts";
import type {PastCell, PastRow, PastSale, PastSales, SaleFacts} from "../tables/past-sales.ts";
import {CitedSales} from "./cited-sales.ts";
import {pastChanges} from "./past-changes.ts";

/** A record of a past sale. */
type PastRecord = PriceValues & Record<string, unknown>;

/** Members of a record in the order of the latest prices. */
const memberNames = membersOf(priceFields, "latest").map(([name]) => name);

/** Records of past rows and their evidence, as of a day. */
export class PastRecords {
  readonly #past: PastSales;
  readonly #context: AnswerContext;
  readonly #contacts: VenueContacts;
  readonly #evidence = new Map<string, {sale: PastSale; cell: PastCell}>();
  readonly #cited: CitedSales;
  readonly #changes = new Map<string, ReturnType<typeof pastChanges>>();

  /** `context.asOf` is the day from which ages are counted. */
  constructor(past: PastSales, {context, contacts}: {context: AnswerContext; contacts: VenueContacts}) {
    this.#past = past;
    this.#cited = new CitedSales(past);
    this.#context = context;
    this.#contacts = contacts;
  }

  /** The record of a row of a sale. */
  recordOf(sale: PastSale, row: number): PastRecord {
    const cell = this.#past.cellOf(row);
    const {members, facts} = this.#cited.of(sale);
    const cellMembers = this.#past.cellMembers(cell) as Pick<PriceValues, "cell_id">;
    const age = Math.max(0, ageDays(sale.date, this.#context.asOf));
    const evidenceId = `ps-${facts.issue_id}-${cellMembers.cell_id}`;
    this.#evidence.set(evidenceId, {sale, cell});
    const values = {
      ...members,
      ...cellMembers,
      ...figuresOf(this.#past.row(row), cell.unit),
      ...this.#changesOf(sale, cell, evidenceId),
      shrink: cell.takesShrink && sale.isTrade ? facts.shrink : null,
      slide: cell.takesSlide && sale.isTrade ? facts.slide : null,
      row_ordinal: row - sale.firstRow + 1,
      age_days: age,
      freshness: freshnessOf(age),
      change_status: age > recentDays ? "stale" : "unchanged",
      window_moved: false,
      evidence_id: evidenceId,
    } as Record<string, unknown>;
    return Object.fromEntries(memberNames.map((name) => [name, values[name] ?? null])) as PastRecord;
  }

  /** The evidence of a record that was made; null for another id. */
  evidenceOf(id: string): MarketEvidence | null {
    const made = this.#evidence.get(id);
    if (made === undefined) return null;
    const {sale, cell} = made;
    const rows = this.#past.rowsOf(sale, ({cellNo}) => cellNo === cell.cellNo);
    const {facts} = this.#cited.of(sale);
    const read = rows.map((row) => ({row: this.#past.row(row), record: this.recordOf(sale, row)}));
    return priceEvidence(
      read.map((each) => ({...evidenceRow(each, facts), newer_known: this.#isOutdated(sale, facts)})),
      {...checksOf(read, facts), context: this.#context, contacts: this.#contacts},
    );
  }

  /** True for an old sale whose report has a later one, as of the day from which ages are counted. */
  #isOutdated({market, date}: PastSale, {report_slug}: SaleFacts): boolean {
    const {asOf} = this.#context;
    if (ageDays(date, asOf) <= recentDays) return false;
    const later = this.#past.ofMarket(market, {from: addDays(date, 1), to: asOf});
    return later.some((sale) => this.#cited.of(sale).facts.report_slug === report_slug);
  }

  #changesOf(sale: PastSale, cell: PastCell, id: string): ReturnType<typeof pastChanges> {
    const known = this.#changes.get(id);
    if (known !== undefined) return known;
    const made = pastChanges(this.#past, sale, cell);
    this.#changes.set(id, made);
    return made;
  }
}

/** The members of a record that only its row has. */
function figuresOf({flags, ...row}: PastRow, unit: PriceValues["price_unit"]) {
  const price = dollars(row.price);
  const imputed = hasFlag(flags, "w_imputed");
  const weight = hasFlag(flags, "w_of_break") ? null : row.weight;
  const value = price === null || weight === null || unit !== "per_cwt" ? null : (price * weight) / 100;
  return {
    price_avg: price,
    price_low: dollars(row.low ?? row.price),
    price_high: dollars(row.high ?? row.price),
    head_count: row.head,
    rows_excluded: hasFlag(flags, "usable") ? 0 : 1,
    weight_imputed_rows: Number(imputed),
    weight_spans_bins: hasFlag(flags, "weight_spans_bins"),
    avg_weight_lb: weight,
    value_per_head: value === null ? null : roundHalfAway(roundHalfAway(value, 10), 2),
    thin: isThin({flags, ...row}, unit),
    price_min: dollars(row.low),
    price_max: dollars(row.high),
    weight_min_lb: row.weightMin,
    weight_max_lb: row.weightMax,
    outlier: hasFlag(flags, "outlier"),
  };
}

/** True for a row of few head (or pairs); one whose head is not known is not called so. */
export function isThin(row: PastRow, unit: PriceValues["price_unit"]): boolean {
  const head = countedHead(row);
  return head !== null && head < (unit === "per_pair" ? thinPairs : thinHead);
}

/** The head of a row that counts: null if it is not stated, or impossible. */
function countedHead({flags, head}: PastRow): number | null {
  return hasFlag(flags, "head_excluded") ? null : head;
}

function dollars(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}

type Read = {readonly row: PastRow; readonly record: PastRecord};

function evidenceRow({row, record}: Read, facts: SaleFacts): Omit<EvidenceRow, "newer_known"> {
  const {flags} = row;
  const byCommodity = Object.keys(facts.receipts_by_commodity ?? {}).length > 0;
  return {
    ...record,
    contributing_venues: "[]",
    reporter: record.reporter === null ? null : JSON.stringify(record.reporter),
    withdrawn: false,
    has_venue: null,
    rows_refused: null,
    head_excluded: hasFlag(flags, "head_excluded"),
    any_preliminary: record.issue_status === "preliminary",
    any_estimated_weight: hasFlag(flags, "weight_estimated") || hasFlag(flags, "w_imputed"),
    price_avg_unrounded: record.price_avg,
    head_recency: null,
    counted_head: countedHead(row),
    head_reported: facts.head_reported,
    commodity_receipts: byCommodity
      ? (facts.receipts_by_commodity![record.commodity] ?? null)
      : record.receipts,
    commodity_head: byCommodity ? (facts.head_by_commodity?.[record.commodity] ?? null) : facts.head_reported,
    rollup: null,
    withdrawn_reason: null,
    completeness: null,
    newer_sales: null,
    official: null,
    place: facts.place,
    ingested_at: facts.ingested_at,
    last_verified_at: facts.last_verified_at,
    venue_ids: null,
    issue_ids: [facts.issue_id],
    source_ids: [facts.source_id],
    unheld_days: record.no_sale_on,
    windows: null,
  };
}

/** Why figures leave a row out, as a contradiction; null for a row that counts. */
export function leftOutFinding({flags, ...row}: PastRow, facts: SaleFacts): Contradiction | null {
  const [outlier, implausible] = [hasFlag(flags, "outlier"), hasFlag(flags, "implausible")];
  if (!outlier && !implausible && !hasFlag(flags, "head_excluded")) return null;
  const compared = {price: dollars(row.price)!, median: dollars(row.median)!, head: row.head!};
  const ref = `${facts.issue_id} row ${row.ordinal}`;
  const of = {source: facts.source_id, issue: facts.issue_id, receipts: facts.event_receipts};
  return findingOf({...of, ...compared, ref, outlier, implausible});
}

/** What the rows of a cell of a sale are checked against: their own flags. Second sources and slips of unit are not known of past sales. */
function checksOf(read: readonly Read[], facts: SaleFacts): CrossChecks {
  const excluded = read.flatMap(({row}) => leftOutFinding(row, facts) ?? []);
  const none = {of: () => null};
  return {
    excluded: {of: () => (excluded.length === 0 ? null : excluded)},
    secondSources: none,
    unitSlips: none,
  };
}
