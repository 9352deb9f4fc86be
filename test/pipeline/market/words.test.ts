import {
  assumedPriceUnit,
  classOf,
  commodityOf,
  dressingOf,
  freightOf,
  gradeOf,
  isGrade,
  lotDescriptorsOf,
  pregnancyStageOf,
  priceUnitOf,
  publishedTime,
  rangeOf,
  readReportTitle,
  reportPeriod,
  reportSlug,
  slugFromPlace,
  splitAgeStageDressing,
  splitDressing,
  weightBasisOf,
} from "@open-cattle/usda-reports";
import * as fc from "fast-check";
import {expect, test} from "vitest";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {weightBinSql} from "../../../pipeline/market/normalise/measured-rows.ts";

async function binOf(
  low: number | null,
  high: number | null,
  average: number | null,
): Promise<number | null> {
  const db = await openDatabase();
  const sql = weightBinSql("low", "high", "average");
  const [row] = await db.rows<{bin: number | null}>(
    `SELECT ${sql} AS bin FROM (SELECT $low::DOUBLE AS low, $high::DOUBLE AS high, $average::DOUBLE AS average)`,
    {low, high, average},
  );
  db.close();
  return row!.bin;
}

test("V16: bins are half-open and use the unrounded weight; a break of exactly one bin takes precedence", async () => {
  expect(await binOf(null, null, 749)).toBe(700);
  expect(await binOf(null, null, 750)).toBe(750);
  expect(await binOf(null, null, 549.6)).toBe(500);
  expect(await binOf(null, null, 550)).toBe(550);
  expect(await binOf(500, 550, null)).toBe(500);
  expect(await binOf(500, 600, 575)).toBe(550);
  expect(await binOf(302, 302, 302)).toBe(300);
  expect(await binOf(null, null, null)).toBeNull();
});

test("V6: maps units to three bases, and any other word to none", () => {
  expect(["Per Cwt", "cwt", "Per Unit", "Per Head", "Per Family"].map(priceUnitOf)).toEqual([
    "per_cwt",
    "per_cwt",
    "per_head",
    "per_head",
    "per_pair",
  ]);
  expect(["Per Lb", "Dollars per Pound", "", null, "N/A", "(no unit column)"].map(priceUnitOf)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
  expect([assumedPriceUnit("feeder_cattle"), assumedPriceUnit("replacement_cattle")]).toEqual([
    "per_cwt",
    null,
  ]);
  expect(["Actual Wt", "Estimate Wt", "Estimated", null].map(weightBasisOf)).toEqual([
    "actual",
    "estimated",
    "estimated",
    "unknown",
  ]);
});

test("maps commodities and classes to the vocabulary, but no other species", () => {
  expect(
    ["FEEDER CATTLE", "Slaughter Cattle", "REPLACEMENT", "Cheese", "SLAUGHTER SHEEP/LAMBS", null].map(
      commodityOf,
    ),
  ).toEqual(["feeder_cattle", "slaughter_cattle", "replacement_cattle", null, null, null]);
  expect(classOf("COW-CALF PAIRS", null)).toEqual({class: "cow_calf_pairs"});
  expect(classOf("BEEF/DAIRY STEERS", null)).toEqual({class: "steers", beefCross: true});
  expect(classOf("Steers", "Holstein")).toEqual({class: "dairy_steers"});
  expect(classOf("Steers", "Beef")).toEqual({class: "steers"});
  expect(classOf("Dairy Steer", null)).toEqual({class: "dairy_steers"});
  expect(classOf("HOLSTEIN COWS", null)).toEqual({class: "dairy_cows"});
  expect(classOf("EWES", null)).toBeNull();
  expect(classOf("Open Heifers", null)).toEqual({class: "open_heifers"});
});

test("gives replacement dairy cattle a dairy class or none: a bred dairy cow is no bred beef cow", () => {
  const dairy = "Replacement Dairy Cattle";
  expect(commodityOf(dairy)).toBe("replacement_cattle");
  expect(["Cows", "Dairy Heifers", "Bred Cows"].map((name) => classOf(name, null, dairy))).toEqual([
    {class: "dairy_cows"},
    {class: "dairy_heifers"},
    null,
  ]);
});

test.each([
  ["F.O.B.", "fob"],
  ["FOB", "fob"],
  ["f o b", "fob"],
  ["DEL", "delivered"],
  ["Delivered", "delivered"],
  ["FOB & DEL", "fob_and_del"],
  ["FOB Plant", "fob_plant"],
  ["Delivered to plant", "delivered_to_plant"],
  ["Picked up", "picked_up"],
  ["N/A", null],
])("reads the freight %j as %j", (published, freight) => expect(freightOf(published)).toBe(freight));

const noGrade = {grade: null, frame: null, muscleGrade: null, qualityGrade: null, yieldGrade: null};

test("splits a grade into frame and muscle, or into a quality grade without its lean percentage", () => {
  const feeder = (grade: string) => gradeOf({...noGrade, commodity: "feeder_cattle", grade});
  const slaughter = (grade: string) =>
    gradeOf({...noGrade, commodity: "slaughter_cattle", grade}).qualityGrade;
  expect(feeder("Medium and Large 1-2")).toEqual({
    frame: "medium_and_large",
    muscleGrade: "1-2",
    qualityGrade: null,
  });
  expect(feeder("M&L 3")).toEqual({frame: "medium_and_large", muscleGrade: "3", qualityGrade: null});
  expect(feeder("Large 1").frame).toBe("large");
  expect(feeder("Small and Medium 3-4")).toEqual({
    frame: "small_and_medium",
    muscleGrade: "3-4",
    qualityGrade: null,
  });
  expect(
    ["Boner 80-85%", "Boner 80-85", "Breaker 75-80%", "Premium White 65-75%", "Light 90%"].map(slaughter),
  ).toEqual(["boner", "boner", "breaker", "premium_white", "light"]);
  expect(["1-2", "Choice 2-3", "Select and Choice 2-3"].map(slaughter)).toEqual([
    "1-2",
    "choice_2-3",
    "select_and_choice_2-3",
  ]);
});

test("rejects a grade with a missing or extra letter", () => {
  const known = [
    "M&L 1-2",
    "Large 3",
    "1-2",
    "Boner 80-85%",
    "Choice and Prime 2-3",
    "Number 1",
    "Non Graded",
    null,
  ];
  expect(known.filter((grade) => !isGrade({...noGrade, grade}))).toEqual([]);
  const damaged = [
    "Medium and L rge 1",
    "Medium and Large 1-",
    "Medium and Large #-2",
    "Beaker 75-80%",
    "Boner 80 85%",
  ];
  expect(damaged.filter((grade) => isGrade({...noGrade, grade}))).toEqual([]);
});

test.each<[string | null, string | null, boolean]>([
  ["Medium and Large", "1-2", true],
  ["Medium and Large", null, true],
  [null, "#1", true],
  ["N/A", "No. 2", true],
  [null, "Non Graded", true],
  ["Med & Lrg", "1", false],
  ["Medium and Large", "45659", false],
  ["Large", "1-", false],
])("checks frame and muscle grade in columns like a printed grade: %s, %s", (frame, muscleGrade, isKnown) => {
  expect(isGrade({...noGrade, frame, muscleGrade})).toBe(isKnown);
});

test("reads grades in separate columns like a printed grade", () => {
  const columns = gradeOf({
    ...noGrade,
    commodity: "feeder_cattle",
    frame: "Medium and Large",
    muscleGrade: "1-2",
  });
  expect(columns).toEqual(gradeOf({...noGrade, commodity: "feeder_cattle", grade: "Medium and Large 1-2"}));
  const bulls = gradeOf({...noGrade, commodity: "slaughter_cattle", frame: "N/A", muscleGrade: "1-2"});
  expect(bulls).toEqual({frame: null, muscleGrade: null, qualityGrade: "1-2"});
});

test.each([
  ["1.0", "1"],
  ["#1", "1"],
  ["No. 1-2", "1-2"],
])("writes a muscle grade without what programs and people add: %s", (published, muscle) => {
  expect(gradeOf({...noGrade, commodity: "feeder_cattle", muscleGrade: published}).muscleGrade).toBe(muscle);
});

test.each(["1-2", "1 - 2", "1–2", "2-Jan", "02-Jan", "2-Jan-26", "2026-01-02", "1/2/2026"])(
  "reads a range although a spreadsheet took it for a date, or a page changed its hyphen: %s",
  (range) => {
    const muscle = gradeOf({...noGrade, commodity: "feeder_cattle", frame: "Large", muscleGrade: range});
    const yields = gradeOf({...noGrade, commodity: "slaughter_cattle", yieldGrade: range});
    expect([muscle.muscleGrade, yields.qualityGrade, rangeOf(range)]).toEqual(["1-2", "1-2", "1-2"]);
  },
);

test("turns lot comments into sorted descriptors; an unknown comment never makes a plain lot", () => {
  expect(lotDescriptorsOf("VA Calves")).toEqual(["calves", "value_added"]);
  expect(lotDescriptorsOf("Unweaned, Fleshy")).toEqual(["fleshy", "unweaned"]);
  expect(lotDescriptorsOf("Broken Mouth")).toEqual(["broken_mouth"]);
  expect(["Beef Cross", "Beef/Dairy", "Beef/Dairy Cross"].map(lotDescriptorsOf)).toEqual([
    ["beef_cross"],
    ["beef_cross"],
    ["beef_cross"],
  ]);
  expect(lotDescriptorsOf("Muddy")).toEqual(["other"]);
  expect(["", "None", "N/A", null].map(lotDescriptorsOf)).toEqual([[], [], [], []]);
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z]{4,12}( [A-Za-z]{3,9})?$/), (comment) => {
      fc.pre(comment.trim().toLowerCase() !== "none" && comment.trim().toLowerCase() !== "null");
      expect(lotDescriptorsOf(comment).length).toBeGreaterThan(0);
    }),
  );
});

test("splits a dressing from the comment after it", () => {
  expect(splitDressing("Average Return to Feed")).toEqual({dressing: "Average", comment: "Return to Feed"});
  expect(splitDressing("Very Low")).toEqual({dressing: "Very Low", comment: null});
  expect(splitDressing("Broken Mouth")).toEqual({dressing: null, comment: "Broken Mouth"});
  expect([dressingOf("Very High"), dressingOf(null), dressingOf("Superb")]).toEqual([
    "very_high",
    null,
    undefined,
  ]);
});

test("writes ages, stages and calf weights of both systems alike", () => {
  expect(["Middle Aged (5-8 yrs)", "Aged (>8 yrs)", ">8", "<2"].map(rangeOf)).toEqual([
    "5-8",
    ">8",
    ">8",
    "<2",
  ]);
  expect(["1st Stage (1-3 mo)", "1st/2nd Stage (1-6 mo)", "Open", "T2-3", "O"].map(pregnancyStageOf)).toEqual(
    ["T1", "T1-2", "O", "T2-3", "O"],
  );
  expect(["<150 lbs calf", "150-300 lbs", "150 to 300", ">300"].map(rangeOf)).toEqual([
    ...["<150", "150-300", "150-300", ">300"],
  ]);
  expect(splitAgeStageDressing("Young (2-4 yrs) · 3rd Stage (7-9 mo)")).toEqual({
    age: "Young (2-4 yrs)",
    stage: "3rd Stage (7-9 mo)",
    dressing: null,
  });
  expect(splitAgeStageDressing("dressing Very Low")).toEqual({age: null, stage: null, dressing: "Very Low"});
});

test("reads venue, town and state from a report title, and the state from a summary's", () => {
  expect(readReportTitle("Winter Sample - Dodge Town, KS")).toMatchObject({
    scope: "venue",
    venueName: "Winter Sample",
    city: "Dodge Town",
    state: "KS",
  });
  expect(readReportTitle("Invented Yards Feeder Cattle Special– West Point, NE (Tue)")).toMatchObject({
    venueName: "Invented Yards",
    city: "West Point",
    specialSaleName: "Feeder Cattle Special",
  });
  const ofType = (type: string) =>
    readReportTitle("Invented Yards - Elm, VA", `Auction Livestock${type}`).specialSaleName;
  expect(["", " (Imported)", " (Special)", " (Board Sale)", " (Special Graded)"].map(ofType)).toEqual([
    ...[null, null, "Special", "Board Sale", "Special Graded"],
  ]);
  expect(readReportTitle("Tri-Sample Livestock - Winston-Salem, NC")).toMatchObject({
    venueName: "Tri-Sample Livestock",
    city: "Winston-Salem",
  });
  expect(readReportTitle("Sample Yards Slaughter/Replacement - Sampleton, OK")).toMatchObject({
    venueName: "Sample Yards",
    city: "Sampleton",
  });
  expect(readReportTitle("West Virginia Weekly Cattle Auction Summary")).toMatchObject({
    scope: "state_summary",
    state: "WV",
    venueName: null,
  });
  expect(readReportTitle("National Feeder Summary").scope).toBe("national_summary");
  expect(readReportTitle("Elm County Regional Livestock Market - Elm").scope).toBe("venue");
  expect(readReportTitle("Invented Livestock Video Auction - Nowhere, TX").scope).toBe("video_internet");
});

test("normalises report codes, taking a missing one from the URL or file name", () => {
  expect(["1895", "AMS_1895", "ams-1895", "1895.0", "LM_CT150", "N/A"].map(reportSlug)).toEqual([
    "ams-1895",
    "ams-1895",
    "ams-1895",
    "ams-1895",
    "lm-ct150",
    null,
  ]);
  expect(slugFromPlace("https://host.example/services/v1.2/reports/1781?q=1", "a.csv")).toBe("ams-1781");
  expect(slugFromPlace(undefined, "market/mars/ams_1989_rows_2026.csv.gz")).toBe("ams-1989");
  expect(slugFromPlace(undefined, "market/mars/rows_2026.csv")).toBeNull();
});

test("gives a weekly summary with one date Sunday to Saturday, and a sale its day", () => {
  expect(
    reportPeriod({report_title: "Kansas Weekly Cattle Auction Summary", report_date: "2026-09-28"}),
  ).toEqual({begin: "2026-09-27", end: "2026-10-03"});
  expect(reportPeriod({report_title: "Winter Sample - Dodge Town, KS", report_date: "2026-09-28"})).toEqual({
    begin: "2026-09-28",
    end: "2026-09-28",
  });
  expect(reportPeriod({})).toBeNull();
});

test("reads publication times without guessing a time zone", () => {
  expect(
    ["09/27/2023 09:55:03", "Wed Aug 5, 2026", "2026-08-05T10:11:12", "soon"].map(publishedTime),
  ).toEqual(["2023-09-27 09:55:03", "2026-08-05 00:00:00", "2026-08-05 10:11:12", null]);
  expect(
    ["9/27/2023 16:05", "9/27/2023 4:05 PM", "9/27/2023 12:00:00 AM", "9/27/2023 14:05 PM"].map(
      publishedTime,
    ),
  ).toEqual(["16:05:00", "16:05:00", "00:00:00", "00:00:00"].map((time) => `2023-09-27 ${time}`));
});
