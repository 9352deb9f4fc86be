import type {TestServer} from "../../../server/server-fixture.ts";
import {type Named, rounded} from "./figures.ts";
import {changesOf, type Matches, matchesOf, pensOf, windowPool} from "./pools.ts";
import {cellOf, type Published} from "./published.ts";

/** One cell of a county with its exact sums, from the rows that were published. */
type Cell = {
  record: Named;
  pounds: number;
  money: number;
  head: number;
  low: number;
  high: number;
  first: string;
  last: string;
  venues: string[];
  matches: Matches;
};

/**
 * Asks each question and reports summaries that differ from the rule of section 9 applied to their records and the published
 * rows.
 */
export async function wrongSummaries(published: Published, server: TestServer, questions: readonly string[]) {
  const wrong: string[] = [];
  let compared = 0;
  for (const question of questions) {
    const answer = (await server.get(`${question}&limit=500`)).json();
    const expected = await summaryOf(published, answer.records);
    const {sentence, evidence_id, price_unit, weight_bin, ...summary} = (answer["summary"] ?? {}) as Named;
    const found = answer["summary"] === null ? null : summary;
    if (JSON.stringify(found) !== JSON.stringify(expected))
      wrong.push(`${question}: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
    if (expected !== null) {
      compared += 1;
      wrong.push(...sentenceFaults(question, {sentence: String(sentence), expected, answer}));
      const own = (answer["evidence"] as Named[]).find((item) => item["evidence_id"] === evidence_id);
      if (own?.["claim"] !== sentence)
        wrong.push(`${question}: the sentence is not the claim of its evidence`);
    }
  }
  return {wrong, compared};
}

async function summaryOf(published: Published, records: readonly Named[]): Promise<Named | null> {
  const plain = records.filter(
    (record) =>
      record["price_basis"] === "observed_in_county" &&
      record["thin"] === false &&
      (record["lot_descriptors"] as string[]).length === 0,
  );
  const cells: Cell[] = [];
  for (const record of plain) cells.push(await cellFrom(published, record));
  const chosen = chosenFrom(cells);
  if (chosen.length === 0) return null;
  const all = <Key extends keyof Cell>(key: Key) => chosen.map((cell) => cell[key]);
  const moved = changesOf({week: sureMatches(chosen, "week"), year: sureMatches(chosen, "year")});
  const miles = chosen.flatMap(({record}) => (record["distance_mi"] as number | null) ?? []);
  return {
    price_avg: mean(chosen),
    price_low: Math.min(...all("low")),
    price_high: Math.max(...all("high")),
    head_count: total(all("head")),
    venues: new Set(all("venues").flat()).size,
    counties: new Set(chosen.map(({record}) => record["county_fips"])).size,
    nearest_mi: miles.length === 0 ? null : Math.min(...miles),
    farthest_mi: miles.length === 0 ? null : Math.max(...miles),
    first_sale_date: all("first").sort()[0],
    last_sale_date: all("last").sort().at(-1),
    change_week: rounded(moved.change_week, 2),
    change_year: rounded(moved.change_year, 2),
    matched_cells: moved.matched_cells,
    by_grade: gradesFrom(cells, chosen),
  };
}

/**
 * The matches of cells that were also sold then; none if these are a single pen or fewer than 10 head, for which no change is
 * stated.
 */
function sureMatches(cells: readonly Cell[], back: keyof Matches): Matches[typeof back] {
  const matched = cells.filter(({matches}) => matches[back].length > 0);
  const found = matched.flatMap(({matches}) => matches[back]);
  return total(matched.map(({head}) => head)) >= 10 && pensOf(found) >= 2 ? found : [];
}

/** The county's pool over the record's own window, as exact integer sums of cents. */
async function cellFrom(published: Published, record: Named): Promise<Cell> {
  const county = `venue_id IN (SELECT venue_id FROM barns WHERE county_fips = '${record["county_fips"]}')`;
  const {where, venues} = await windowPool(published, record, county);
  const [row] = await published.db.rows<Omit<Cell, "record" | "venues" | "matches">>(
    `SELECT sum(h * CASE WHEN price_unit = 'per_cwt' THEN w ELSE 1 END)::DOUBLE AS pounds,
      sum(h * CASE WHEN price_unit = 'per_cwt' THEN w ELSE 1 END * (price_avg * 100)::HUGEINT)::DOUBLE AS money,
      sum(h)::INTEGER AS head, min(coalesce(price_min, price_avg))::DOUBLE AS low,
      max(coalesce(price_max, price_avg))::DOUBLE AS high, min(report_end_date)::VARCHAR AS first, max(report_end_date)::VARCHAR AS last
    FROM r WHERE cell = $cell AND usable AND NOT outlier AND (${where})`,
    {cell: cellOf(record)},
  );
  const markets = venues.map((id) => ({column: "venue_id" as const, id}));
  return {...row!, record, venues, matches: await matchesOf(published, record, markets)};
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const grade = ({record}: Cell) => `${record["frame"]} ${record["muscle_grade"]}`;
const rest = ({record}: Cell) =>
  ["commodity", "price_unit", "quality_grade", "dressing", "age_class", "pregnancy_stage"]
    .map((name) => record[name])
    .join();
const isBest = (cell: Cell) => /^medium_and_large 1(-2)?$/.test(grade(cell));

function mean(cells: readonly Cell[]): number | null {
  return rounded(total(cells.map(({money}) => money)) / total(cells.map(({pounds}) => pounds)) / 100, 2);
}

/** Medium and Large 1 with 1-2 if there are any, else the grade with the most head; never two units or two kinds. */
function chosenFrom(cells: readonly Cell[]): Cell[] {
  const best = cells.filter(isBest);
  const of = best.length > 0 ? best : cells;
  const sets = Object.values(Object.groupBy(of, (cell) => rest(cell) + (best.length > 0 ? "" : grade(cell))));
  const head = (set: Cell[] | undefined) => total((set ?? []).map((cell) => cell.head));
  return sets.toSorted((a, b) => head(b) - head(a))[0] ?? [];
}

function gradesFrom(cells: readonly Cell[], chosen: readonly Cell[]): Named[] {
  const like = cells.filter((cell) => rest(cell) === rest(chosen[0]!));
  const named = Object.entries(Object.groupBy(like, grade)).sort(([a], [b]) => (a < b ? -1 : 1));
  const grades = named.map(([, same = []]) => ({
    frame: same[0]!.record["frame"],
    muscle_grade: same[0]!.record["muscle_grade"],
    price_avg: mean(same),
    head_count: total(same.map(({head}) => head)),
    pooled: same.every((cell) => chosen.includes(cell)),
  }));
  return grades.sort((a, b) => Number(b.pooled) - Number(a.pooled) || b.head_count - a.head_count);
}

/**
 * Checks that every number of the sentence comes from the summary, its weight class or the question, and that so many weeks
 * hold its sales.
 */
function sentenceFaults(
  question: string,
  {sentence, expected, answer}: {sentence: string; expected: Named; answer: Named},
) {
  const known = JSON.stringify([expected, answer["summary"], question, 150]).match(/\d+(\.\d+)?/g) ?? [];
  const values = new Set(known.map(Number));
  const told = sentence.replaceAll(/(\d),(\d{3})/g, "$1$2").match(/\d+(\.\d+)?/g) ?? [];
  const [first, last] = [expected["first_sale_date"], expected["last_sale_date"]].map(String);
  const weeks = Math.ceil((Date.parse(last!) - Date.parse(first!) + 86_400_000) / (7 * 86_400_000));
  const words = `in the ${["", "week", "two weeks", "three weeks", "four weeks", "five weeks"][weeks]} to ${last} `;
  return told
    .filter((number) => !values.has(Number(number)) && number !== "1" && number !== "2")
    .map((number) => `${question}: ${number} of the sentence is in no figure: ${sentence}`)
    .concat(sentence.includes(words) ? [] : [`${question}: not "${words}": ${sentence}`]);
}
