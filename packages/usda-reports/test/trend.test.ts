import {describe, expect, test} from "vitest";
import {sentencesOf} from "../src/sentences.ts";
import {readTrend} from "../src/trend.ts";

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
  test.each([
    [
      "Compared to last week, steers under 600 lbs sold 10.00-25.00 higher.",
      ["steers/feeder -600 higher 10..25"],
    ],
    ["Compared to last week: Heifers mostly steady.", ["heifers/feeder steady mostly"]],
    ["Steers sold from 10.00 lower to 8.00 higher.", ["steers/feeder mixed -10..8"]],
    ["Slaughter cows sold steady to 4.00 lower.", ["cows/slaughter lower 0..4"]],
    [
      "Compared to last week, not enough for market test on feeder steers and heifers.",
      ["steers/feeder not_tested", "heifers/feeder not_tested"],
    ],
    [
      "Steers sold 3.00 to 10.00 higher with the exception of 750 to 849 lbs selling 5.00 to 7.00 lower.",
      ["steers/feeder higher 3..10", "steers/feeder 750-849 lower 5..7"],
    ],
  ])("%s", (comment, statements) => {
    expect(told(comment)).toEqual(statements);
  });
});

describe("a trend", () => {
  test.each([
    // A class named once may be left out in the next clause; a full stop behind lbs ends no sentence.
    [
      "Compared to two weeks ago, feeder steers under 800 lbs. steady 3.00 higher; over 800 lbs. 1.00-2.00 lower.",
      ["steers/feeder -800 higher 0..3", "steers/feeder 800- lower 1..2"],
    ],
    [
      "Feeders under 625 lbs. sold 13.00-20.00 higher with heavier weights steady to 5.00 higher.",
      ["*/feeder -625 higher 13..20", "*/feeder 625- higher 0..5"],
    ],
    [
      "Steer and heifer calves 3,00 to 6,00 lower, yearlings not well tested and the undertone was lower.",
      [
        "steers/feeder/calves lower 3..6",
        "heifers/feeder/calves lower 3..6",
        "*/feeder/yearlings not_tested",
        "*/feeder/yearlings undertone_lower",
      ],
    ],
    [
      "Not enough steers under 650 lb for a market test, however a definite higher trend was noted.",
      ["steers/feeder -650 not_tested", "steers/feeder -650 higher"],
    ],
    [
      "Breaking and boning slaughter cows were too lightly tested to develop an accurate market trend, however steady undertones were noticed.",
      [
        "cows/slaughter/breaker not_tested",
        "cows/slaughter/boner not_tested",
        "cows/slaughter/breaker undertone_steady",
        "cows/slaughter/boner undertone_steady",
      ],
    ],
    ["Slaughter cows sold steady to 1.00 higher on lean cows.", ["cows/slaughter/lean higher 0..1"]],
    [
      "Slaughter cows steady, except Breakers 2.00-3.00 higher.",
      ["cows/slaughter steady", "cows/slaughter/breaker higher 2..3"],
    ],
    [
      "Steers 2.00-4.00 higher, instance to 10.00 higher on one string.",
      ["steers/feeder higher 2..4 instances"],
    ],
    [
      "Feeder steers lightly tested but few sales 15.00-25.00 higher.",
      ["steers/feeder higher 15..25 limited"],
    ],
    ["Feeder bulls were lightly tested.", ["bulls/feeder not_tested"]],
    // A light test is of the cattle that are named with it alone.
    [
      "Feeder steers under 600 lbs unevenly steady and steers over 600 lbs were lightly tested.",
      ["steers/feeder -600 steady unevenly", "steers/feeder 600- not_tested"],
    ],
    [
      "Steers lightly tested, heifers 2.00 higher.",
      ["heifers/feeder higher 2..2", "steers/feeder not_tested"],
    ],
    [
      "Steer calves saw gains of 12.00 to 15.00 and heifer calves increased by 4.00.",
      ["steers/feeder/calves higher 12..15", "heifers/feeder/calves higher 4..4"],
    ],
    ["Slaughter bulls declined by 3.00 to 5.00.", ["bulls/slaughter lower 3..5"]],
    ["Feeder heifers sold 1.00 to as much as 6.00 lower.", ["heifers/feeder lower 1..6"]],
    ["Feeder steers were mostly selling 2.00 to 3.00 lower.", ["steers/feeder lower 2..3 mostly"]],
    [
      "Steer, and heifer calves steady to weak, yearling sold with a lower undertone.",
      [
        "steers/feeder/calves lower 0..null",
        "heifers/feeder/calves lower 0..null",
        "*/feeder/yearlings undertone_lower",
      ],
    ],
    [
      "Heifer calves 1.00 to 3.00 higher, 500-600 lbs holding steady, except 650-pound weights 4.00 lower.",
      [
        "heifers/feeder/calves higher 1..3",
        "heifers/feeder/calves 500-600 steady",
        "heifers/feeder/calves 650-650 lower 4..4",
      ],
    ],
    ["After the holiday break no comparison can be made.", ["*/* not_tested"]],
    ["First feeder cattle sale in a month so no comparison available.", ["*/feeder not_tested"]],
    ["Compared to last week, no trend is applicable.", ["*/* not_tested"]],
    ["Compared to last week steady.", ["*/* steady"]],
    ["Steers traded lower to start the sale, then back to steady.", ["steers/feeder mixed"]],
    [
      "Bred cows and pairs sold 100.00 to 200.00 per head higher.",
      ["bred_cows/replacement higher 100..200", "cow_calf_pairs/replacement higher 100..200"],
    ],
    [
      "Steer calves under 450 lbs sold mostly 5.0010.00 lower.",
      ["steers/feeder/calves -450 lower 5..10 mostly"],
    ],
  ])("%s", (comment, statements) => {
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

  test("counts a direction that no form fits", () => {
    expect(readTrend(["Offerings of the second string traded 3.00 higher."])).toEqual({
      trend: [],
      unparsed: 1,
    });
  });
});
