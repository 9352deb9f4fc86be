import {expect, test} from "vitest";
import {addDays} from "../../../lib/dates.ts";
import {limitations} from "../../../lib/limitations.ts";
import type {IssueSale} from "../../../lib/market/curve-evidence.ts";
import type {AreaPen} from "../../../lib/market/curve-summary.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import type {CellSummary, PriceSummary} from "../../../schemas/market-answer.ts";
import {areaOfState, priceSummary} from "../../../server/market/price-summary.ts";
import type {CellPen, OtherCell} from "../../../server/tables/area-pens.ts";
import type {MarketArtifacts} from "../../../server/tables/market-set.ts";

type Triple = readonly [head: number, lb: number, price: number];
type Facts = Partial<IssueSale> & {readonly grade?: "1" | "1-2"; readonly ageDays?: number};

function pensOf(triples: readonly Triple[], {grade = "1", ageDays = 3, ...facts}: Facts = {}) {
  const sale = {
    ...{
      venueId: "ks-a",
      venueName: "Yard A",
      place: "Alpha, KS",
      state: "KS",
      countyFips: "20057",
      miles: null,
    },
    ...{date: "2026-11-18", issueId: "ams-1@2026-11-18", sourceId: "mars", isNew: false, preliminary: false},
    ...{ingestedAt: "2026-11-19T04:00:00Z", verifiedAt: null},
    ...facts,
  };
  return triples.map(
    ([head, weightLb, price]): AreaPen<IssueSale> => ({grade, weightLb, price, head, ageDays, sale}),
  );
}

const yardB = {
  venueId: "ks-b",
  venueName: "Yard B",
  place: "Beta, KS",
  countyFips: "20055",
  issueId: "ams-2@2026-11-19",
  date: "2026-11-19",
  ageDays: 2,
};
const prices: Triple[] = [
  [40, 500, 420],
  [40, 525, 410],
  [40, 550, 400],
  [40, 575, 391],
  [40, 600, 382],
];
const higher = (by: number) => prices.map(([head, lb, price]): Triple => [head, lb, price + by]);
/** At 550 lb, the middle of five equal pens, a line in logarithms has the geometric mean of their prices. */
const middle = (by = 0) =>
  roundHalfAway(
    Math.exp(higher(by).reduce((sum, [, , price]) => sum + Math.log(price), 0) / prices.length),
    2,
  );
const twoYards = [...pensOf(prices), ...pensOf(prices, yardB)];

type Market = {
  readonly cells?: readonly {cell: OtherCell; pens: readonly CellPen<IssueSale>[]}[];
  readonly steers?: readonly AreaPen<IssueSale>[];
  readonly heifers?: readonly AreaPen<IssueSale>[];
  readonly official?: readonly AreaPen<IssueSale>[];
  readonly barns?: readonly {
    state: string;
    countyFips: string | null;
    point: null;
    lastSaleDate: string | null;
  }[];
  /** The period of the official summary of Kansas, which has these cattle at 395.00. */
  readonly week?: {readonly begin: string; readonly end: string; readonly cell?: string};
};

function marketOf({
  steers = twoYards,
  heifers = [],
  official = [],
  cells = [],
  barns = [],
  week,
}: Market): MarketArtifacts {
  const cellId = week?.cell ?? "feeder-steers-ml1-0550-0599-cwt";
  const record = {price_avg: 395, head_count: 60, week_begin_date: week?.begin, week_end_date: week?.end};
  const claim = {evidence_id: "sp-KS", claim: "The official Kansas summary reports 395.00."};
  return {
    states: {
      keys:
        week === undefined
          ? []
          : [
              {
                row: 0,
                state: "KS",
                cellId,
                reportSlug: "ams-9",
                binLow: null,
                commodity: "slaughter_cattle",
                class: "cows",
              },
            ],
      record: () => JSON.stringify({...boner, ...record, cell_id: cellId, report_slug: "ams-9"}),
      evidenceId: () => "sp-KS",
    },
    barns: {keys: barns},
    evidence: () => ({sources: [], limitations: [], sourceDate: week?.end, text: JSON.stringify(claim)}),
    salePens: {
      of: () => ({steers, heifers}),
      official: () => official,
      cells: (_: unknown, test: (cell: OtherCell) => boolean) => cells.filter(({cell}) => test(cell)),
    },
    sourceEntries: (ids: readonly string[]) =>
      ids.map((id) => JSON.stringify({id, citationBoundary: `Cite ${id}.`})),
  } as unknown as MarketArtifacts;
}

function summaryOf(market: Market, weight = 550) {
  const asked = {kinds: {class: ["steers"], weight}, place: areaOfState("KS")};
  const found = priceSummary(marketOf(market), {asOf: "2026-11-21", sample: false}, asked);
  const evidence = found.evidence.map(({text}) => JSON.parse(text));
  return {summary: found.extra.summary as PriceSummary, evidence: evidence[0]};
}

test("a figure is told in a sentence, which is the claim of its own evidence", () => {
  const {summary, evidence} = summaryOf({});
  expect(summary).toMatchObject({
    ...{
      price_avg: 400.37,
      class: "steers",
      weight_lb: 550,
      window_days: 7,
      reason: null,
      venues: 2,
      counties: 2,
    },
    ...{first_sale_date: "2026-11-18", last_sale_date: "2026-11-19", evidence_id: "cs-KS-steers-550"},
    by_grade: [{muscle_grade: "1", price_avg: 400.37, pens: 10, head_count: 400}],
    head_by_age: [{days: "0-7", share: 1}],
  });
  expect(summary.price_avg).toBe(middle());
  expect(summary.value_per_head).toBe(2202.06);
  expect(summary.sentence).toBe(
    `Medium and Large 1 steers of 550 lb were worth about 400.37 USD per cwt in Kansas by the prices at 2 sales from 2026-11-18 to 2026-11-19 ` +
      `(four pens in five within ${summary.price_low!.toFixed(2)} to ${summary.price_high!.toFixed(2)}; 10 pens, 400 head within 150 lb). ` +
      `Pens within 25 lb brought 400.05 on average, from 391.00 to 410.00 (6 pens, 240 head of 550 lb).`,
  );
  expect(evidence).toMatchObject({
    ...{evidence_id: "cs-KS-steers-550", claim: summary.sentence, source_date: "2026-11-19"},
    entity_ids: [
      "report:ams-1@2026-11-18",
      "report:ams-2@2026-11-19",
      "state:KS",
      "venue:ks-a",
      "venue:ks-b",
    ],
    ...{
      sources: ["ams-lmr-datamart", "derived-aggregates", "mars"],
      contradictions: null,
      change_status: "unchanged",
    },
    transformation: {
      method: "robust_weight_curve",
      inputs: ["ams-1@2026-11-18", "ams-2@2026-11-19"],
      parameters: {window_days: 7, radius_mi: null, degree: 1, offset: null},
    },
    // 1 x 1 x 1 x 0.9
    confidence: {level: "high", score: 0.9},
    ...{limitations: [limitations.L01, limitations.L22], actionability: "compare"},
  });
  expect(evidence.operational_implication).toContain(
    "50 % of the head near 550 lb were sold at Yard B, Beta, KS on 2026-11-19",
  );
});

test("the coefficients of the evidence give the figure back", () => {
  const {summary, evidence} = summaryOf({});
  const {coefficients} = evidence.transformation.parameters;
  const x = (550 - 700) / 100;
  const price = Math.exp(
    coefficients.reduce((sum: number, each: number, power: number) => sum + each * x ** power, 0),
  );
  expect(Math.abs(price - summary.price_avg!)).toBeLessThan(0.005);
});

test("a question without a weight has the figures at 550 and 750 lb", () => {
  const found = priceSummary(
    marketOf({}),
    {asOf: "2026-11-21", sample: false},
    {kinds: {class: ["steers"]}, place: areaOfState("KS")},
  );
  expect(found.extra.summaries?.map((each) => [(each as PriceSummary).weight_lb, each.price_avg])).toEqual([
    [550, 400.37],
    [750, null],
  ]);
});

test.each([
  [{}, {}],
  [{weight: 520}, {}],
  [
    {class: ["steers", "heifers"], weight: 520},
    {summary: null, summary_reason: expect.stringMatching(/one class at a time: steers and heifers/)},
  ],
  [
    {class: ["bulls"], weight: 520},
    {summary: null, summary_reason: expect.stringMatching(/no sale of such cattle/)},
  ],
  [
    {class: ["steers"], commodity: ["slaughter_cattle"], weight: 1400},
    {summary: null, summary_reason: expect.stringMatching(/no sale of such cattle/)},
  ],
])("a question about %j has the members %j", (kinds, extra) => {
  expect(
    priceSummary(marketOf({}), {asOf: "2026-11-21", sample: false}, {kinds, place: areaOfState("KS")}),
  ).toEqual({extra, evidence: []});
});

test("V24: below a minimum there is no figure, and the sentence says what is missing", () => {
  const steers = [
    ...pensOf([[45, 706, 389]], {ageDays: 18, date: "2026-08-05", venueId: "ks-dodge"}),
    ...pensOf([[6, 719, 350]], {ageDays: 4, date: "2026-08-19", venueId: "ks-dodge"}),
    ...pensOf([[27, 713, 350]], {ageDays: 3, date: "2026-08-20", venueId: "ks-pratt", place: "Pratt, KS"}),
  ];
  const {summary, evidence} = summaryOf({steers}, 725);
  expect(summary).toMatchObject({
    price_avg: null,
    reason: "too_few_pens",
    evidence_id: null,
    change_week_reason: "too_few",
  });
  expect(summary.last_sale).toMatchObject({venue_id: "ks-pratt", date: "2026-08-20"});
  expect(summary.sentence).toBe(
    "No figure for Medium and Large 1 steers of 725 lb in Kansas: 2 pens, 33 head in 14 days, 3 pens, 78 head in 21 days; " +
      "5 pens and 50 head are needed; last sold at Pratt, KS on 2026-08-20. Pens within 25 lb brought 372.39 on average, from 350.00 to 389.00 (3 pens, 78 head of 709 lb).",
  );
  expect(evidence).toBeUndefined();
});

test.each([
  [
    [],
    "No sale of such cattle in the window: Medium and Large 1 steers of 550 lb in Kansas, last 21 days; no report of a sale there is held.",
  ],
  [
    pensOf(prices, {ageDays: 25, date: "2026-10-27"}),
    "No sale of such cattle in the window: Medium and Large 1 steers of 550 lb in Kansas, last 21 days; no report of a sale there is held; last sold at Alpha, KS on 2026-10-27.",
  ],
])("nothing in the window is said so, with the last sale where there is one", (steers, sentence) => {
  expect(summaryOf({steers}).summary.sentence).toBe(sentence);
});

test.each([
  ["KS", "2026-10-25", "; other cattle were reported there"],
  ["KS", "2026-10-20", "; no report of a sale there is held"],
  ["KS", null, "; no report of a sale there is held"],
  ["OK", "2026-11-18", "; no report of a sale there is held"],
])(
  "a barn of %s with a last sale on %s makes no sale of such cattle one where%s",
  (state, lastSaleDate, words) => {
    const barns = [{state, countyFips: null, point: null, lastSaleDate}];
    expect(summaryOf({steers: [], barns}).summary.sentence).toBe(
      `No sale of such cattle in the window: Medium and Large 1 steers of 550 lb in Kansas, last 21 days${words}.`,
    );
    const asked = {kinds: {class: ["bulls"], weight: 520}, place: areaOfState("KS")};
    const bulls = priceSummary(marketOf({barns}), {asOf: "2026-11-21", sample: false}, asked);
    expect(bulls.extra.summary_reason).toContain(`in the last 28 days${words}`);
  },
);

test("the offset of a grade is told where both grades have the pens and head of a figure", () => {
  const offsetOf = (head: number, count: number) => {
    const mixed = pensOf(
      higher(-20)
        .slice(0, count)
        .map(([, lb, price]): Triple => [head, lb, price]),
      {grade: "1-2"},
    );
    const {grade_offset_pct, sentence} = summaryOf({steers: [...twoYards, ...mixed]}).summary;
    return [grade_offset_pct !== null, sentence.includes("grade 1-2:")];
  };
  expect([offsetOf(10, 5), offsetOf(9, 5), offsetOf(40, 4)]).toEqual([
    [true, true],
    [false, false],
    [false, false],
  ]);
});

test("a grade without two pens near the weight has no figure, and the sentence names the grades", () => {
  const calves = pensOf([
    [20, 300, 505],
    [20, 330, 480],
    [20, 390, 470],
  ]);
  const mixed = [...pensOf(higher(-20), {grade: "1-2"}), ...pensOf(higher(-20), {...yardB, grade: "1-2"})];
  const {summary} = summaryOf({steers: [...calves, ...mixed]});
  expect(summary).toMatchObject({price_avg: null, reasons: ["too_few_of_the_grade"], last_sale: null});
  expect(summary.sentence).toBe(
    "No figure for Medium and Large 1 steers of 550 lb in Kansas: 10 pens of grade 1-2, 400 head in 14 days, 10 pens of grade 1-2, 400 head in 21 days; " +
      "2 pens of grade 1 within 150 lb are needed.",
  );
  const both = summaryOf({steers: [...calves, ...pensOf(prices.slice(0, 2)), ...mixed]}).summary;
  expect(both.sentence).toContain("2 pens of grade 1 and 10 of grade 1-2, 480 head within 150 lb");
});

const earlier = (ageDays: number, by: number, yard: Facts = {}) =>
  pensOf(higher(by), {...yard, ageDays, date: addDays("2026-11-21", -ageDays)});

test("the change is of the venues that sold in both weeks, and the figure that is shown less the one before", () => {
  const steers = [...twoYards, ...earlier(10, 5), ...earlier(9, 5, yardB)];
  const {summary} = summaryOf({steers});
  expect(summary).toMatchObject({
    change_week: roundHalfAway(middle() - middle(5), 2),
    change_from: middle(5),
    change_to: middle(),
    change_venues: 2,
    change_week_reason: null,
  });
  expect(summary.sentence).toMatch(/\), \d\.\d\d lower than the week before\. /);
});

test("pens that their reporter calls not tested leave both windows of a change, and stay in the level", () => {
  const before = [...earlier(10, 5), ...earlier(9, 5, yardB)];
  const untested = (pens: readonly AreaPen<IssueSale>[]) => pens.map((pen) => ({...pen, isUntested: true}));
  for (const steers of [
    [...untested(twoYards), ...before],
    [...twoYards, ...untested(before)],
  ])
    expect(summaryOf({steers}).summary).toMatchObject({
      ...{price_avg: middle(), change_week: null, change_week_reason: "not_tested", change_from: null},
    });
  const all = summaryOf({steers: untested(twoYards)}).summary;
  expect([all.fit!.untested_near, all.sentence]).toEqual([
    10,
    expect.stringContaining("400 head within 150 lb; reporter: no market test or comparison of these pens)"),
  ]);
  const some = summaryOf({steers: [...untested(twoYards.slice(0, 2)), ...twoYards.slice(2)]}).summary;
  expect(some.sentence).toContain("; reporter: no market test or comparison of 2 of these pens)");
  const few = summaryOf({steers: untested(pensOf(prices.slice(0, 2)))}).summary;
  expect(few.sentence).toContain(
    "are needed; reporter: no market test or comparison of these pens; last sold at",
  );
  const cows = cellSummaries([
    {cell: boner, pens: cowsOf([[12, 1200, 120]]).map((pen) => ({...pen, isUntested: true}))},
  ]);
  expect(cows.summary!.sentence).toContain(
    "are needed; reporter: no market test or comparison of these pens; last sold at",
  );
  const one = [...twoYards, ...untested(earlier(10, 50)), ...earlier(9, 5, yardB)];
  expect(summaryOf({steers: one}).summary).toMatchObject({change_venues: 1, change_from: middle(5)});
});

test.each([
  ["2026-11-15", "2026-11-21", null],
  ["2026-11-19", "2026-11-25", null],
  ["2026-11-20", "2026-11-26", "The official Kansas summary reports 395.00."],
])(
  "an official week from %s to %s is told beside a figure only if it began after its last sale",
  (begin, end, sentence) => {
    const asked = {kinds: {class: ["steers"], weight: 560}, place: areaOfState("KS")};
    const found = priceSummary(marketOf({week: {begin, end}}), {asOf: "2026-11-29", sample: false}, asked);
    const {official} = found.extra.summary as PriceSummary;
    expect(official?.sentence ?? null).toBe(sentence);
    expect(found.evidence.map(({text}) => JSON.parse(text).evidence_id)).toEqual(
      sentence === null ? ["cs-KS-steers-560"] : ["cs-KS-steers-560", "sp-KS"],
    );
  },
);

test("an official week stands in where there is no figure, and is told of cows too", () => {
  const week = {begin: "2026-11-22", end: "2026-11-28"};
  const missing = summaryOf({steers: [], week}).summary;
  expect([missing.price_avg, missing.official?.price_avg]).toEqual([null, 395]);
  const found = priceSummary(
    marketOf({cells: [{cell: boner, pens: cows}], week: {...week, cell: boner.cell_id}}),
    {asOf: "2026-11-29", sample: false},
    {kinds: {class: ["cows"]}, place: areaOfState("KS")},
  );
  expect((found.extra.summary as CellSummary).official).toMatchObject({
    week_end_date: "2026-11-28",
    head_count: 60,
  });
  // A kind that the week alone reports is told too, before a kind of fewer head.
  const lean = {...boner, cell_id: "slaughter-cows-lean-average-cwt", quality_grade: "lean"};
  const more = priceSummary(
    marketOf({cells: [{cell: lean, pens: cows}], week: {...week, cell: boner.cell_id}}),
    {asOf: "2026-11-29", sample: false},
    {kinds: {class: ["cows"], weight: 550}, place: areaOfState("KS")},
  );
  expect(
    more.extra.summaries!.map((each) => [
      (each as CellSummary).cell_id,
      each.price_avg === null,
      each.official?.price_avg,
    ]),
  ).toEqual([
    [boner.cell_id, true, 395],
    [lean.cell_id, false, undefined],
  ]);
});

test("with its curve a summary has the points of each grade and the pens behind it", () => {
  const steers = [...twoYards, ...pensOf(higher(-20).slice(1), {grade: "1-2"})];
  const asked = {kinds: {class: ["steers"], weight: 550, curve: "full" as const}, place: areaOfState("KS")};
  const found = priceSummary(marketOf({steers}), {asOf: "2026-11-21", sample: false}, asked);
  const {curve, price_avg} = found.extra.summary as PriceSummary;
  expect(curve!.pens).toHaveLength(steers.length);
  expect(curve!.points.map(({weight_lb}) => weight_lb)).toEqual([500, 525, 550, 575, 600]);
  expect(curve!.points[2]!.by_grade[0]).toEqual({muscle_grade: "1", price_avg});
  expect(curve!.points[2]!.by_grade[1]!.price_avg).toBeLessThan(price_avg!);
  expect(summaryOf({}).summary).not.toHaveProperty("curve");
});

const boner: OtherCell = {
  ...{cell_id: "slaughter-cows-boner-average-cwt", commodity: "slaughter_cattle", class: "cows"},
  ...{frame: null, muscle_grade: null, quality_grade: "boner", dressing: "average", age_class: null},
  ...{pregnancy_stage: null, offspring_weight: null, weight_bin: null, lot_descriptors: []},
  ...{price_unit: "per_cwt", headline: true},
};

function cowsOf(triples: readonly Triple[], facts: Facts = {}): CellPen<IssueSale>[] {
  return pensOf(triples, facts).map(({grade: _, ...pen}) => ({...pen, isUntested: false}));
}

const cows = [
  ...cowsOf([
    [12, 1200, 120],
    [10, 1300, 126],
  ]),
  ...cowsOf([[8, 1250, 130]], yardB),
];

function cellSummaries(cells: Market["cells"], weight?: number, kind = "cows") {
  const kinds = {class: [kind], ...(weight === undefined ? {} : {weight})};
  const asked = {kinds, place: areaOfState("KS")};
  const found = priceSummary(marketOf({cells: cells!}), {asOf: "2026-11-21", sample: false}, asked);
  return {
    summaries: (found.extra.summaries ?? []) as CellSummary[],
    summary: found.extra.summary as CellSummary | null | undefined,
    evidence: found.evidence.map(({text}) => JSON.parse(text)),
  };
}

test("cows have the mean by pounds of their cell over two weeks, with sentence and evidence", () => {
  const {summary, evidence} = cellSummaries([{cell: boner, pens: cows}]);
  const pounds = [12 * 1200, 10 * 1300, 8 * 1250];
  const mean =
    (pounds[0]! * 120 + pounds[1]! * 126 + pounds[2]! * 130) / (pounds[0]! + pounds[1]! + pounds[2]!);
  expect(summary).toMatchObject({
    ...{price_avg: roundHalfAway(mean, 2), price_low: 120, price_high: 130, weighting: "pounds", pens: 3},
    ...{head_count: 30, sales: 2, venues: 2, window_days: 14, reason: null, avg_weight_lb: 1247},
    ...{change_14_days: null, change_14_days_reason: "no_earlier_sale"},
  });
  expect(summary!.sentence).toBe(
    `Boner slaughter cows, average dressing brought ${roundHalfAway(mean, 2)} USD per cwt in Kansas at 2 sales from 2026-11-18 to 2026-11-19 (120.00 to 130.00; 3 pens, 30 head).`,
  );
  expect(evidence).toMatchObject([
    {
      ...{claim: summary!.sentence, evidence_id: summary!.evidence_id},
      transformation: {method: "pounds_weighted_mean", inputs: ["ams-1@2026-11-18", "ams-2@2026-11-19"]},
      entity_ids: expect.arrayContaining(["cell:slaughter-cows-boner-average-cwt", "state:KS"]),
    },
  ]);
});

test.each([
  ["too_few_pens", cows.slice(1).map((pen) => ({...pen, head: 20}))],
  ["too_few_head", cows.map((pen) => ({...pen, head: 6}))],
  [
    "too_few_sales",
    cowsOf([
      [12, 1200, 120],
      [10, 1300, 126],
      [8, 1250, 130],
    ]),
  ],
])("cows below a minimum have no figure: %s", (reason, pens) => {
  const {summary, evidence} = cellSummaries([{cell: boner, pens}]);
  expect([summary!.price_avg, summary!.reasons, evidence]).toEqual([null, [reason], []]);
  expect(summary!.sentence).toMatch(
    /^No figure for Boner slaughter cows, average dressing in Kansas: \d pens?, \d+ head, \d sales? in 14 days; 3 pens, 20 head and 2 sales are needed; last sold at Beta, KS on 2026-11-19\.$|last sold at Alpha, KS/,
  );
});

test("cells stand apart, most head first; pairs need ten, and old cows of two weeks before make the change", () => {
  const lean = {...boner, cell_id: "slaughter-cows-lean-average-cwt", quality_grade: "lean", headline: false};
  const pairs = {...boner, cell_id: "pairs", price_unit: "per_pair" as const, headline: false};
  const before = cows.map((pen) => ({...pen, price: pen.price - 5, ageDays: 20}));
  const {summaries} = cellSummaries([
    {cell: pairs, pens: cows.map((pen) => ({...pen, head: 4}))},
    {cell: lean, pens: cows.map((pen) => ({...pen, head: 40}))},
    {cell: boner, pens: [...cows, ...before]},
  ]);
  expect(summaries.map(({cell_id, weighting}) => [cell_id, weighting])).toEqual([
    [lean.cell_id, "pounds"],
    [boner.cell_id, "pounds"],
    ["pairs", "pairs"],
  ]);
  expect(summaries[1]).toMatchObject({change_14_days: 5, change_venues: 2, change_14_days_reason: null});
  expect(summaries[2]).toMatchObject({price_avg: expect.any(Number), head_count: 12});
});

test("a weight asks for the cell of its bin, or for cattle of about that weight", () => {
  const grown = {...boner, cell_id: "grown", class: "bulls" as const};
  const bin = {...grown, cell_id: "bin", weight_bin: "500-549"};
  const cells = [bin, grown].map((cell) => ({cell, pens: cows}));
  const of = (weight: number) => cellSummaries(cells, weight, "bulls").summaries.map(({cell_id}) => cell_id);
  expect([of(520), of(1200), of(800), of(1900)]).toEqual([["bin"], ["grown"], [], ["grown"]]);
});

test("a weight leaves no cows out, which have no bins", () => {
  expect(cellSummaries([{cell: boner, pens: cows}], 550).summaries).toHaveLength(1);
});

test("venues of another level are told with both figures", () => {
  const steers = [
    ...twoYards,
    ...pensOf(higher(30), {venueId: "ks-c", date: "2026-11-20"}),
    ...earlier(10, 5),
    ...earlier(9, 5, yardB),
  ];
  const {summary} = summaryOf({steers});
  expect(summary.change_to).toBe(middle());
  expect(summary.sentence).toContain(
    `; at the 2 venues that sold in both weeks: from ${middle(5)} to ${middle()}.`,
  );
});

test.each([
  ["no_earlier_sale", twoYards],
  ["not_comparable", [...twoYards, ...earlier(10, 5, {venueId: "ks-c"})]],
  ["too_few", [...twoYards, ...earlier(10, 5).slice(0, 2)]],
])("there is no change by the week: %s", (reason, steers) => {
  expect(summaryOf({steers}).summary).toMatchObject({
    change_week: null,
    change_week_reason: reason,
    change_from: null,
  });
});

test("a window of 14 days has its change by 14 days, one of 21 days none, and both by the year", () => {
  const aged = (ageDays: number, by: number) => [...earlier(ageDays, by), ...earlier(ageDays, by, yardB)];
  const fortnight = summaryOf({steers: [...aged(10, 0), ...aged(20, 8), ...aged(375, 50)]}).summary;
  expect(fortnight).toMatchObject({
    ...{window_days: 14, change_week: null, change_week_reason: "window_too_wide"},
    ...{change_from: middle(8), change_year_from: middle(50)},
  });
  expect(fortnight.change_14_days).toBe(roundHalfAway(fortnight.change_to! - middle(8), 2));
  expect(fortnight.sentence).toMatch(
    /\d\.\d\d lower than the two weeks before and \d\d\.\d\d lower than a year earlier/,
  );
  const three = summaryOf({steers: [...aged(20, 0), ...aged(384, 50)]}).summary;
  expect(three).toMatchObject({
    window_days: 21,
    change_week_reason: "window_too_wide",
    change_14_days: null,
    change_year_from: middle(50),
  });
});

test("grades stand apart, and heifers are compared where both have a figure", () => {
  const mixed = pensOf(higher(-20), {grade: "1-2"});
  const {summary} = summaryOf({
    steers: [...twoYards, ...mixed],
    heifers: [...pensOf(higher(-30)), ...pensOf(higher(-30), yardB)],
  });
  const [one, other] = summary.by_grade;
  expect(one).toMatchObject({muscle_grade: "1", pens: 10});
  expect(other!.price_avg! / one!.price_avg! - 1).toBeCloseTo(summary.grade_offset_pct! / 100, 4);
  expect(summary.heifer_spread).toBeCloseTo(-30, 0);
  expect(summary.sentence).toMatch(/; grade 1-2: 5\.\d % less\)/);
});

test.each([
  [0, 1, 0, "compare"],
  [12, 0.7, 1, "verify_before_acting"],
  [40, 0.4, 1, "verify_before_acting"],
])(
  "an official summary %i USD higher is a check of the figure",
  (by, agreement, contradictions, actionability) => {
    const official = pensOf(higher(by), {issueId: "ams-state@2026-11-21", venueId: ""});
    const {evidence} = summaryOf({official});
    expect(evidence.confidence.factors.agreement).toBe(agreement);
    expect(evidence.contradictions).toHaveLength(contradictions);
    expect(evidence.actionability).toBe(actionability);
    for (const {kind, a, b, difference} of evidence.contradictions) {
      expect([kind, a.value, b.value]).toEqual(["rollup_vs_summary", middle(by), middle()]);
      expect(difference).toBeCloseTo(b.value - a.value, 1);
    }
  },
);

test("one sale is at most medium, and a new issue makes the figure new", () => {
  const {evidence} = summaryOf({steers: pensOf(prices, {isNew: true, preliminary: true})});
  expect(evidence).toMatchObject({change_status: "new", confidence: {level: "medium"}});
  expect(evidence.limitations).toContain(limitations.L07);
});

test("a pen far from the curve is listed and hardly moves it", () => {
  const steers = [...twoYards, ...pensOf([[10, 560, 250]], yardB)];
  const {summary} = summaryOf({steers});
  expect(summary.residual_pens).toMatchObject([{venue_id: "ks-b", price_avg: 250, avg_weight_lb: 560}]);
  expect(Math.abs(summary.price_avg! / 400.42 - 1)).toBeLessThan(0.003);
});
