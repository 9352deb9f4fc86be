import {expect, test} from "vitest";
import {limitations} from "../../../lib/limitations.ts";
import {priceSummary} from "../../../server/market/price-summary.ts";
import type {MarketArtifacts} from "../../../server/tables/market-set.ts";

type Changes = {readonly record?: object; readonly sums?: object | null; readonly told?: object | null};

const unmatched = {terms: null, weight: null, cells: null};
const moved = (change: number) => ({terms: change * 1000, weight: 1000, cells: 1, pens: 2});

const record = {
  ...{commodity: "feeder_cattle", class: "steers", frame: "medium_and_large", muscle_grade: "1"},
  ...{quality_grade: null, dressing: null, age_class: null, pregnancy_stage: null, lot_descriptors: []},
  ...{county_fips: "20057", county_name: "Ford County", state: "KS", cell_id: "feeder-steers-ml1-0500"},
  ...{
    weight_bin: "500-549",
    price_unit: "per_cwt",
    price_low: 300,
    price_high: 341.5,
    head_count: 40,
    rows: 4,
  },
  ...{first_sale_date: "2026-11-18", last_sale_date: "2026-11-18"},
};
const sums = {weight: 20_000, cents: 20_000 * 32_000, week: unmatched, year: unmatched};
const told = {
  ...{entity_ids: ["venue:ks-b", "county:20057"], sources: ["mars"], change_status: "unchanged"},
  ...{ingested_at: "2026-11-19T04:00:00Z", last_verified_at: null},
  transformation: {method: "pounds_weighted_mean", version: "1.0.0", inputs: ["AMS-2"], parameters: {}},
  ...{limitations: [limitations.L02], contradictions: null},
};

/** A market with these records alone, a row each; `sums: null` leaves a row out of summaries, `told: null` takes its evidence away. */
function marketOf(rows: readonly Changes[]): MarketArtifacts {
  const evidenceOf = (row: number) => {
    const {told: own = {}} = rows[row]!;
    return own === null
      ? null
      : {text: JSON.stringify({...told, ...own}), sources: [], limitations: [], sourceDate: null};
  };
  return {
    counties: {
      record: (row: number) => JSON.stringify({...record, ...rows[row]!.record}),
      sums: (row: number) => (rows[row]!.sums === null ? null : {...sums, ...rows[row]!.sums}),
      evidenceId: (row: number) => `pc-${row}`,
    },
    evidence: (id: string) => evidenceOf(Number(id.slice("pc-".length))),
    sourceEntries: (ids: readonly string[]) =>
      ids.map((id) => JSON.stringify({id, citationBoundary: `Cite ${id}.`})),
  } as unknown as MarketArtifacts;
}

type Question = {classes?: readonly string[]; weight?: number; miles?: number | null; radius?: number};

function summaryOf(rows: readonly Changes[], question: Question = {classes: ["steers"], weight: 520}) {
  const {classes, weight, miles = null, radius = null} = question;
  const found = priceSummary(
    marketOf(rows),
    {asOf: "2026-11-20", sample: false},
    {
      rows: () => rows.map((_, row) => ({key: {row} as never, miles})),
      ...{classes, weight, place: {id: "KS", words: "in Kansas", radiusMiles: radius}},
    },
  );
  const [evidence] = found.evidence.map(({text}) => JSON.parse(text));
  return {...found.extra, own: found.evidence, evidence, sentence: found.extra.summary?.sentence};
}

test("one price is told in a sentence, which is the claim of its own evidence", () => {
  const {summary, sentence, evidence, own} = summaryOf([{}], {classes: ["steers"], weight: 520, miles: 12.3});
  expect(sentence).toBe(
    "500-549 lb steers, Medium and Large 1, averaged 320.00 USD per cwt in Kansas in the week to 2026-11-18 " +
      "(40 head at 1 venue, 300.00 to 341.50).",
  );
  expect(summary).toMatchObject({price_avg: 320, evidence_id: "cs-KS-steers-500-549", nearest_mi: 12.3});
  expect(evidence).toMatchObject({
    ...{evidence_id: "cs-KS-steers-500-549", claim: sentence, source_date: "2026-11-18"},
    ...{entity_ids: ["county:20057", "venue:ks-b"], sources: ["derived-aggregates", "mars"]},
    ...{ingested_at: "2026-11-19T04:00:00Z", last_verified_at: null, contradictions: null},
    legal_boundary: "Cite mars. Cite derived-aggregates.",
    transformation: {
      ...{method: "pounds_weighted_mean", inputs: ["AMS-2"]},
      parameters: {radius_mi: null, cells: ["feeder-steers-ml1-0500"]},
    },
    // 1 x sqrt(40 / 100) x 0.9 x 0.9
    confidence: {level: "medium", score: 0.5123},
    ...{
      limitations: [limitations.L02, limitations.L22],
      change_status: "unchanged",
      actionability: "compare",
    },
  });
  expect(own).toMatchObject([
    {sources: evidence.sources, limitations: evidence.limitations, sourceDate: "2026-11-18"},
  ]);
});

test.each([
  ["nothing without a class", [{}], {weight: 520}, {}],
  ["nothing without a weight", [{}], {classes: ["steers"]}, {}],
  [
    "why not, with two classes",
    [{}],
    {classes: ["steers", "heifers"], weight: 520},
    {summary: null, summary_reason: expect.stringMatching(/one class at a time: steers and heifers/)},
  ],
  [
    "why not, without plain pens or their evidence",
    [{sums: null}, {told: null}],
    {classes: ["steers"], weight: 520},
    {summary: null, summary_reason: expect.stringMatching(/fewer than 10 head/)},
  ],
])("a question is told %s", (_, rows: Changes[], question: Question, extra) => {
  const {summary, summary_reason, own} = summaryOf(rows, question);
  expect({summary, summary_reason}).toEqual({summary: undefined, summary_reason: undefined, ...extra});
  expect(own).toEqual([]);
});

test("pens that have no part in summaries, or no evidence, do not change the price", () => {
  const dear = {cents: 20_000 * 99_000};
  const {summary} = summaryOf([{}, {sums: null}, {sums: dear, told: null}]);
  expect(summary).toMatchObject({price_avg: 320, head_count: 40});
});

test.each([
  ["2026-11-18", "the week to"],
  ["2026-11-12", "the week to"],
  ["2026-11-11", "the two weeks to"],
  ["2026-11-04", "the three weeks to"],
  ["2026-10-28", "the four weeks to"],
  ["2026-10-21", "the five weeks to"],
])("sales from %s to 2026-11-18 are of %s that day", (first_sale_date, words) => {
  expect(summaryOf([{record: {first_sale_date}}]).sentence).toContain(` in ${words} 2026-11-18 (`);
});

test.each([
  [{}, "Medium and Large 1"],
  [{muscle_grade: "1-2"}, "Medium and Large 1-2"],
  [{frame: "small", muscle_grade: null}, "Small"],
  [{frame: null, muscle_grade: "2"}, "2"],
  [{frame: null, muscle_grade: null}, "no stated grade"],
])("the grade of %j is %s", (grade, words) => {
  expect(summaryOf([{record: grade}]).sentence).toContain(` steers, ${words}, averaged `);
});

test("two grades of one price are told lowest first, however many head each has, and no others", () => {
  const rows = [
    {record: {muscle_grade: "1-2", head_count: 90}},
    {record: {head_count: 10}},
    {record: {muscle_grade: "2", head_count: 500}},
  ];
  expect(summaryOf(rows).sentence).toContain("steers, Medium and Large 1 and 1-2, averaged");
});

test.each([
  [{}, {head_count: 1234}, "(1,234 head at 1 venue,"],
  [{entity_ids: ["venue:a", "county:20057", "venue:b"]}, {}, "(40 head at 2 venues,"],
  [{entity_ids: ["venue:a", "venue:a"]}, {price_unit: "per_pair", head_count: 1}, "(1 pair at 1 venue,"],
  [{}, {price_unit: "per_pair", class: "cow_calf_pairs"}, "500-549 lb cow calf pairs, "],
])("cattle are counted in words: %j %j", (own, changes, words) => {
  expect(summaryOf([{told: own, record: changes}]).sentence).toContain(words);
});

test.each([
  [unmatched, unmatched, ").", "; too few like cattle were sold a week or a year earlier to tell a change."],
  [
    moved(1.5),
    unmatched,
    "), 1.50 higher than a week earlier.",
    "; too few like cattle were sold a year earlier",
  ],
  [
    unmatched,
    moved(-2),
    "), 2.00 lower than a year earlier.",
    "; too few like cattle were sold a week earlier",
  ],
  [
    moved(0),
    moved(30),
    "), unchanged from a week earlier and 30.00 higher than a year earlier.",
    "own cattle.",
  ],
])("a change of week %j and year %j is told, and a missing one as well", (week, year, ending, rest) => {
  const {sentence, evidence} = summaryOf([{sums: {week, year}}]);
  expect(sentence!.slice(sentence!.indexOf(")"))).toBe(ending);
  expect(evidence.operational_implication).toContain(rest);
});

test("a reader is sent to the county with the most head, the first of equal ones", () => {
  const of = (county_fips: string, head_count: number, last_sale_date = "2026-11-18") => ({
    record: {...{county_fips, head_count, last_sale_date}, county_name: `${county_fips} County`},
  });
  const start = (rows: Changes[]) => summaryOf(rows).evidence.operational_implication.split(":")[0];
  const day = (rows: Changes[]) =>
    /rows of (\S+)/.exec(summaryOf(rows).evidence.operational_implication)?.[1];
  const rows = [of("20055", 30), of("20057", 20, "2026-11-11"), of("20055", 1), of("20057", 15)];
  // 35 of 66 head
  expect(start(rows)).toBe("53 % of these head were sold in 20057 County, KS");
  expect(day(rows)).toBe("2026-11-11");
  expect(start([of("20055", 20), of("20057", 20)])).toBe("50 % of these head were sold in 20055 County, KS");
});

test("the evidence joins that of its pens, without doubles and in order", () => {
  const conflict = {
    ...{kind: "same_cell_price", field: "price_avg", resolution: "newer", difference: 1, tolerance: 2},
    ...{a: {source: "mars", ref: "x", value: 1}, b: {source: "nass-quickstats", ref: "y", value: 2}},
  };
  const {evidence} = summaryOf(
    [
      {told: {limitations: [limitations.L21]}},
      {
        record: {cell_id: "another", last_sale_date: "2026-11-19"},
        told: {
          ...{sources: ["nass-quickstats", "mars"], entity_ids: ["venue:ks-a"], contradictions: [conflict]},
          ...{ingested_at: "2026-11-20T04:00:00Z", last_verified_at: "2026-11-20T05:00:00Z"},
          transformation: {...told.transformation, inputs: ["AMS-3", "AMS-1", "AMS-2"]},
        },
      },
    ],
    {classes: ["steers"], weight: 520, radius: 150},
  );
  expect(evidence).toMatchObject({
    ...{source_date: "2026-11-19", entity_ids: ["county:20057", "venue:ks-a", "venue:ks-b"]},
    sources: ["derived-aggregates", "mars", "nass-quickstats"],
    ...{ingested_at: "2026-11-20T04:00:00Z", last_verified_at: "2026-11-20T05:00:00Z"},
    transformation: {
      inputs: ["AMS-1", "AMS-2", "AMS-3"],
      parameters: {radius_mi: 150, cells: ["another", "feeder-steers-ml1-0500"]},
    },
    limitations: [limitations.L17, limitations.L21, limitations.L02, limitations.L22],
    contradictions: [conflict],
    // Two venues cover a county; a settled conflict within twice its tolerance.
    confidence: {factors: {recency: 1, volume: 0.8944, coverage: 1, agreement: 0.7}},
  });
  expect(summaryOf([{}, {told: {contradictions: []}}]).evidence.contradictions).toEqual([]);
});

test.each([
  ["per_cwt", "pounds_weighted_mean"],
  ["per_head", "head_weighted_mean"],
  ["per_pair", "head_weighted_mean"],
])("a price %s is a %s", (price_unit, method) => {
  expect(summaryOf([{record: {price_unit}}]).evidence.transformation.method).toBe(method);
});

test.each([
  [["unchanged", "stale", "new", "revised"], "revised"],
  [["unchanged", "stale", "new"], "new"],
  [["unchanged", "stale"], "stale"],
  [["unchanged", "unchanged"], "unchanged"],
])("a summary of pens that are %j is %s", (statuses, status) => {
  const rows = statuses.map((change_status) => ({told: {change_status}}));
  expect(summaryOf(rows).evidence.change_status).toBe(status);
});
