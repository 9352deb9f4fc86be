import {describe, expect, it} from "vitest";
import {roundHalfAway} from "../../../../lib/rounding.ts";
import type {Database} from "../../../../lib/sql/duckdb.ts";
import {aggregateSql} from "../../../../pipeline/market/answers/aggregates.ts";
import {indexLikeSql} from "../../../../pipeline/market/answers/derived-measures.ts";
import {rounded} from "../../../../schemas/market-fields/market-field.ts";
import {priceFields} from "../../../../schemas/market-fields/price.ts";
import {answersOf, venueSaid} from "./answer-build.ts";
import {cellsOf, type RowSaid} from "./workshop.ts";

type Pooled = {
  cell_id: string;
  price_unit: string;
  price: number | null;
  weight_bin: string | null;
  thin: boolean;
} & Record<
  "low" | "head" | "described_head" | "rows_excluded" | "row_count" | "avg_weight" | "weight_imputed_rows",
  number
>;

/** The pooled figures of each cell of each state, by cell. */
function byState(db: Database): Promise<Pooled[]> {
  return db.rows<Pooled>(`${aggregateSql(["state"], "true")} ORDER BY cell_id`);
}

/** The pounds of a cell. */
const poundsOf = ({head, avg_weight}: Pooled) => Math.round(head * avg_weight);

type Lot = [head: number, lb: number, price: number];
const first: Lot[] = [
  [7, 725, 239],
  [4, 718, 235],
  [2, 760, 219],
  [1, 825, 188],
  [2, 890, 184],
];
const second: Lot[] = [
  [15, 738, 277.51],
  [123, 779, 261.61],
  [28, 722, 262.17],
];
const third: Lot[] = [
  [31, 720, 268.32],
  [46, 780, 253.95],
  [34, 825, 251.59],
  [16, 864, 242.95],
  [7, 732, 250],
];
const bulls: Lot[] = [
  [9, 225, 625.14],
  [40, 275, 613.89],
  [36, 321, 566.42],
  [49, 371, 540.2],
  [106, 422, 507.58],
  [88, 465, 473.36],
  [68, 516, 444.72],
  [53, 564, 425.35],
  [49, 625, 399.34],
  [29, 669, 367.97],
  [7, 711, 352.12],
  [13, 775, 326.64],
  [1, 850, 300],
];

function lots(all: Lot[], said: Partial<RowSaid> = {}): RowSaid[] {
  return all.map(([head, weight, price]) => ({...said, head, weight, price}));
}

async function indexLike(db: Database) {
  const [row] = await db.rows<Pooled>(indexLikeSql([], "true"));
  return row!;
}

describe("weighted means", () => {
  it("V1 weights dollars per cwt by pounds, in the index-like cell", async () => {
    const a = await indexLike(await cellsOf(lots(first)));
    expect([a.head, poundsOf(a), a.avg_weight, roundHalfAway(a.price!, 2)]).toEqual([
      16, 12_072, 754.5, 223.94,
    ]);
    const b = await indexLike(await cellsOf(lots(second)));
    expect([b.head, poundsOf(b), roundHalfAway(b.price!, 2)]).toEqual([166, 127_103, 263.08]);
    expect(roundHalfAway(b.avg_weight!, 2)).toBe(765.68);
    const [worth] = await (await cellsOf([])).rows<{value: number}>(
      `SELECT ${rounded(priceFields.value_per_head.sql!, 2)}::DOUBLE AS value
      FROM (SELECT 'per_cwt' AS price_unit, ${b.price}::DOUBLE AS price, ${b.avg_weight}::DOUBLE AS avg_weight)`,
    );
    expect(worth!.value).toBe(2014.38);
    const c = await indexLike(await cellsOf(lots(third)));
    expect([c.head, poundsOf(c), roundHalfAway(c.price!, 2)]).toEqual([134, 105_198, 254.73]);
  });

  it("V2 reproduces the reports' own row averages", async () => {
    const one = async (rows: RowSaid[]) => (await byState(await cellsOf(rows)))[0]!;
    const cwt = await one([
      {head: 1, weight: 376, price: 420, bin: 350},
      {head: 1, weight: 395, price: 480, bin: 350},
    ]);
    expect([cwt.avg_weight, roundHalfAway(cwt.price!, 2)]).toEqual([385.5, 450.74]);
    const more = await one([
      {head: 1, weight: 564, price: 350},
      {head: 1, weight: 570, price: 360},
    ]);
    expect(roundHalfAway(more.price!, 2)).toBe(355.03);
    const head = await one([
      {head: 1, price: 210, unit: "per_head"},
      {head: 5, price: 225, unit: "per_head"},
    ]);
    expect(head.price).toBe(222.5);
  });

  it("V3 keeps every weight bin apart, so that no mean over all weights exists", async () => {
    const db = await cellsOf(lots(bulls, {class: "bulls"}));
    const cells = await byState(db);
    expect(cells).toHaveLength(13);
    expect(cells.reduce((sum, cell) => sum + cell.head!, 0)).toBe(548);
    expect(cells.reduce((sum, cell) => sum + poundsOf(cell), 0)).toBe(259_320);
    expect(cells.map((cell) => roundHalfAway(cell.price!, 2))).not.toContain(460.61);
    expect(cells.find((cell) => cell.weight_bin === "500-549")!.price).toBe(444.72);
  });

  it("V4 pools the rows of two venues and never averages their averages", async () => {
    const db = await cellsOf([...lots(first, {venue: "ok-alpha"}), ...lots(third, {venue: "ok-beta"})]);
    const pooled = await indexLike(db);
    expect([pooled.head, poundsOf(pooled), roundHalfAway(pooled.price!, 2)]).toEqual([150, 117_270, 251.56]);
    const byVenue = await db.rows<Pooled>(`${indexLikeSql(["venue_id"], "true")} ORDER BY venue_id`);
    const mean = byVenue.reduce((sum, row) => sum + row.price!, 0) / byVenue.length;
    expect(roundHalfAway(mean, 2)).toBe(239.33);
  });

  it("V6 keeps prices per head and per pair in separate records", async () => {
    const said = {commodity: "replacement_cattle", age: "2-8", stage: "T2", bin: null};
    const db = await cellsOf([
      {...said, class: "bred_cows", unit: "per_head", head: 10, price: 3100},
      {...said, class: "cow_calf_pairs", unit: "per_pair", head: 8, price: 4200},
    ]);
    const cells = await byState(db);
    expect(cells.map((cell) => [cell.price_unit, cell.price, cell.head])).toEqual([
      ["per_head", 3100, 10],
      ["per_pair", 4200, 8],
    ]);
    expect(cells.map((cell) => cell.cell_id)).toEqual([
      "replacement-bred-cows-ml1-age2-8-t2-head",
      "replacement-cow-calf-pairs-ml1-age2-8-t2-pair",
    ]);
  });
});

describe("cells", () => {
  it("gives cells stable slugs that keep bins, grades, dressing and descriptors apart", async () => {
    const db = await cellsOf([
      {price: 360},
      {price: 350, descriptors: ["unweaned", "value_added"]},
      {price: 340, grade: "1-2"},
      {
        price: 150,
        commodity: "slaughter_cattle",
        class: "cows",
        frame: null,
        grade: null,
        quality: "boner",
        dressing: "very_low",
      },
      {
        price: 2000,
        commodity: "replacement_cattle",
        class: "bred_cows",
        unit: "per_head",
        age: ">8",
        stage: "O",
        grade: "1-2",
      },
      {price: 1500, unit: "per_head", weight: 240},
      {price: 200, weight: null, bin: null},
    ]);
    const ids = (
      await db.rows<{cell_id: string}>(
        "SELECT cell_id FROM cell_rows JOIN cells USING (cell_no) ORDER BY row_ordinal",
      )
    ).map((r) => r.cell_id);
    expect(ids).toEqual([
      "feeder-steers-ml1-0750-0799-cwt",
      "feeder-steers-ml1-0750-0799-cwt--unweaned--value-added",
      "feeder-steers-ml1-2-0750-0799-cwt",
      "slaughter-cows-boner-very-low-cwt",
      "replacement-bred-cows-ml1-2-ageover-8-o-head",
      "feeder-steers-ml1-0200-0249-head",
      "feeder-steers-ml1-noweight-cwt",
    ]);
  });

  it("names a comment without a descriptor by its text, and each such text is a cell", async () => {
    const other = {price: 200, weight: 320, descriptors: ["other"]};
    const {answers} = await answersOf(
      [
        {...other, description: "Guernsey"},
        {...other, description: "Muddy"},
        {...other, descriptors: ["fancy"], description: "FANCY"},
      ],
      [venueSaid({venueId: "ok-alpha"})],
    );
    const claims = new Map(answers.evidence.map(({evidence_id, claim}) => [evidence_id, claim]));
    const said = answers.latest.map(({record}) => [
      record.lot_description,
      / on [\d-]+, (.*) sold /.exec(claims.get(record.evidence_id)!)?.[1],
    ]);
    const cattle = "Medium and Large 1 feeder steers";
    expect(said.sort()).toEqual([
      [null, `fancy ${cattle} weighing 300-349 lb`],
      ["Guernsey", `${cattle} commented "Guernsey" weighing 300-349 lb`],
      ["Muddy", `${cattle} commented "Muddy" weighing 300-349 lb`],
    ]);
  });

  it("excludes described lots from a plain cell and states their head", async () => {
    const db = await cellsOf([
      {price: 360, head: 20},
      {price: 330, head: 7, descriptors: ["unweaned"]},
      {price: 335, head: 5, descriptors: ["fleshy"]},
    ]);
    const [plain, ...described] = await byState(db);
    expect([plain!.price, plain!.head, plain!.described_head]).toEqual([360, 20, 12]);
    expect(described.map((cell) => cell.described_head)).toEqual([null, null]);
  });

  it("imputes the middle of the bin for a missing weight, and excludes rows without head or any weight", async () => {
    const db = await cellsOf([
      {price: 300, head: 10, weight: null, bin: 750},
      {price: 400, head: 10, weight: 775},
      {price: 500, head: null, weight: 760},
    ]);
    const [cell] = await byState(db);
    expect([cell!.price, cell!.head, cell!.weight_imputed_rows, cell!.rows_excluded]).toEqual([
      350, 20, 1, 1,
    ]);
  });

  it("calls fewer than 10 head or 5 pairs thin", async () => {
    const pairs = {
      commodity: "replacement_cattle",
      class: "cow_calf_pairs",
      unit: "per_pair",
      price: 4000,
      bin: null,
    };
    const thin = async (row: RowSaid) => (await byState(await cellsOf([row])))[0]!.thin;
    expect(await thin({price: 300, head: 9})).toBe(true);
    expect(await thin({price: 300, head: 10})).toBe(false);
    expect(await thin({...pairs, head: 4})).toBe(true);
    expect(await thin({...pairs, head: 5})).toBe(false);
  });

  it("separates cells of video and direct trades by forward month, freight and region", async () => {
    const plain = {price: 350, head: 20};
    const db = await cellsOf([
      plain,
      {...plain, price: 351, freight: "fob"},
      {...plain, delivery: "current", freight: "fob", region: "South Central (KS, OK)"},
      {...plain, delivery: "nov", freight: "fob", region: "South Central (KS, OK)"},
      {...plain, delivery: "nov", freight: "delivered", region: "South Central (KS, OK)"},
      {...plain, delivery: "nov", freight: "delivered", region: "West (CA)"},
    ]);
    const cells = await db.rows<{cell_id: string; headline: boolean}>(
      "SELECT cell_id, headline FROM cells ORDER BY cell_id",
    );
    const auction = "feeder-steers-ml1-0750-0799-cwt";
    expect(cells).toEqual([
      {cell_id: auction, headline: true},
      ...[
        "current-fob-south-central",
        "nov-delivered-south-central",
        "nov-delivered-west",
        "nov-fob-south-central",
      ].map((trade) => ({cell_id: `${auction}-${trade}`, headline: false})),
    ]);
    expect((await byState(db)).map(({head}) => head)).toEqual([40, 20, 20, 20, 20]);
  });

  it("V7 flags the one row far off its cell's median, and leaves it out of the mean only", async () => {
    const prices = [345, 350, 352, 348, 351, 210, 349];
    const db = await cellsOf(prices.map((price) => ({price})));
    const rows = await db.rows<{price: number; outlier: boolean; median_price: number | null}>(
      "SELECT price_avg::DOUBLE AS price, outlier, median_price FROM cell_rows ORDER BY row_ordinal",
    );
    expect(rows.filter((row) => row.outlier)).toEqual([{price: 210, outlier: true, median_price: 349}]);
    const [cell] = await byState(db);
    expect([cell!.row_count, cell!.low]).toEqual([6, 345]);
  });

  it("flags nothing with fewer than seven rows or where all prices are equal but one", async () => {
    const flagged = async (prices: number[]) => {
      const db = await cellsOf(prices.map((price) => ({price})));
      return (await db.rows("SELECT 1 FROM cell_rows WHERE outlier")).length;
    };
    expect(await flagged([345, 350, 352, 348, 351, 210])).toBe(0);
    expect(await flagged([350, 350, 350, 350, 350, 350, 210])).toBe(0);
  });
});

it("excludes, marks and counts a price far from its class and weight in the same report", async () => {
  const rows = [300, 310, 320, 330, 340, 900, 120].map((price) => ({
    price,
    grade: price === 900 ? "2" : "1",
  }));
  const db = await cellsOf(rows.map((row, at) => ({...row, end: at < 3 ? "2026-10-26" : "2026-11-16"})));
  expect(
    await db.rows(
      "SELECT price_avg::DOUBLE AS price, median_price FROM cell_rows WHERE implausible ORDER BY 1",
    ),
  ).toEqual([
    {price: 120, median_price: 320},
    {price: 900, median_price: 320},
  ]);
  expect(await db.rows("SELECT sum(rows_excluded)::INTEGER AS n FROM sale_cells")).toEqual([{n: 2}]);
  // From the earlier sale, or from another report, there is nothing to compare with.
  const apart = await cellsOf(
    rows.map((row, at) => ({...row, end: `2026-11-${10 + at}`, slug: `ams-${at}`})),
  );
  expect(await apart.rows("SELECT * FROM cell_rows WHERE implausible")).toEqual([]);
});

it("holds a price without five rows of its class and weight against its frame and grade at any weight", async () => {
  const others = [455, 555, 655, 705, 755].map((weight) => ({price: 500 - weight / 3, weight}));
  const lonely = async (rows: readonly RowSaid[]) =>
    (await cellsOf(rows)).rows("SELECT price_avg::DOUBLE AS price, usable FROM cell_rows WHERE implausible");
  expect(await lonely([...others, {price: 23.65, weight: 922}])).toEqual([{price: 23.65, usable: false}]);
  expect(await lonely([...others, {price: 180, weight: 922}])).toEqual([]);
  expect(await lonely([...others.slice(1), {price: 23.65, weight: 922}])).toHaveLength(1);
  expect(await lonely([...others.slice(2), {price: 23.65, weight: 922}])).toEqual([]);
  expect(await lonely([...others, {price: 23.65, weight: 922, frame: "small", grade: "3"}])).toEqual([]);
});

it("accepts a low price that others of its frame and grade confirm, but no price that fits the other unit", async () => {
  const good = [300, 310, 320, 330, 340].map((price) => ({price, weight: 560}));
  const poor = {frame: "small", grade: "3"};
  const doubted = async (rows: readonly RowSaid[]) => {
    const db = await cellsOf([...good, ...rows]);
    return db.rows(
      "SELECT price_avg::DOUBLE AS price, median_price FROM cell_rows WHERE implausible ORDER BY 1",
    );
  };
  expect(
    await doubted([
      {price: 80, weight: 570, ...poor},
      {price: 70, weight: 690, ...poor},
    ]),
  ).toEqual([]);
  expect(await doubted([{price: 80, weight: 560, ...poor}])).toEqual([{price: 80, median_price: 315}]);
  const perHead = {unit: "per_head", weight: 560, grade: "2"};
  // A heading with the wrong unit: its rows confirm each other, but the other unit would fit.
  expect(
    await doubted([
      {price: 315, ...perHead},
      {price: 325, ...perHead},
    ]),
  ).toEqual([
    {price: 315, median_price: 1736},
    {price: 325, median_price: 1736},
  ]);
  expect(await doubted([{price: 1800, ...perHead}])).toEqual([]);
});

it("accepts a price that rows of its own cell of earlier sales confirm, however far it is from other lots", async () => {
  const days = ["2026-10-26", "2026-11-02", "2026-11-09", "2026-11-16"];
  const calf = {commodity: "dairy_calves", class: "bulls", frame: null, grade: null};
  const holsteins = days.flatMap((end) =>
    [660, 720, 690].map((price): RowSaid => ({...calf, end, price, weight: 80})),
  );
  const jerseys = (each: readonly string[], more: Partial<RowSaid> = {}) =>
    each.map((end): RowSaid => {
      const comment = {descriptors: ["other"], description: "Jersey"};
      return {...calf, ...comment, end, price: 205, weight: 60, ...more};
    });
  const refused = async (rows: readonly RowSaid[]) => {
    const db = await cellsOf([...holsteins, ...rows]);
    return (await db.rows("SELECT 1 FROM cell_rows WHERE implausible")).length;
  };
  expect(await refused(jerseys(days.slice(3)))).toBe(1);
  // The first has too few rows to be held against, the second no two others of its cell.
  expect(await refused(jerseys(days))).toBe(1);
  expect(await refused(jerseys(Array(4).fill(days[3]!)))).toBe(4);
  expect(await refused([...jerseys(days), ...jerseys([days[3]!], {price: 41})])).toBe(2);
});

it("returns the headline cells of docs/design/market.md section 9 without filters, and no cell that differs from one in a single word", async () => {
  const steers = {weight: 520, price: 300};
  const cow = {
    ...{commodity: "slaughter_cattle", class: "cows", frame: null, grade: null},
    ...{quality: "boner", dressing: "average", bin: null, price: 120},
  };
  const bred = {
    commodity: "replacement_cattle",
    class: "bred_cows",
    unit: "per_head",
    bin: null,
    price: 2000,
  };
  const headlines: RowSaid[] = [
    steers,
    {...steers, weight: 780},
    {...steers, class: "heifers"},
    cow,
    {...cow, class: "bulls", quality: null},
    bred,
    {...bred, age: "2-4"},
    {...bred, class: "cow_calf_pairs", unit: "per_pair"},
  ];
  const others: RowSaid[] = [
    {...steers, class: "bulls"},
    {...steers, frame: "large"},
    {...steers, grade: "1-2"},
    {...steers, weight: 560},
    {...steers, unit: "per_head"},
    {...steers, descriptors: ["fleshy"]},
    {...steers, age: "2-4"},
    {...steers, delivery: "forward"},
    {...steers, region: "North"},
    {...cow, quality: "lean"},
    {...cow, dressing: "high"},
    {...cow, unit: "per_head"},
    {...cow, commodity: "replacement_cattle"},
    {...bred, class: "stock_cows"},
    {...bred, unit: "per_cwt"},
    {...bred, commodity: "slaughter_cattle"},
  ];
  const of = async (rows: readonly RowSaid[]) => {
    const db = await cellsOf(rows);
    return db.rows("SELECT DISTINCT headline, count(*)::INTEGER AS cells FROM cells GROUP BY headline");
  };
  expect(await of(headlines)).toEqual([{headline: true, cells: headlines.length}]);
  expect(await of(others)).toEqual([{headline: false, cells: others.length}]);
});
