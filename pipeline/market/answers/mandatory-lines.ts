import {reportRegion} from "@open-cattle/usda-reports";
import type {MandatoryPrice} from "../../../schemas/market-records.ts";
import {slug} from "../documents/json-values.ts";

/** A row of a report, as the feed's reader keeps it. */
export type ReportRow = {
  readonly key: string;
  readonly report_date: string;
  readonly report_title: string;
  readonly report_slug: string | null;
  readonly section: string;
  readonly published_at_source: string | null;
  readonly labels: string;
  readonly measures: string;
  readonly source_path: string;
  readonly ingested_at: string;
};

/** One price of a row: a row of cattle has one, a row of the cutout one for each grade and carcass weight. */
export type MandatoryLine = Pick<
  MandatoryPrice,
  | "region"
  | "region_states"
  | "purchase_type"
  | "class_printed"
  | "grade_printed"
  | "price_basis_live"
  | "delivery_printed"
  | "price_avg"
  | "price_low"
  | "price_high"
  | "head_count"
  | "avg_weight_lb"
> & {readonly id: string; readonly of: ReportRow};

/** Sections and reports with figures of other kinds: earlier periods, shares by price, premiums over a base. */
const withoutPrices = /\b(history|distribution|premiums?|committed)\b/i;

/** The prices of a row; none for a row of cuts, volumes or other figures. */
export function linesOf(row: ReportRow): MandatoryLine[] {
  const {report_title: title, section} = row;
  if (withoutPrices.test(section) || withoutPrices.test(title)) return [];
  const labels = JSON.parse(row.labels) as Record<string, string>;
  const measures = JSON.parse(row.measures) as Record<string, number>;
  const {region, states} = reportRegion(title, labels);
  const place = {of: row, region, region_states: states, purchase_type: purchaseOf(title, labels)};
  const cattle = labelled(labels, /^class(_desc(ription)?)?$/i);
  if (cattle === null) return /cutout/i.test(section) ? cutoutLines(row, measures, place) : [];
  const basis = labelled(labels, /^selling_basis(_desc(ription)?)?$/i) ?? title;
  return [
    {
      ...place,
      id: row.key,
      class_printed: cattle,
      grade_printed: labelled(labels, /^(quality_)?grade(_desc(ription)?)?$/i),
      price_basis_live: /\b(dressed|carcass)\b/i.test(basis)
        ? "dressed"
        : /\blive\b/i.test(basis)
          ? "live"
          : null,
      delivery_printed: /\bdelivered\b/i.test(basis) ? "delivered" : /\bFOB\b/.test(basis) ? "fob" : null,
      price_avg: measured(measures, /^(weighted_avg|weighted_average|wtd_avg|avg|average)_price$/i),
      price_low: measured(measures, /^(price_range_low|price_low|low_price)$/i),
      price_high: measured(measures, /^(price_range_high|price_high|high_price)$/i),
      head_count: measured(measures, /^(head_count|head)$/i),
      avg_weight_lb: measured(
        measures,
        /^(weight_range_avg|avg_weight|average_weight|weighted_avg_weight)$/i,
      ),
    },
  ];
}

/** Grade and carcass weight of a cutout value, such as `choice_600_900_current`; no other statistic of it. */
const cutoutValue =
  /^(choice|select|prime|branded|ungraded)_(\d{3})_(\d{3})(_current|_avg|_average|_usd_per_cwt_carcass)?$/i;

type Place = Pick<MandatoryLine, "of" | "region" | "region_states" | "purchase_type">;

/** What the cutout does not have. */
const noCattle = {
  ...{class_printed: null, delivery_printed: null, price_low: null, price_high: null},
  ...{head_count: null, avg_weight_lb: null},
};

/** The cutout values of a row: USD per cwt of carcass, without head. */
function cutoutLines(row: ReportRow, measures: Record<string, number>, place: Place): MandatoryLine[] {
  if (/change|primal/i.test(row.section)) return [];
  return Object.entries(measures).flatMap(([name, price]) => {
    const [, grade, from, to] = cutoutValue.exec(name) ?? [];
    if (grade === undefined) return [];
    return {
      ...{...place, ...noCattle, id: `${row.key}/${slug(name)}`, price_basis_live: "cutout" as const},
      ...{grade_printed: `${grade.toLowerCase()} ${from}-${to}`, price_avg: nonZero(price)},
    };
  });
}

/** Ways of buying, by the words that a line or a title has for them; grids are named before plain negotiation. */
const purchases = [
  ["negotiated_grid", /\b(negotiated )?grid\b/i],
  ["formula", /\bformula(ted)?\b/i],
  ["forward_contract", /\b(forward )?contracts?\b/i],
  ["negotiated", /\bnegotiated\b(?! grid)/i],
] as const;

/** How the cattle of a line were bought, by its own label, else by the title; null where that names none or several ways. */
function purchaseOf(title: string, labels: Record<string, string>): MandatoryPrice["purchase_type"] {
  const words = labelled(labels, /^purchase_type(_code|_desc(ription)?)?$/i) ?? title;
  const ways = purchases.flatMap(([way, pattern]) => (pattern.test(words) ? way : []));
  return ways.length === 1 ? ways[0]! : null;
}

function labelled(labels: Record<string, string>, name: RegExp): string | null {
  return Object.entries(labels).find(([label]) => name.test(label))?.[1] ?? null;
}

function measured(measures: Record<string, number>, name: RegExp): number | null {
  return nonZero(Object.entries(measures).find(([measure]) => name.test(measure))?.[1]);
}

/** A measure; null without one. The Datamart writes 0 where nothing was traded and where a figure is withheld. */
function nonZero(number: number | undefined): number | null {
  return number === undefined || number === 0 ? null : number;
}

/** Smallest first: priced, negotiated totals, cutout, other totals, single grades; then newest, most head, by id. */
export function compareLines(a: MandatoryLine, b: MandatoryLine): number {
  const rank = (line: MandatoryLine) => [
    Number(line.price_avg === null),
    tierOf(line),
    -Date.parse(line.of.report_date),
    -(line.head_count ?? 0),
  ];
  const [ranks, others] = [rank(a), rank(b)];
  const at = ranks.findIndex((each, i) => each !== others[i]);
  return at < 0 ? (a.id < b.id ? -1 : 1) : ranks[at]! - others[at]!;
}

function tierOf({
  price_basis_live: basis,
  grade_printed: grade,
  purchase_type: purchase,
}: MandatoryLine): number {
  if (basis === "cutout") return 1;
  if (grade !== null && !/\btotal\b|\ball grades\b/i.test(grade)) return 3;
  return purchase === null || purchase === "negotiated" ? 0 : 2;
}
