import type {TestServer} from "../../../server/server-fixture.ts";
import type {Named} from "./figures.ts";
import {type OraclePen, oracleFigure} from "./oracle-curve.ts";
import {milesSql, type Published} from "./published.ts";

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
      const given = name === "pens" ? ((found?.["fit"] as Named | null)?.["pens"] ?? 0) : found?.[name];
      if (!isSame(given, value))
        wrong.push(`${question}: ${name} ${JSON.stringify(given)}, expected ${JSON.stringify(value)}`);
    }
    if (expected === null && found !== null) wrong.push(`${question}: a summary of cattle that have none`);
    if (found === null || found["price_avg"] === null) continue;
    compared += 1;
    wrong.push(...sentenceFaults(question, found));
    const own = (answer["evidence"] as Named[]).find((item) => item["evidence_id"] === found["evidence_id"]);
    if (own?.["claim"] !== found["sentence"])
      wrong.push(`${question}: the sentence is not the claim of its evidence`);
  }
  return {wrong, compared};
}

function isSame(given: unknown, value: unknown): boolean {
  if (typeof given === "number" && typeof value === "number") return Math.abs(given - value) <= tolerance;
  return JSON.stringify(given) === JSON.stringify(value);
}

async function expectedSummary(published: Published, asked: URLSearchParams): Promise<Named | null> {
  const [kind, lb] = [asked.get("class"), Number(asked.get("weight"))];
  if ((kind !== "steers" && kind !== "heifers") || !(asked.has("zip") || asked.has("state"))) return null;
  const pens = await pensOf(published, asked);
  const within = (from: number, to: number) => pens.filter(({age}) => age >= from && age <= to);
  const windows = [7, 14, 21].map((days) => ({days, ...oracleFigure(within(0, days), lb)}));
  const chosen = windows.find(({price}) => price !== null) ?? windows.at(-1)!;
  const moved = (from: number) => {
    const [now, then] = [
      within(0, chosen.days),
      within(from, from === 364 ? 364 + chosen.days : 2 * chosen.days),
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
    ...(chosen.spread === null ? {} : {pens: chosen.pens.length}),
    head_count: chosen.spread === null ? chosen.head : chosen.pens.reduce((sum, {head}) => sum + head, 0),
    ...{change_from: week.from, change_to: week.to, change_year_from: year.from, change_year_to: year.to},
  };
}

/** The pens of the question's area, of this year and of the year before. */
async function pensOf(published: Published, asked: URLSearchParams): Promise<OraclePen[]> {
  const [zip, state, radius] = [asked.get("zip"), asked.get("state"), asked.get("radius") ?? "150"];
  const near = `venue_id IN (SELECT venue_id FROM barns AS b, zip_points AS z WHERE z.key = '${zip}'
    AND location_basis IN ('yard', 'city_centroid') AND round(${milesSql("z", "b")}, 1) <= ${radius})`;
  return await published.db.rows<OraclePen>(
    `SELECT muscle_grade AS grade, avg_weight_lb::INTEGER AS lb, price_avg::DOUBLE AS price, h::INTEGER AS head, age::INTEGER AS age,
      venue_id || report_end_date AS sale, venue_id AS venue, state
    FROM r WHERE class = $kind AND commodity = 'feeder_cattle' AND frame = 'medium_and_large' AND muscle_grade IN ('1', '1-2')
      AND price_unit = 'per_cwt' AND len(lot_descriptors) = 0 AND report_scope = 'venue' AND report_program = 'voluntary'
      AND venue_id IS NOT NULL AND usable AND NOT outlier AND avg_weight_lb IS NOT NULL AND age BETWEEN 0 AND 400
      AND ${zip === null ? "true" : near} AND ${state === null ? "true" : `state = '${state}'`} ORDER BY number`,
    {kind: asked.get("class")},
  );
}

/** Checks that every number of the sentence comes from a member of the summary or from the question. */
function sentenceFaults(question: string, {sentence, ...members}: Named): string[] {
  const values = new Set((JSON.stringify([members, question, 150]).match(/\d+(\.\d+)?/g) ?? []).map(Number));
  const told =
    String(sentence)
      .replaceAll(/(\d),(\d{3})/g, "$1$2")
      .match(/\d+(\.\d+)?/g) ?? [];
  // The offset of grade 1-2 is told with one decimal.
  const offset = Math.abs(Number(members["grade_offset_pct"])).toFixed(1);
  return told
    .filter((number) => !values.has(Number(number)) && !["1", "2", offset].includes(number))
    .map((number) => `${question}: ${number} of the sentence is in no figure: ${sentence}`);
}
