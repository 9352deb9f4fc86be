import type {TestServer} from "../../../server/server-fixture.ts";
import type {Named} from "./figures.ts";
import {type OraclePen, oracleFigure, oracleOfWindows} from "./oracle-curve.ts";
import {isUntested} from "./pools.ts";
import {cellOf, milesSql, type Published} from "./published.ts";

/** A cent, and what rounding adds: the two solutions differ in their last digits. */
const tolerance = 0.011;

/**
 * Asks each question and reports summaries that differ from the curve of section 7.1, solved again from the published rows: figure,
 * window, pens, reasons, grades and changes.
 */
export async function wrongSummaries(published: Published, server: TestServer, questions: readonly string[]) {
  const wrong: string[] = [];
  let compared = 0;
  for (const question of questions) {
    const answer = (await server.get(`${question}&limit=500`)).json();
    const expected = await expectedSummary(published, new URLSearchParams(question.split("?")[1]));
    const found = answer["summary"] as Named | null;
    for (const [name, value] of Object.entries(expected ?? {})) {
      const given = memberOf(found, name);
      if (!isSame(given, value))
        wrong.push(`${question}: ${name} ${JSON.stringify(given)}, expected ${JSON.stringify(value)}`);
    }
    if (expected === null && found !== null) wrong.push(...(await wrongMean(published, question, found)));
    if (found === null || found["price_avg"] === null) continue;
    compared += 1;
    wrong.push(...sentenceFaults(question, found));
    const own = (answer["evidence"] as Named[]).find((item) => item["evidence_id"] === found["evidence_id"]);
    if (own?.["claim"] !== found["sentence"])
      wrong.push(`${question}: the sentence is not the claim of its evidence`);
  }
  return {wrong, compared};
}

/** A member of a summary; the pens of its curve, and those of each grade near the weight, by a name of their own. */
function memberOf(found: Named | null, name: string): unknown {
  if (name === "pens") return (found?.["fit"] as Named | null)?.["pens"] ?? 0;
  if (name === "grades_near")
    return (found?.["by_grade"] as Named[] | undefined)?.map(({muscle_grade, pens_near}) => ({
      muscle_grade,
      pens_near,
    }));
  return found?.[name];
}

/** The figure of a cell of other cattle, averaged again over the published rows of its 14 days, 3 pens, 20 head and 2 sales at least. */
async function wrongMean(published: Published, question: string, found: Named): Promise<string[]> {
  const asked = new URLSearchParams(question.split("?")[1]);
  const [row] = await published.db.rows<{pens: number; head: number; sales: number; price: number}>(
    `SELECT count(*)::INTEGER AS pens, sum(h)::INTEGER AS head, count(DISTINCT venue_id || report_end_date)::INTEGER AS sales,
      (CASE WHEN any_value(price_unit) = 'per_cwt' THEN sum(h * w * price_avg) / sum(h * w) ELSE sum(h * price_avg) / sum(h) END)::DOUBLE AS price
    FROM r WHERE cell = $cell AND usable AND NOT outlier AND age BETWEEN 0 AND 14 AND report_scope = 'venue' AND report_program = 'voluntary' AND ${areaSql(asked)}`,
    {cell: cellOf({...found, lot_descriptors: []})},
  );
  const {pens, head, sales, price} = row!;
  const isEnough = pens >= 3 && (head ?? 0) >= (found["price_unit"] === "per_pair" ? 10 : 20) && sales >= 2;
  return isSame(found["price_avg"], isEnough ? price : null) && found["pens"] === pens
    ? []
    : [
        `${question}: mean ${found["price_avg"]} of ${found["pens"]} pens, expected ${isEnough ? price : null} of ${pens}`,
      ];
}

function isSame(given: unknown, value: unknown): boolean {
  if (typeof given === "number" && typeof value === "number") return Math.abs(given - value) <= tolerance;
  if (isRecord(given) && isRecord(value))
    return (
      Object.keys(given).length === Object.keys(value).length &&
      Object.entries(value).every(([name, each]) => isSame(given[name], each))
    );
  return JSON.stringify(given) === JSON.stringify(value);
}

function isRecord(value: unknown): value is Named {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What the pens of grade 1 within 25 lb of a weight brought; null without one. */
function pensAtWeight(pens: readonly Pen[], weight: number): Named | null {
  const at = pens.filter(({grade, lb}) => grade === "1" && lb >= weight - 25 && lb <= weight + 25);
  const sum = (of: (pen: Pen) => number) => at.reduce((total, pen) => total + of(pen), 0);
  const [head, pounds] = [sum((pen) => pen.head), sum(({head, lb}) => head * lb)];
  if (at.length === 0) return null;
  const prices = at.map(({price}) => price).sort((a, b) => a - b);
  return {
    ...{pens: at.length, head_count: head, avg_weight_lb: Math.round(pounds / head)},
    price_avg: sum(({head, lb, price}) => head * lb * price) / pounds,
    ...{price_low: prices[0], price_high: prices.at(-1)},
  };
}

async function expectedSummary(published: Published, asked: URLSearchParams): Promise<Named | null> {
  const [kind, lb] = [asked.get("class"), Number(asked.get("weight"))];
  if ((kind !== "steers" && kind !== "heifers") || !(asked.has("zip") || asked.has("state"))) return null;
  const pens = await pensOf(published, asked);
  const within = (from: number, to: number, of = pens) => of.filter(({age}) => age >= from && age <= to);
  const tested = await testedOf(published, String(kind), pens);
  const windows = [7, 14, 21];
  const figure = oracleOfWindows(
    windows.map((days) => within(0, days)),
    lb,
  );
  const chosen = {...figure, days: windows[figure.window]!};
  const moved = (from: number) => {
    const [now, then] = [
      within(0, chosen.days, tested),
      within(from, from === 364 ? 364 + chosen.days : 2 * chosen.days, tested),
    ];
    if (chosen.price === null) return {from: null, to: null};
    const both = now.map(({venue}) => venue).filter((venue) => then.some((pen) => pen.venue === venue));
    const [to, earlier] = [now, then].map(
      (each) =>
        oracleFigure(
          each.filter(({venue}) => both.includes(venue)),
          lb,
        ).price,
    );
    return to === null || earlier === null ? {from: null, to: null} : {from: earlier, to};
  };
  const week = chosen.days === 21 ? {from: null, to: null} : moved(chosen.days + 1);
  const year = moved(364);
  return {
    price_avg: chosen.price,
    window_days: chosen.days,
    reasons: chosen.reasons,
    pens_at_weight: pensAtWeight(within(0, chosen.days), lb),
    grades_near: ["1", "1-2"].flatMap((muscle_grade) => {
      const ofGrade = within(0, chosen.days).filter(({grade}) => grade === muscle_grade);
      const pens_near = ofGrade.filter((pen) => Math.abs(pen.lb - lb) <= 150).length;
      return ofGrade.length === 0 ? [] : [{muscle_grade, pens_near}];
    }),
    ...(chosen.spread === null ? {} : {pens: chosen.pens.length}),
    head_count: chosen.spread === null ? chosen.head : chosen.pens.reduce((sum, {head}) => sum + head, 0),
    ...{change_from: week.from, change_to: week.to, change_year_from: year.from, change_year_to: year.to},
  };
}

/** SQL condition: rows of venues of the question's area. */
function areaSql(asked: URLSearchParams): string {
  const [zip, state, radius] = [asked.get("zip"), asked.get("state"), asked.get("radius") ?? "150"];
  const near = `venue_id IN (SELECT venue_id FROM barns AS b, zip_points AS z WHERE z.key = '${zip}'
    AND location_basis IN ('yard', 'city_centroid') AND round(${milesSql("z", "b")}, 1) <= ${radius})`;
  return `${zip === null ? "true" : near} AND ${state === null ? "true" : `state = '${state}'`}`;
}

type Pen = OraclePen & {issue: string};

/** The pens without those that their reporters call not tested. */
async function testedOf(published: Published, kind: string, pens: readonly Pen[]): Promise<Pen[]> {
  const said = await published.db.rows<{issue: string}>(
    "SELECT DISTINCT issue_id AS issue FROM reporter_trends WHERE direction = 'not_tested'",
  );
  const issues = new Set(said.map(({issue}) => issue));
  const known = new Map<string, boolean>();
  for (const {issue, grade, lb} of pens) {
    const key = [issue, grade, lb].join(" ");
    if (known.has(key)) continue;
    const record = {class: kind, commodity: "feeder_cattle", muscle_grade: grade, weight_bin: `${lb}-${lb}`};
    known.set(key, issues.has(issue) && (await isUntested(published, record, [issue])));
  }
  return pens.filter(({issue, grade, lb}) => !known.get([issue, grade, lb].join(" ")));
}

/** The pens of the question's area, of this year and of the year before. */
async function pensOf(published: Published, asked: URLSearchParams): Promise<Pen[]> {
  return await published.db.rows<Pen>(
    `SELECT issue_id AS issue, muscle_grade AS grade, avg_weight_lb::INTEGER AS lb, price_avg::DOUBLE AS price, h::INTEGER AS head, age::INTEGER AS age,
      venue_id || report_end_date AS sale, venue_id AS venue, state
    FROM r WHERE class = $kind AND commodity = 'feeder_cattle' AND frame = 'medium_and_large' AND muscle_grade IN ('1', '1-2')
      AND price_unit = 'per_cwt' AND len(lot_descriptors) = 0 AND report_scope = 'venue' AND report_program = 'voluntary'
      AND venue_id IS NOT NULL AND usable AND NOT outlier AND avg_weight_lb IS NOT NULL AND age BETWEEN 0 AND 400
      AND ${areaSql(asked)} ORDER BY number`,
    {kind: asked.get("class")},
  );
}

/** Checks that every number of the sentence comes from a member of the summary or from the question. */
function sentenceFaults(question: string, {sentence, ...members}: Named): string[] {
  const values = new Set(
    (JSON.stringify([members, question, 150, 25]).match(/\d+(\.\d+)?/g) ?? []).map(Number),
  );
  const told =
    String(sentence)
      .replaceAll(/(\d),(\d{3})/g, "$1$2")
      .match(/\d+(\.\d+)?/g) ?? [];
  // The offset of grade 1-2 and the shift to another window's level are told with one decimal.
  const percents = ["grade_offset_pct", "level_shift_pct"].map((name) =>
    Math.abs(Number(members[name])).toFixed(1),
  );
  return told
    .filter((number) => !values.has(Number(number)) && !["1", "2", ...percents].includes(number))
    .map((number) => `${question}: ${number} of the sentence is in no figure: ${sentence}`);
}
