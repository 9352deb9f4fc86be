import {describe, expect, test} from "vitest";
import {sentencesOf} from "../src/sentences.ts";
import {readTrend} from "../src/trend.ts";
import {casesOf} from "./cases-of.ts";

/** Each statement as one text: class, use, what narrows it, weights, direction, range, qualifier. */
function told(comment: string): string[] {
  return readTrend(sentencesOf(comment)).trend.map((entry) => {
    const {class: kindOfCattle, commodity, kind, grade, direction, low, high, qualifier} = entry;
    const weights =
      entry.weight_low_lb === null && entry.weight_high_lb === null
        ? null
        : `${entry.weight_low_lb ?? ""}-${entry.weight_high_lb ?? ""}`;
    const range = low === null && high === null ? null : `${low}..${high}`;
    const cattle = [kindOfCattle ?? "*", commodity?.split("_")[0] ?? "*", kind, grade].filter(
      (part) => part !== null,
    );
    return [cattle.join("/"), weights, direction, range, qualifier].filter((part) => part !== null).join(" ");
  });
}

// All comments here are invented: the forms are those of `docs/design/market.md` section 6.1.
describe("V34 trend forms", () => {
  test.each(casesOf<[string, string[]]>("trend-forms.txt"))("%s", (comment, statements) => {
    expect(told(comment)).toEqual(statements);
  });
});

describe("a trend", () => {
  test.each(casesOf<[string, string[]]>("trends.txt"))("%s", (comment, statements) => {
    expect(told(comment)).toEqual(statements);
  });

  test.each([
    "CME feeder cattle contracts closed 6.00 lower.",
    "Trading of negotiated fed cattle sold 7.00 lower at 248.00.",
    "In the hay market, prices remained steady.",
    "Demand for slaughter cows was steady.",
    "Feeder lambs under 60 lbs sold sharply higher.",
    "Numbers lightly tested as some yards were closed.",
    "Quality was lower than last week.",
    "Slaughter of cattle increased by 5 percent.",
    "Two loads of heavy steers sold 317.25 to 319.50 cwt.",
  ])("sets nothing from a sentence on something else: %s", (comment) => {
    expect(told(comment)).toEqual([]);
  });

  test("compares with what the last opening names", () => {
    const comment =
      "Compared to last sale (4-16-26): Steers steady. Heifers steady. Compared to two weeks ago, cows 2.00 lower. Compared to last week, bulls 1.00 lower.";
    const {trend} = readTrend(sentencesOf(comment));
    expect(trend.map((entry) => entry.compared_with)).toEqual([
      "2026-04-16",
      "2026-04-16",
      "two_weeks",
      "last_week",
    ]);
  });

  test.each([
    ["Feeder bulls 50.00 higher per head.", ["per_head"]],
    ["Feeder Dairy Bull Calves 50.00 per head higher.", ["per_head"]],
    [
      "Slaughter cows steady to 40.00 lower a head; bulls from 10.00 lower to 8.00 higher/hd.",
      ["per_head", "per_head"],
    ],
    ["Stock cows 5.00 higher per cwt, bred cows 3.00 per cwt lower.", ["per_cwt", "per_cwt"]],
    [
      "Feeder bulls 5.00 higher. Bred cows 100.00 lower. Pairs 50.00 higher.",
      ["per_cwt", "per_head", "per_pair"],
    ],
    [
      "Feeder Dairy Bull Calves 50.00 higher. Baby calves 20.00 lower. Holstein calves 30.00 lower.",
      [null, null, null],
    ],
    ["Beef Cross Bull Calves 100.00 to 200.00 higher. Dairy bull calves 20.00 lower.", [null, null]],
    ["Beef cross steers 5.00 higher. Dairy steer calves 3.00 lower.", ["per_cwt", "per_cwt"]],
    ["Pairs 50.00 higher per head. Bred cows 50.00 higher per head.", ["per_pair", "per_head"]],
  ])(
    "has the unit that the sentence says, else the one by which the cattle are sold: %s",
    (comment, units) => {
      expect(readTrend(sentencesOf(comment)).trend.map(({unit}) => unit)).toEqual(units);
    },
  );

  test("counts a direction that no form fits", () => {
    expect(readTrend(["Offerings of the second string traded 3.00 higher."])).toEqual({
      trend: [],
      unparsed: 1,
    });
  });

  test.each([
    ["Compared to last week, steers higher on a good day.", 1],
    ["Compared to last week, steers, if any, lower; heifers somewhat higher.", 2],
    ["Compared to last week, CME futures higher.", 0],
    ["Compared to last week, a higher quality of cows came.", 0],
    ["Steers higher on a good day.", 0],
    ["Dressing percent of cows lower.", 0],
    ["Compared to last week, the percentage of cows higher.", 0],
    ["Compared to last week, head count on feeder cattle lower.", 0],
    ["Compared to last week, weights of feeder steers lower.", 0],
  ])("counts each direction without a form behind an opening: %s", (comment, unparsed) => {
    expect(readTrend([comment])).toEqual({trend: [], unparsed});
  });

  test.each([
    ["Steers sold 4.00 higher under 700 lbs and 2.00 lower.", ["steers/feeder -700 higher 4..4"]],
    ["Steers under 600 lbs 5.00 higher on weights over 700 lbs.", []],
    ["Steers under 700 lbs 5.00 higher on weights over 700 lbs.", []],
    ["Heifers mostly higher, up to 10.00 higher on calves under 500 lbs.", ["heifers/feeder higher mostly"]],
    ["Heifers were higher, 3.00 lower.", ["heifers/feeder higher"]],
  ])("counts a direction whose weights cannot be told, and sets nothing of it: %s", (comment, statements) => {
    expect([told(comment), readTrend([comment]).unparsed]).toEqual([statements, 1]);
  });
});
