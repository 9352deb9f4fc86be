import {describe, expect, test} from "vitest";
import type {TableHeading} from "../src/headings.ts";
import {rejectAfterLostLines, statedHead} from "../src/lost-lines.ts";
import type {PrintedRow} from "../src/segment-rows.ts";

const headingOf = (commodity: string | null, name: string, priceUnit = "Per Cwt"): TableHeading => ({
  ...{commodity, region: null, class: name, grade: null, offspringWeight: null},
  ...{priceUnit, weightCollect: null, doubt: null},
});
const steers = headingOf("FEEDER CATTLE", "STEERS");
const dairy = headingOf("DAIRY CALVES", "STEERS");
const cows = headingOf("SLAUGHTER CATTLE", "BREAKER COWS");
const fed = headingOf("SLAUGHTER CATTLE", "FED STEERS");
const stock = headingOf("REPLACEMENT CATTLE", "STOCK COWS", "Per Unit");

type Changes = Partial<PrintedRow>;
type Row = readonly [cells: PrintedRow["cells"], changes?: Changes];

/** Indices of the rejected rows of a table. */
function keptBack(heading: TableHeading, rows: readonly Row[], stated = new Map<string, number>()): number[] {
  const printed = rows.map(
    ([cells, changes]): PrintedRow => ({
      heading,
      cells,
      blanksAbove: 0,
      page: 1,
      rejection: null,
      ...changes,
    }),
  );
  return rejectAfterLostLines(printed, stated).flatMap(({rejection}, place) =>
    rejection?.reason === "layout_uncertain" ? [place] : [],
  );
}

const feeder = (weight: string, comment?: string, more = {}): Row => [
  {Head: "5", "Avg Wt": weight, "Avg Price": "300.00", ...(comment && {comment}), ...more},
];
const graded = (price: string, dressing?: string, comment?: string): Row => [
  {Head: "5", "Avg Price": price, ...(dressing && {Dressing: dressing}), ...(comment && {comment})},
];
const aged = (age: string, stage: string, more: Changes = {}, comment?: string): Row => [
  {Head: "5", Age: age, Stage: stage, "Avg Price": "2000.00", ...(comment && {comment})},
  more,
];
const slipped = {blanksAbove: undefined} as unknown as Changes;
const torn = {rejection: {reason: "unread_line", detail: "line 7"}} as const;

describe("a table lost a line if its rows break the printed order", () => {
  test.each<[string, TableHeading, Row[], number[]]>([
    ["feeders rise by bins of 50 lb", steers, [feeder("505"), feeder("549", "Thin"), feeder("550")], []],
    ["a lighter bin, and all below it", steers, [feeder("550"), feeder("549"), feeder("650")], [1, 2]],
    ["a lighter weight of one bin", steers, [feeder("549"), feeder("505", "Thin")], []],
    ["a range is in the bin of its lower end", steers, [feeder("505-555"), feeder("540", "Thin")], []],
    ["a second plain row of a bin", steers, [feeder("505"), feeder("549")], [1]],
    ["a second row of a comment", steers, [feeder("505", "Thin"), feeder("510"), feeder("549", "Thin")], [2]],
    ["a row that is printed twice", steers, [feeder("505"), feeder("505")], []],
    ["calves of dairies have several rows of a bin", dairy, [feeder("105"), feeder("120")], []],
    ["and rise like feeders", dairy, [feeder("150"), feeder("149")], [1]],
    [
      "a weight that cannot be read breaks no order",
      steers,
      [feeder("550"), feeder("5x"), feeder("450")],
      [],
    ],
    [
      "each delivery begins anew",
      steers,
      [feeder("750", undefined, {Delivery: "Current"}), feeder("550", undefined, {Delivery: "March"})],
      [],
    ],
    [
      "a delivery that comes a second time",
      steers,
      ["Current", "March", "Current"].map((Delivery) => feeder("750", undefined, {Delivery})),
      [2],
    ],
    [
      "a delivery has several rows of a bin",
      steers,
      ["505", "510"].map((weight) => feeder(weight, undefined, {Delivery: "Current"})),
      [],
    ],
    ["ages rise", stock, [aged("<2", "T1"), aged("2-4", "O"), aged("5-8", "O"), aged(">8", "O")], []],
    ["a younger age", stock, [aged("5-8", "O"), aged("2-4", "T1")], [1]],
    ["stages rise within an age", stock, [aged("2-4", "O"), aged("2-4", "T1"), aged("2-4", "T1")], []],
    ["an earlier stage of the same age", stock, [aged("2-4", "T2"), aged("2-4", "T1")], [1]],
    ["an earlier stage of a higher age", stock, [aged("2-4", "T2"), aged("5-8", "T1")], []],
    ["ages that no table has", stock, [aged("9-9", "T2"), aged("2-4", "T1"), aged("7-9", "O")], []],
    [
      "a page that begins with a row of its table",
      stock,
      [
        aged("2-4", "T1", {}, "Thin"),
        aged("2-4", "T1", {page: 2}, "Fancy"),
        aged("2-4", "T1", {page: 3}, "Thin"),
      ],
      [],
    ],
  ])("%s", (_, heading, rows, expected) => {
    expect(keptBack(heading, rows)).toEqual(expected);
  });

  test("detects a row repeated at the start of a page, but allows equal rows on one page", () => {
    const [first, , again] = [5, 6, 7].map((head): Row => [{...aged("2-4", "T1")[0], Head: String(head)}]);
    expect(keptBack(stock, [first!, again!])).toEqual([]);
    expect(keptBack(stock, [first!, [again![0], {page: 2}]])).toEqual([1]);
  });

  test.each<[string, TableHeading, Row[], number[]]>([
    [
      "like prices",
      cows,
      [graded("100.00", "Average"), graded("110.00", "High"), graded("95.00", "Low")],
      [],
    ],
    ["a second row of a dressing", cows, [graded("100.00", "Average"), graded("101.00", "Average")], [1]],
    ["of another comment", cows, [graded("100.00", "Average"), graded("101.00", "Average", "Thin")], []],
    ["dressings against the alphabet", cows, [graded("90.00", "Low"), graded("100.00", "High")], [1]],
    ["a very low dressing for half", cows, [graded("124.00", "Average"), graded("64.00", "Very Low")], []],
    ["a high dressing for double", cows, [graded("64.00", "Very Low"), graded("124.00", "Average")], [1]],
    ["a row without dressing for half", cows, [graded("124.00", "Average"), graded("64.00")], [1]],
    ["a higher dressing for less", cows, [graded("100.00", "Average"), graded("96.00", "High")], [1]],
    ["for little less", cows, [graded("100.00", "Average"), graded("98.00", "High")], []],
    ["for less with a comment", cows, [graded("100.00", "Average"), graded("90.00", "High", "Thin")], []],
    ["a lower dressing for more", cows, [graded("100.00", "Average"), graded("110.00", "Low")], [1]],
    ["less than three fifths of the first price", cows, [graded("100.00"), graded("59.00")], [1]],
    ["three fifths of it", cows, [graded("100.00"), graded("61.00")], []],
    ["more than five thirds of it", cows, [graded("60.00"), graded("101.00")], [1]],
    ["fed cattle less than seven tenths", fed, [graded("100.00"), graded("69.00")], [1]],
    ["fed cattle seven tenths", fed, [graded("100.00"), graded("71.00"), graded("142.00")], []],
    ["dressings of fed cattle", fed, [graded("100.00", "Average"), graded("100.00", "Average", "x")], []],
    [
      "a light lot for half, and none of the rows around it",
      cows,
      [
        graded("138.35", "Average"),
        graded("78.00", "Average", "Light Weight"),
        graded("164.35", "High"),
        graded("120.00", "Low"),
      ],
      [],
    ],
    [
      "a lot to be fed on for nearly double",
      cows,
      [graded("221.31", "Average"), graded("388.00", "Average", "Return to Feed"), graded("241.31", "High")],
      [],
    ],
    [
      "a plain row below a light lot",
      cows,
      [graded("78.00", "Average", "Light Weight"), graded("164.35", "High")],
      [],
    ],
    [
      "a light lot for half of another",
      cows,
      [graded("90.00", "Average", "Thin"), graded("50.00", "High", "Thin"), graded("95.00", "Low")],
      [1, 2],
    ],
    ["a price that cannot be read", cows, [graded("1x0"), graded("100.00"), graded("59.00")], [2]],
  ])("slaughter cattle: %s", (_, heading, rows, expected) => {
    expect(keptBack(heading, rows)).toEqual(expected);
  });

  test("ends a table at blank lines, but not at a single one if values slipped", () => {
    const below = (blanksAbove: number): Row => [feeder("605")[0], {blanksAbove}];
    expect(keptBack(steers, [below(1)])).toEqual([0]);
    expect(keptBack(steers, [feeder("505"), below(1)])).toEqual([1]);
    const far = [feeder("405")[0], slipped] as Row;
    expect(
      keptBack(steers, [
        [feeder("405")[0], {blanksAbove: 9}],
        [feeder("455")[0], slipped],
      ]),
    ).toEqual([]);
    expect(keptBack(steers, [far, below(1)])).toEqual([]);
    expect(keptBack(steers, [far, below(2)])).toEqual([1]);
    // If values slipped, a bin may have several rows.
    expect(keptBack(steers, [far, feeder("410")])).toEqual([]);
  });

  test("counts a line that is printed twice once against the stated head", () => {
    const rows = [feeder("505"), feeder("505"), feeder("555")];
    const stated = (most: number) => new Map([["feeder cattle steers", most]]);
    expect(keptBack(steers, rows, stated(10))).toEqual([]);
    expect(keptBack(steers, rows, stated(9))).toEqual([2]);
  });

  test("keeps a rejected line, counts it as a row above, and ends the doubt only at a heading", () => {
    const rows = [feeder("550"), feeder("500"), [feeder("510")[0], torn], feeder("800")] as Row[];
    expect(keptBack(steers, rows)).toEqual([1, 3]);
    expect(keptBack(steers, [[feeder("550")[0], torn], feeder("500")])).toEqual([1]);
    const [a, b] = [steers, headingOf("FEEDER CATTLE", "HEIFERS")].map((heading) =>
      ["550", "500"].map(
        (weight): PrintedRow => ({heading, cells: feeder(weight)[0], blanksAbove: 0, rejection: null}),
      ),
    );
    const [, , third, fourth] = rejectAfterLostLines([...a!, ...b!], new Map());
    expect([third!.rejection, fourth!.rejection?.reason]).toEqual([null, "layout_uncertain"]);
    const stray: PrintedRow = {heading: null, cells: {}, ...torn};
    expect(rejectAfterLostLines([stray], new Map())).toEqual([stray]);
  });
});

describe("a table lost a line if a row cannot belong to its class", () => {
  test.each<[string, TableHeading, Row, number[]]>([
    ["the least price", stock, [{"Avg Price": "300.00"}], []],
    ["less than the least", stock, [{"Avg Price": "299.00"}], [0]],
    ["the highest price", stock, [{"Avg Price": "60,000.00"}], []],
    ["more than the highest", stock, [{"Avg Price": "60,001.00"}], [0]],
    [
      "a unit that is not priced",
      headingOf("FEEDER CATTLE", "STEERS", "Per Load"),
      [{"Avg Price": "1.00"}],
      [],
    ],
    ["a dressing of feeders", steers, [{Dressing: "High"}], [0]],
    ["a dressing of cattle that are not known", headingOf(null, "COWS"), [{Dressing: "High"}], []],
    ["an open cow", stock, aged("2-4", "O"), []],
    ["an open bred cow", headingOf("REPLACEMENT CATTLE", "BRED COWS", "Per Unit"), aged("2-4", "O"), [0]],
    ["a bred cow", headingOf("REPLACEMENT CATTLE", "BRED COWS", "Per Unit"), aged("2-4", "T1"), []],
  ])("%s", (_, heading, row, expected) => {
    expect(keptBack(heading, [row])).toEqual(expected);
  });

  test("limits the head of a class to the stated share; more head than the sale is a fault of one row", () => {
    const stated = new Map([
      ["feeder cattle steers", 20.9],
      ["feeder cattle heifers", 10],
    ]);
    const head = (...heads: string[]) =>
      keptBack(
        steers,
        heads.map((count, i): Row => [{Head: count, "Avg Wt": String(500 + 50 * i)}]),
        stated,
      );
    expect(head("8", "12")).toEqual([]);
    expect(head("8", "13", "1")).toEqual([1, 2]);
    expect(head("8", "*", "12")).toEqual([]);
    expect(head("31", "20")).toEqual([0]);
    expect(head("30", "1")).toEqual([0, 1]);
    expect(keptBack(cows, [[{Head: "25", "Avg Price": "100.00"}]], stated)).toEqual([]);
  });
});

test("computes a class's stated head from its share (plus 0.5 points) of its commodity's receipts (plus 2 %)", () => {
  const supply =
    "Compared to last week. Supply included: 66% Feeder Cattle (62.5% Steers, 36% Dairy\nHeifers); 20% Slaughter Cattle (100% Cows/Bulls); 14% Replacement Cattle (100% Stock Cows). Demand good, 9% Feeder Cattle (9% Bulls).";
  const read = statedHead(supply, {"Feeder Cattle": 1000, "Slaughter Cattle": 0, "Replacement Cattle": null});
  const rounded = [...read].map(([name, head]) => [name, Number(head.toFixed(3))]);
  expect(rounded).toEqual([
    ["feeder cattle steers", 642.6],
    ["feeder cattle dairy heifers", 372.3],
    ["slaughter cattle cows/bulls", 0],
  ]);
  expect(statedHead("Demand good.", {"Feeder Cattle": 1000}).size).toBe(0);
});
