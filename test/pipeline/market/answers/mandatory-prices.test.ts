import {afterEach, expect, test} from "vitest";
import type {MandatoryPrice} from "../../../../schemas/market-records.ts";
import {openMarketArtifacts} from "../../../../server/tables/market-set.ts";
import {type SignalBuild, signalBuild} from "../signals/signal-build.ts";

// Invented reports in the Datamart's layout.
const fiveAreas = "5 Area Weekly Weighted Average Direct Slaughter Cattle - Negotiated (PDF) (LM_CT150)";
const formula =
  "TX-OK-NM Weekly Direct Slaughter Cattle - Formula, Grid and Contract Purchases (PDF) (LM_CT139)";
const cutout = "National Daily Boxed Beef Cutout & Boxed Beef Cuts - Negotiated Sales - PM (PDF) (LM_XB403)";

const issue = (
  day: string,
  [title, slug]: readonly [string, number],
  section: string,
  ...rows: object[]
) => ({
  reportSection: section,
  stats: {"totalRows:": rows.length},
  results: rows.map((row) => ({
    ...{report_date: day, report_title: title, slug_name: `AMS_${slug}`, slug_id: String(slug)},
    ...{narrative: null, published_date: `${day} 14:02:03`, ...row},
  })),
});
const steers = (price: string, more: object = {}) => ({
  ...{
    class_description: "STEER",
    selling_basis_description: "LIVE FOB",
    grade_description: "Total all grades",
  },
  ...{head_count: "11,004", weight_range_low: "1,100", weight_range_high: "1,700", weight_range_avg: "1,512"},
  ...{price_range_low: "230.00", price_range_high: "240.00", weighted_avg_price: price, ...more},
});
const weekly = [fiveAreas, 2477] as const;
const withheld = {
  class_description: "HEIFER",
  selling_basis_description: "DRESSED DELIVERED",
  head_count: null,
};

const files = {
  "lmr/a.json": [
    issue(
      "11/09/2026",
      weekly,
      "Detail",
      steers("231.00"),
      steers("371.00", {...withheld, head_count: "900"}),
    ),
    issue("11/09/2026", weekly, "History", steers("200.00", {current_period: "WEEKLY WEIGHTED AVERAGE"})),
  ],
  "lmr/b.json": issue(
    ...(["11/16/2026", weekly, "Detail"] as const),
    ...[steers("229.73"), steers(".00", withheld), steers("233.10", {grade_description: "Over 80% Choice"})],
  ),
  "lmr/c.json": issue(
    ...(["11/16/2026", [formula, 2469], "Detail"] as const),
    ...[
      steers("371.20", {purchase_type_code: "FORMULA NET", selling_basis_description: "DRESSED DELIVERED"}),
      steers("9.90", {purchase_type_code: "FORMULA NET", grade_description: "Premium"}),
    ],
  ),
  "lmr/old.json": issue("10/30/2026", ["Kansas Weekly (LM_CT157)", 2484], "Detail", steers("222.00")),
  "lmr/d.json": [
    issue("11/20/2026", [cutout, 2453], "Current Cutout Values", {
      ...{
        choice_600_900_current: "371.31",
        select_600_900_current: ".00",
        choice_600_900_5day_change: "9.99",
      },
    }),
    issue("11/20/2026", [cutout, 2453], "Change From Prior Day", {choice_600_900: "(1.02)"}),
    issue("11/13/2026", [cutout, 2453], "Current Cutout Values", {choice_600_900_current: "370.01"}),
  ],
};

const builds: SignalBuild[] = [];
afterEach(() => {
  for (const build of builds.splice(0)) build.close();
});

async function recordsOf(input: Parameters<typeof signalBuild>[0]) {
  const build = await signalBuild(input);
  builds.push(build);
  const {mandatory, evidence} = openMarketArtifacts(build.serving);
  const keys = mandatory!.keys;
  return {
    build,
    records: keys.map(({row}) => JSON.parse(mandatory!.record(row)) as MandatoryPrice),
    claims: keys.map(
      ({row}) =>
        JSON.parse(evidence(mandatory!.evidenceId(row)!)!.text) as {
          claim: string;
          confidence: {level: string};
        },
    ),
    keys,
  };
}

test("the newest price of each line, totals first: what was withheld is null, and other figures are none", async () => {
  const {records, claims, keys} = await recordsOf({files});
  expect(
    records.map((line) => [
      ...[line.region, line.class_printed, line.grade_printed, line.price_basis_live, line.delivery_printed],
      ...[line.purchase_type, line.price_avg, line.head_count, line.avg_weight_lb, line.change_week],
    ]),
  ).toEqual([
    ["5 Area", "STEER", "Total all grades", "live", "fob", "negotiated", 229.73, 11004, 1512, -1.27],
    ["National", null, "choice 600-900", "cutout", null, "negotiated", 371.31, null, null, 1.3],
    ["TX-OK-NM", "STEER", "Total all grades", "dressed", "delivered", "formula", 371.2, 11004, 1512, null],
    ["TX-OK-NM", "STEER", "Premium", "live", "fob", "formula", 9.9, 11004, 1512, null],
    ["5 Area", "STEER", "Over 80% Choice", "live", "fob", "negotiated", 233.1, 11004, 1512, null],
    ["5 Area", "HEIFER", "Total all grades", "dressed", "delivered", "negotiated", null, null, 1512, null],
    ["National", null, "select 600-900", "cutout", null, "negotiated", null, null, null, null],
  ]);
  expect(records[0]).toMatchObject({
    ...{report_scope: "mandatory", report_date: "2026-11-16", report_period: "weekly", age_days: 5},
    ...{region_states: ["CO", "IA", "KS", "MN", "NE", "NM", "OK", "TX"], change_week_from: "2026-11-09"},
    ...{freshness: "fresh", report_url: "https://mymarketnews.ams.usda.gov/viewReport/2477"},
    upstream: {system: "lmr_datamart", report_program: "mandatory", report_slug: "ams-2477"},
  });
  expect(claims[0]!.claim).toBe(
    "5 Area Weekly Weighted Average Direct Slaughter Cattle - Negotiated (LM_CT150) of 2026-11-16, Detail: steer, total all grades, " +
      "live weight, FOB, at 229.73 USD per cwt (230.00 to 240.00), 11,004 head of 1512 lb on average; 1.27 lower than on 2026-11-09.",
  );
  expect(claims.at(-1)).toMatchObject({
    claim: expect.stringMatching(/: no price is published, because nothing was traded or it is withheld\.$/),
    confidence: {level: "low"},
  });
  expect(new Set(records.map(({evidence_id: id}) => id)).size).toBe(records.length);
  expect(keys.map(({commodity, class: kind}) => [commodity, kind])).toContainEqual([
    "slaughter_cattle",
    "steers",
  ]);
  expect(keys[1]).toMatchObject({commodity: "", class: "", regionStates: []});
});

test("no line is older than 21 days, and none is of a later day", async () => {
  const dates = async (asOf: string) =>
    (await recordsOf({files, asOf})).records.map((line) => line.report_date);
  expect(await dates("2026-11-12")).toEqual(expect.arrayContaining(["2026-10-30", "2026-11-09"]));
  expect((await dates("2026-11-12")).some((day) => day > "2026-11-12")).toBe(false);
  expect(await dates("2026-11-20")).toContain("2026-10-30");
  expect(await dates("2026-11-21")).not.toContain("2026-10-30");
});

test("a corrected line is revised, another unchanged", async () => {
  const first = await recordsOf({files});
  expect(new Set(first.records.map(({change_status: status}) => status))).toEqual(new Set(["new"]));
  const corrected = issue("11/16/2026", [formula, 2469], "Detail", {
    ...steers("372.00", {purchase_type_code: "FORMULA NET", selling_basis_description: "DRESSED DELIVERED"}),
  });
  const again = await recordsOf({
    files: {...files, "lmr/c.json": corrected},
    previousDir: first.build.outDir,
  });
  const statuses = again.records.map(({price_avg, change_status}) => [price_avg, change_status]);
  expect(statuses).toContainEqual([372, "revised"]);
  expect(statuses).toContainEqual([229.73, "unchanged"]);
});
