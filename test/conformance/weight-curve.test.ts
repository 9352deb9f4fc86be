import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {type CurveFigure, curveFigure, type SalePen} from "../../lib/market/curve-figure.ts";
import {type CurveGrade, curvePrice, fitWeightCurve} from "../../lib/market/weight-curve.ts";
import {openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {yearPath} from "../../lib/storage/build-layout.ts";
import {marketStage} from "../../pipeline/parts/project-stages.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {type OraclePen, oracleFigure} from "../pipeline/market/recomputed/oracle-curve.ts";
import {temporaryFolder} from "../server/server-fixture.ts";
import {corpus} from "./corpus.ts";

/** A published row of Medium and Large 1 or 1-2 without comment. */
type Row = {
  readonly scope: "venue" | "state_summary";
  readonly state: string;
  readonly venue: string | null;
  readonly kind: string;
  readonly grade: CurveGrade;
  readonly issue: string;
  readonly begin: string;
  readonly end: string;
  readonly lb: number;
  readonly price: number;
  readonly head: number;
};

/** One weight of a week: ours beside the figure of the official rows, fitted by the same function. */
type Compared = {
  readonly state: string;
  readonly kind: string;
  readonly week: string;
  readonly lb: number;
  readonly ours: number;
  readonly official: number;
  readonly percent: number;
};

/** What a curve must rest on here: 5 pens and 100 head. */
const minimums = {pens: 5, head: 100, states: 1};
const weights = Array.from({length: 11}, (_, n) => 475 + 50 * n);
const asOf = process.env["MARKET_DAY"] ?? "2026-11-27";

describe.skipIf(corpus === null)(`weight curves of the corpus as of ${asOf}`, () => {
  const folder = temporaryFolder();
  let rows: readonly Row[];

  beforeAll(async () => {
    const files = (await listRawFiles(corpus ?? "")).filter(({kind}) => kind === "market");
    const outDir = join(folder.path, "build");
    await marketStage({
      files,
      outDir,
      asOf,
      previousDir: null,
      sample: false,
      tempDir: join(folder.path, "temp"),
    });
    rows = await publishedRows(join(outDir, yearPath("price_rows", "*")));
  }, 600_000);
  afterAll(() => folder.remove());

  it("agree with the official summary of the state and week: 2.5 % in the mean, 6 % at most, as an oracle finds too", () => {
    const found = weeksOf(rows).flatMap(compareWeek);
    process.stderr.write(`${found.map(lineOf).join("\n")}\n`);
    const off = found.map(({percent}) => Math.abs(percent));
    const mean = off.reduce((sum, each) => sum + each, 0) / off.length;
    process.stderr.write(
      `${found.length} weights: mean ${mean.toFixed(2)} %, worst ${Math.max(...off).toFixed(2)} %\n`,
    );
    expect(found.length).toBeGreaterThan(0);
    expect(mean).toBeLessThanOrEqual(2.5);
    expect(Math.max(...off)).toBeLessThanOrEqual(6);
  });

  it("predict a pen that is left out", () => {
    // One week in eight: a curve is fitted for each pen.
    const sales = [
      ...Map.groupBy(
        rows.filter(({scope, end}) => scope === "venue" && weekOf(end) % 8 === 0),
        ({state, kind, end}) => `${state} ${kind} ${weekOf(end)}`,
      ).values(),
    ];
    const tries = sales.flatMap((sale) => leftOut(sale.map((row) => penOf(row, row.end))));
    const bands = Map.groupBy(tries, ({pens}) =>
      pens < 8 ? "5-7" : pens < 12 ? "8-11" : pens < 20 ? "12-19" : "20 and more",
    );
    for (const [band, list] of bands) {
      const within = (share: number) =>
        Math.round((100 * list.filter(({off}) => off <= share).length) / list.length);
      process.stderr.write(
        `${band} pens: ${list.length} left out, ${within(0.025)} % within 2.5 %, ${within(0.05)} % within 5 %, ${within(0.1)} % within 10 %\n`,
      );
    }
    const close = tries.filter(({off}) => off <= 0.05).length / tries.length;
    expect(tries.length).toBeGreaterThan(1000);
    expect(close).toBeGreaterThan(0.6);
  });
});

async function publishedRows(path: string): Promise<Row[]> {
  using db = await openDatabase();
  return await db.rows<Row>(`
    SELECT report_scope AS scope, state, venue_id AS venue, class AS kind, muscle_grade AS grade, issue_id AS issue,
      report_begin_date::VARCHAR AS begin, report_end_date::VARCHAR AS end, avg_weight_lb::INTEGER AS lb, price_avg::DOUBLE AS price,
      head_count::INTEGER AS head
    FROM read_parquet(${sqlText(path)}, hive_partitioning = false)
    WHERE commodity = 'feeder_cattle' AND class IN ('steers', 'heifers') AND frame = 'medium_and_large' AND muscle_grade IN ('1', '1-2')
      AND price_unit = 'per_cwt' AND len(lot_descriptors) = 0 AND avg_weight_lb IS NOT NULL AND head_count > 0 AND state IS NOT NULL
      AND (report_scope = 'state_summary' OR report_scope = 'venue' AND venue_id IS NOT NULL AND report_program = 'voluntary')
    ORDER BY ALL`);
}

/** The rows of each official summary and class, with those of the state's venues in its period. */
function weeksOf(rows: readonly Row[]): {official: Row[]; venues: Row[]}[] {
  const summaries = Map.groupBy(
    rows.filter(({scope}) => scope === "state_summary"),
    ({issue, kind}) => `${issue} ${kind}`,
  );
  return [...summaries.values()].map((official) => {
    const [{state, kind, begin, end}] = official as [Row];
    const isIn = (row: Row) => row.state === state && row.kind === kind && row.end >= begin && row.end <= end;
    return {official, venues: rows.filter((row) => row.scope === "venue" && isIn(row))};
  });
}

function compareWeek({official, venues}: {official: Row[]; venues: Row[]}): Compared[] {
  const [{state, kind, end}] = official as [Row];
  return weights.flatMap((lb) => {
    const [stated, ours] = [official, venues].map((list) => figureOf(list, end, lb));
    if (stated!.price === null || ours!.price === null) return [];
    const percent = 100 * (ours!.price / stated!.price - 1);
    return [{state, kind, week: end, lb, ours: ours!.price, official: stated!.price, percent}];
  });
}

/** The figure, after the oracle has found the same. */
function figureOf(rows: readonly Row[], end: string, lb: number): CurveFigure {
  const figure = curveFigure(
    rows.map((row) => penOf(row, end)),
    {weightLb: lb, minimums},
  );
  const again = oracleFigure(
    rows.map((row) => oraclePen(row, end)),
    lb,
    minimums,
  );
  expect(again.reasons).toEqual(figure.reasons);
  if (figure.price !== null) expect(Math.abs(again.price! - figure.price)).toBeLessThan(0.001);
  return figure;
}

const dayOf = (date: string) => Date.parse(date) / 86_400_000;
const weekOf = (date: string) => Math.floor((dayOf(date) + 4) / 7);

function penOf({grade, lb, price, head, venue, issue, state, end}: Row, last: string): SalePen {
  const sale = {venueId: venue ?? issue, state, date: end};
  return {grade, weightLb: lb, price, head, ageDays: dayOf(last) - dayOf(end), sale};
}

function oraclePen({grade, lb, price, head, venue, issue, state, end}: Row, last: string): OraclePen {
  const place = venue ?? issue;
  return {
    grade,
    lb,
    price,
    head,
    age: dayOf(last) - dayOf(end),
    sale: `${place} ${end}`,
    venue: place,
    state,
  };
}

/** How far each pen of a week lies from the curve of the others, where that curve may be read at its weight. */
function leftOut(pens: readonly SalePen[]): {pens: number; off: number}[] {
  return pens.flatMap((pen, at) => {
    const others = pens.filter((_, n) => n !== at);
    const {reasons, curve} = curveFigure(others, {weightLb: pen.weightLb, grade: pen.grade, minimums});
    const price = curve === null || reasons.length > 0 ? null : curvePrice(curve, pen.weightLb, pen.grade);
    return price === null
      ? []
      : [{pens: fitWeightCurve(others, pen.grade)!.pens.length, off: Math.abs(pen.price / price - 1)}];
  });
}

function lineOf({state, kind, week, lb, ours, official, percent}: Compared): string {
  return [
    state,
    kind,
    week,
    `${lb} lb`,
    ours.toFixed(2),
    official.toFixed(2),
    `${percent.toFixed(2)} %`,
  ].join("\t");
}
