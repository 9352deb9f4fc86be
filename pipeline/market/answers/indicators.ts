import {saturdayOf} from "../../../lib/dates.ts";
import {stateOf} from "../../../lib/geography/states.ts";
import type {ClassSale} from "../../../lib/market/barn-price.ts";
import {curveEvidence, type IssueSale} from "../../../lib/market/curve-evidence.ts";
import {curveOf, curveWindows, nationMinimums, pensBetween} from "../../../lib/market/curve-figure.ts";
import {
  type AreaPen,
  type AreaPens,
  type CurveClass,
  curveClasses,
  curveSummary,
} from "../../../lib/market/curve-summary.ts";
import {headOf} from "../../../lib/market/pen-means.ts";
import {type CurveGrade, weightRange} from "../../../lib/market/weight-curve.ts";
import {value} from "../../../lib/models/model.ts";
import {recordModel} from "../../../lib/models/record-model.ts";
import {sqlName} from "../../../lib/sql/duckdb.ts";
import type {Evidence} from "../../../schemas/market-evidence.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import {Indicator} from "../../../schemas/market-summary.ts";
import {answerContext} from "./answer-context.ts";
import {sale_pens} from "./sale-pens.ts";

/** A row of `sale_pens`, as the database gives it. */
type SaleRow = {
  readonly state: string;
  readonly venue_id: string | null;
  readonly venue_name: string | null;
  readonly place: string;
  readonly county_fips: string | null;
  readonly report_scope: string;
  readonly class: CurveClass;
  readonly report_end_date: string;
  readonly age_days: number;
  readonly issue_id: string;
  readonly source_id: string;
  readonly ingested_at: string | null;
  readonly last_verified_at: string | null;
  readonly is_new: boolean;
  readonly preliminary: boolean;
  readonly pens: string;
};

/** The pens of a state's summary of a week. */
type Summary = {
  readonly state: string;
  readonly kind: CurveClass;
  readonly week: string;
  readonly pens: readonly AreaPen<IssueSale>[];
};

/** An area of indicators: a state, or the nation as `US`. */
type Area = {readonly area: string; readonly pens: AreaPens<IssueSale>};

type IndicatorRow = Pick<Indicator, keyof typeof Indicator.shape> & {
  readonly price_avg_unrounded: number | null;
};

/** An indicator, its price before rounding, and its evidence; null without a figure. */
type IndicatorRecord = {
  readonly row: IndicatorRow;
  readonly evidence: Evidence | null;
};

/** The area that has the pens of all states. */
const nation = "US";
const weightsLb = [550, 750];
const windows = [7] as const;

/** A sale of a venue, of one class. */
type VenueSale = ClassSale<AreaPen<IssueSale>> & {readonly kind: CurveClass};

/**
 * The pens of the nation and of each state, of the sales of venues, and of the state summaries. A model that asks for them reads `sale_pens`.
 */
export const penAreas = value<{
  areas: readonly Area[];
  sales: readonly VenueSale[];
  summaries: readonly Summary[];
}>("pens by area", async (run) => {
  const rows = await run.db.rows<SaleRow>(
    "FROM sale_pens WHERE cell IS NULL ORDER BY state, venue_id, class, report_end_date, issue_id",
  );
  const sales = rows.map((row) => {
    const sale = saleOf(row);
    return {...row, kind: row.class, sale, ageDays: row.age_days, pens: pensOf(row, sale)};
  });
  const ofVenues = sales.filter(({report_scope: scope}) => scope === "venue");
  const area = (name: string, test: (state: string) => boolean): Area => {
    const of = (kind: CurveClass) =>
      ofVenues.filter((sale) => sale.kind === kind && test(sale.state)).flatMap(({pens}) => pens);
    return {area: name, pens: {steers: of("steers"), heifers: of("heifers")}};
  };
  const states = [...new Set(ofVenues.map(({state}) => state))];
  return {
    areas: [area(nation, () => true), ...states.map((name) => area(name, (state) => state === name))],
    sales: ofVenues,
    summaries: sales
      .filter(({report_scope: scope}) => scope === "state_summary")
      .map((sale) => ({...sale, week: saturdayOf(sale.report_end_date)})),
  };
});

/**
 * The figures of the last 7 days for the nation and each state: steers and heifers, Medium and Large 1, at 550 and 750 lb
 * (`docs/design/market.md` section 7.1). A model that asks for them reads `sale_pens`.
 */
export const indicatorRecords = value<readonly IndicatorRecord[]>("indicators", async (run) => {
  const context = await run.value(answerContext);
  const {areas, summaries} = await run.value(penAreas);
  return areas.flatMap(({area, pens}) =>
    curveClasses.flatMap((kind) =>
      weightsLb.map((weightLb) => {
        const isNation = area === nation;
        const answer = curveSummary(pens, {
          ...{
            kind,
            weightLb,
            windows,
            note: "It is no exchange index.",
            place: isNation ? "in the nation" : `in ${stateOf(area)?.name ?? area}`,
          },
          ...(isNation ? {minimums: nationMinimums} : {}),
        });
        const entities = isNation ? [] : [`state:${area}`];
        const official = summaries.find(
          (each) =>
            each.state === area &&
            each.kind === kind &&
            each.week === saturdayOf(answer.summary.last_sale_date ?? context.asOf),
        );
        const evidence =
          answer.figure.price === null
            ? null
            : curveEvidence(context, answer, {
                id: `in-${area.toLowerCase()}-${kind}-${weightLb}`,
                area: {entities, radiusMiles: null, isCounty: false},
                official: official?.pens ?? [],
              });
        return {row: rowOf(area, {answer, evidence, asOf: context.asOf}), evidence};
      }),
    ),
  );
});

function saleOf(row: SaleRow): IssueSale {
  return {
    venueId: row.venue_id ?? "",
    venueName: row.venue_name ?? "",
    place: row.place,
    state: row.state,
    countyFips: row.county_fips,
    miles: null,
    date: row.report_end_date,
    issueId: row.issue_id,
    sourceId: row.source_id,
    ingestedAt: row.ingested_at,
    verifiedAt: row.last_verified_at,
    isNew: row.is_new,
    preliminary: row.preliminary,
  };
}

function pensOf(row: SaleRow, sale: IssueSale): AreaPen<IssueSale>[] {
  return (JSON.parse(row.pens) as [CurveGrade, number, number, number, 1?][]).map(
    ([grade, weightLb, price, head, mark]) => ({
      ...{grade, weightLb, price, head, ageDays: row.age_days, sale},
      isUntested: mark === 1,
    }),
  );
}

function rowOf(
  area: string,
  {
    answer: {summary, figure},
    evidence,
    asOf,
  }: {answer: ReturnType<typeof curveSummary>; evidence: Evidence | null; asOf: string},
): IndicatorRecord["row"] {
  return {
    area_kind: kindOf(area),
    area,
    class: summary.class,
    weight_lb: summary.weight_lb,
    muscle_grade: summary.muscle_grade,
    window_end_date: asOf,
    price_avg: summary.price_avg,
    price_avg_unrounded: figure.price,
    price_low: summary.price_low,
    price_high: summary.price_high,
    reason: summary.reason,
    change_week: summary.change_week,
    change_week_reason: summary.change_week_reason,
    change_year: summary.change_year,
    change_year_reason: summary.change_year_reason,
    pens: summary.fit?.pens ?? figure.near.pens.length,
    pens_near: figure.near.pens.length,
    head_count: summary.head_count,
    head_near: figure.near.head,
    venues: summary.venues,
    states: summary.states,
    residual_spread: summary.fit?.residual_spread ?? null,
    first_sale_date: summary.first_sale_date,
    last_sale_date: summary.last_sale_date,
    sentence: summary.sentence,
    evidence_id: evidence?.evidence_id ?? null,
  };
}

/** SQL: the served indicator, without the price before rounding. */
const served = Object.keys(Indicator.shape).map((name) => `'${name}': ${sqlName(name)}`);

/** The indicators, as they are served and as analysts get them. */
export const indicators = recordModel({
  name: "indicators",
  reads: [sale_pens],
  columns: marketFiles.indicators.columns,
  more: {record: `to_json({${served.join(", ")}})::VARCHAR`},
  rows: async (run) => (await run.value(indicatorRecords)).map(({row}) => row),
});

/** The curves of the nation and of each state over 7, 14 and 21 days. */
export const weight_curves = recordModel({
  name: "weight_curves",
  reads: [sale_pens],
  columns: marketFiles.weight_curves.columns,
  rows: async (run) => {
    const {asOf} = await run.value(answerContext);
    const {areas} = await run.value(penAreas);
    return areas.flatMap((area) =>
      curveClasses.flatMap((kind) => curveWindows.flatMap((days) => curveRow(area, {kind, days, asOf}))),
    );
  },
});

function curveRow(
  {area, pens}: Area,
  {kind, days, asOf}: {readonly kind: CurveClass; readonly days: number; readonly asOf: string},
): object[] {
  const curve = curveOf(pensBetween(pens[kind], 0, days));
  if (curve === null) return [];
  const [lowest, highest] = weightRange(curve);
  const [b0, b1, b2 = 0, b3 = 0] = curve.coefficients;
  return [
    {
      ...{area_kind: kindOf(area), area, class: kind, window_end_date: asOf, window_days: days},
      ...{degree: curve.degree, b0, b1, b2, b3, grade_offset: curve.offset},
      ...{residual_spread: curve.residualSpread, weight_min_lb: lowest, weight_max_lb: highest},
      ...{pens: curve.pens.length, head_count: headOf(curve.pens)},
      venues: new Set(curve.pens.map(({sale}) => sale.venueId)).size,
    },
  ];
}

function kindOf(area: string): Indicator["area_kind"] {
  return area === nation ? "nation" : "state";
}
