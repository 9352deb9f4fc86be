import {expect, test} from "vitest";
import {statesNoSale} from "../src/held-sales.ts";
import {readNarrative} from "../src/read-narrative.ts";

const read = (text: string | null, notices: readonly string[] = []) =>
  readNarrative({text, notices, office: "Invented Dept of Ag Mrkt News"}, "2026-07-09");

test.each([
  ["Supply was moderate with good demand.", ["good", null], ["moderate", null]],
  ["Demand was moderate on a light to moderate supply.", ["moderate", null], ["light", "moderate"]],
  ["Supply and demand was moderate.", ["moderate", null], ["moderate", null]],
  ["Good demand for light to moderate supply.", ["good", null], ["light", "moderate"]],
  ["Demand overall for feeder cattle was good to very good.", ["good", "very_good"], [null, null]],
  ["There was good demand for the yearlings.", ["good", null], [null, null]],
  ["Packer demand good. Demand very good for slaughter cows.", [null, null], [null, null]],
  ["Demand remains strong for prairie hay.", [null, null], [null, null]],
])("reads demand and supply from: %s", (text, demand, supply) => {
  const said = read(text)!;
  expect([said.demand, said.demand_to]).toEqual(demand);
  expect([said.supply, said.supply_to]).toEqual(supply);
});

test("V34: reads the shares of the supply as printed", () => {
  const said = read(
    "Supply included: 94% Feeder Cattle (61% Steers, 38% Heifers, 1% Bulls); 6% Slaughter Cattle (82% Cows, 18% Dairy Cows). Feeder cattle supply over 600 lbs was 74%.",
  );
  expect(said?.supply_shares).toEqual({
    feeder_pct: 94,
    feeder: {steers_pct: 61, heifers_pct: 38, bulls_pct: 1},
    over_600_lb_pct: 74,
    slaughter_pct: 6,
    slaughter: {cows_pct: 82, dairy_cows_pct: 18},
    replacement_pct: null,
    replacement: null,
  });
});

test("reads words of quality, and what was tested", () => {
  const said = read("Quality was plain to attractive. Steers steady. Not enough heifers for a market test.");
  expect(said?.quality).toEqual(["plain", "attractive"]);
  expect(said?.market_test).toBe("partly");
  expect(read("No trades last week to establish a trend.")?.market_test).toBe("none");
  expect(read("A large crowd was on hand.")?.market_test).toBe("unstated");
});

test("reads notices: coming specials, days without a sale, the name of the sale itself", () => {
  const said = read("Steers steady.", [
    "Final Report",
    "Invented Yard will not have a sale next Thursday July 16th",
    "Harvest Special Sale, Saturday, July 25, 2026, estimated 5,500 head",
  ]);
  expect(said?.announced).toMatchObject([
    {date: "2026-07-16", kind: "no_sale", head: null},
    {date: "2026-07-25", kind: "special", head: 5500},
  ]);
  expect(said?.special_sale_name).toBeNull();
  expect(read(null, ["Harvest Special Feeder Sale"])).toMatchObject({
    special_sale_name: "Harvest Special Feeder Sale",
    text: "",
  });
});

/** What a notice or a comment of a report of Thursday 2026-11-19 announces, and how it names that sale. */
function announcedBy(notice: string | null, comment = ""): [string[], string | null] {
  const said = readNarrative(
    {text: comment, notices: notice === null ? [] : [notice], office: null},
    "2026-11-19",
  );
  const days = said?.announced.map(
    ({date, kind, head}) => `${date} ${kind}${head === null ? "" : ` ${head}`}`,
  );
  return [days ?? [], said?.special_sale_name ?? null];
}

test.each([
  ["No Cattle Sale on Thursday, December 24", ["2026-12-24 no_sale"]],
  ["No Sales December 22nd and 29th", ["2026-12-22 no_sale", "2026-12-29 no_sale"]],
  ["No regular Thursday sale December 24 and 31", ["2026-12-24 no_sale", "2026-12-31 no_sale"]],
  ["No feeder auction November 26", ["2026-11-26 no_sale"]],
  ["There will not be a sale on Nov. 26", ["2026-11-26 no_sale"]],
  ["Thursday, November 26, there will be no sale", ["2026-11-26 no_sale"]],
  ["No sale next week, due to Thanksgiving on Thursday, November 26", ["2026-11-26 no_sale"]],
  ["Sale on December 24 and December 31 will be cancelled", ["2026-12-24 no_sale", "2026-12-31 no_sale"]],
  [
    "No sale November 26th due to Thanksgiving. Next sale will be December 3rd.",
    ["2026-11-26 no_sale", "2026-12-03 special"],
  ],
  ["No sale Nov. 26 but sales resume December 3", ["2026-11-26 no_sale", "2026-12-03 special"]],
  ["Sale barn closed November 26, reopening December 3", ["2026-11-26 no_sale", "2026-12-03 special"]],
  ["No sale until January 7", ["2027-01-07 special"]],
  ["No sale after December 17", []],
  ["The November 26 sale has been postponed to December 3", ["2026-11-26 no_sale", "2026-12-03 special"]],
  ["Sale moved from November 26 to December 3", ["2026-11-26 no_sale", "2026-12-03 special"]],
  ["Special Cow Sale Saturday, December 5th, 1500 head", ["2026-12-05 special 1500"]],
  ["Special Calf Sale Thursday December 3, 2050 head expected", ["2026-12-03 special 2050"]],
  [
    "Special Calf Sale December 5, 2026, 1,500 head. Special Cow Sale December 12, 400 head.",
    ["2026-12-05 special 1500", "2026-12-12 special 400"],
  ],
  ["Call by December 1 to consign to the Special Sale on December 5", ["2026-12-05 special"]],
  ["The Market News office will be closed November 26", []],
  ["No sale November 26. Have a safe holiday, and consign early for December 3", ["2026-11-26 no_sale"]],
  ["Next report will be Monday, November 30", []],
  ["Note: Next report will be on December 3.", []],
  ["Market reports will resume January 4", []],
  ["Due to the holiday, reports will resume on Monday November 30", []],
  ["Next Consignment deadline November 30", []],
  ["No report will be issued Thursday, November 26; next report December 3", []],
  ["The Market News office will be closed November 26; next report will be November 30", []],
  ["The Market News office will be closed until January 4", []],
  ["Sale barn closed. Reports will resume January 4", []],
  ["Barn closed November 26, no report", ["2026-11-26 no_sale"]],
  ["No sale December 24, reports will resume December 31", ["2026-12-24 no_sale"]],
  ["Next Thursday, December 3", ["2026-12-03 special"]],
  ["Saturday, December 5, 10th Annual Bred Cow Sale, 800 head", ["2026-12-05 special 800"]],
  ["Saturday December 5th, 20th Annual Special Bred Cow Sale", ["2026-12-05 special"]],
  ["December 5 and 10th Annual Bred Cow Sale December 12", ["2026-12-05 special", "2026-12-12 special"]],
  ["Special Calf Sale Dec 5, 2nd Special Calf Sale Dec 19", ["2026-12-05 special", "2026-12-19 special"]],
  ["Special Sale Thursday, December 3, 1st of the year", ["2026-12-03 special"]],
  ["The sales of December 24th and 31st are cancelled", ["2026-12-24 no_sale", "2026-12-31 no_sale"]],
  ["No sale the week of November 26", ["2026-11-26 no_sale"]],
  ["No sale the week of November 23", ["2026-11-23 no_sale", "2026-11-26 no_sale"]],
  ["No sale week ending November 28", ["2026-11-28 no_sale", "2026-11-26 no_sale"]],
  ["No sale the weekend of November 28", ["2026-11-28 no_sale"]],
  [
    "No sale week of December 21st and 28th",
    ["2026-12-21 no_sale", "2026-12-24 no_sale", "2026-12-28 no_sale", "2026-12-31 no_sale"],
  ],
  ["No sale the week of February 30", []],
  ["Special sales the week of December 7", []],
])("reads each day of a notice with its own kind, and never as the name of this sale: %s", (notice, days) => {
  expect(announcedBy(notice)).toEqual([days, null]);
});

test.each([
  ["Special Bull Sale June 30", null],
  ["The next Special Calf and Yearling Sale will be held on", null],
  ["Anniversary Special, November 19", "Anniversary Special, November 19"],
  ["Special Calf Sale November 18", "Special Calf Sale November 18"],
  ["Special Calf & Yearling Sale November 18 and 19", "Special Calf & Yearling Sale November 18 and 19"],
  ["Hall of Fame Special Sale Nov 17-19", "Hall of Fame Special Sale Nov 17-19"],
  ["Special Cow Sale November 14", null],
])("takes no notice of another sale for the name of this one: %s", (notice, name) => {
  expect(announcedBy(notice)).toEqual([[], name]);
});

test.each([
  ["There will be no sale Thursday, November 26 due to Thanksgiving.", ["2026-11-26 no_sale"]],
  ["Steers steady. The sale of November 26 was cancelled on Tuesday.", ["2026-11-26 no_sale"]],
  ["The November 26 sale is moved to November 24.", ["2026-11-26 no_sale", "2026-11-24 special"]],
  ["No sale November 26, 1st sale back December 3.", ["2026-11-26 no_sale", "2026-12-03 special"]],
  ["No comparable sales for a trend by November 26.", []],
  ["There was no auction last week, and the next report is of December 3.", []],
  ["A special sale is planned for December 5. Futures closed lower for December 4.", []],
])("reads days without a sale in a comment, and no others: %s", (comment, days) => {
  expect(announcedBy(null, comment)).toEqual([days, null]);
});

test("names a special sale of the last days of December in a report of the first of January", () => {
  const said = (day: string) =>
    readNarrative({text: "", notices: ["Special Sale December 31"], office: null}, day);
  expect(said("2027-01-02")).toMatchObject({special_sale_name: "Special Sale December 31", announced: []});
});

test.each([
  ["No sale was held on Wednesday November 18", true],
  ["No sale this week because of County Fair (November 17-20)", true],
  ["No sale for the week ending 11/21/2026", true],
  ["Next sale is December 3 as there was no sale this week", true],
  ["No sale November 26", false],
  ["No sale for the week ending November 28", false],
  ["There was no sale on November 12", false],
])("tells whether the report's own sale was not held: %s", (words, isUnheld) => {
  expect(statesNoSale(words, "2026-11-19")).toBe(isUnheld);
});

test("takes a day of the report's own week for its own", () => {
  expect(statesNoSale("No sale this week due to Thanksgiving on November 26", "2026-11-28")).toBe(true);
});

test("reads a day once that a notice and the comment name", () => {
  expect(announcedBy("No sale November 26", "There will be no sale November 26.")[0]).toEqual([
    "2026-11-26 no_sale",
  ]);
});

test("cuts what stands between asterisks, a labelled notice whole, but not a comment between them", () => {
  const said = read(
    "***Note*** Invented Yard will not have a sale July 16th *** *** Final Report *** Steers 5.00 higher. *** Compared to last week, heifers steady. ***",
  );
  expect(said?.announced).toMatchObject([{date: "2026-07-16", kind: "no_sale"}]);
  expect(said?.text).toBe("Steers 5.00 higher. *** Compared to last week, heifers steady. ***");
  expect(said?.trend.at(-1)).toMatchObject({class: "heifers", direction: "steady"});
});

test.each([null, "", "N/A", " "])("says nothing of a report without a comment: %j", (text) => {
  expect(read(text, ["Final Report", "Correction on 07/09/2026"])).toBeNull();
});
