import {describe, expect, test} from "vitest";
import {marsAnswer, marsRow, withReading} from "../raw-folder.ts";

type Row = Readonly<Record<string, unknown>>;

/** Weights of the six rows of a sale. */
const weights = [520, 570, 620, 670, 720, 780];

/** A report of the sale under a day of September 2026, with a change to all rows. */
const sale = (day: number, change: Row = {}, lots = weights) => {
  const date = `09/${day}/2026`;
  const dates = {report_date: date, report_begin_date: date, report_end_date: date};
  return marsAnswer(
    lots.map((weight) =>
      marsRow({
        ...dates,
        ...{
          published_date: `${date} 18:00:00`,
          head_count: 2,
          weight_break_low: null,
          weight_break_high: null,
        },
        ...{avg_weight: weight, avg_weight_min: weight, avg_weight_max: weight},
        ...change,
      }),
    ),
  );
};

/** The sale events and the head that a folder of reports gives, and the rows rejected as `reissued`. */
async function salesOf(...reports: readonly string[]) {
  const files = Object.fromEntries(reports.map((text, at) => [`mars/${at}.json`, text]));
  let found = {};
  await withReading({files}, async ({db}) => {
    const sales = await db.rows("SELECT issue_id FROM sale_events ORDER BY issue_id");
    const [rows] = await db.rows("SELECT sum(head_count)::INTEGER AS head FROM price_rows");
    const [refused] = await db.rows(
      "SELECT count(*)::INTEGER AS n, any_value(detail) AS detail FROM row_rejects WHERE reject_reason = 'reissued'",
    );
    const superseded = await db.rows(
      "SELECT issue_id, superseded_by FROM report_issues WHERE NOT current ORDER BY issue_id",
    );
    found = {sales: sales.map(({issue_id}) => issue_id), head: rows!.head, refused: refused!.n, superseded};
  });
  return found;
}

describe("V31: a sale under two dates of one number", () => {
  test("counts once, under the date published later", async () => {
    expect(await salesOf(sale(15), sale(16))).toEqual({
      ...{sales: ["ams-9101@2026-09-16"], head: 12, refused: 6},
      superseded: [{issue_id: "ams-9101@2026-09-15", superseded_by: "ams-9101@2026-09-16"}],
    });
    const early = {published_date: "09/14/2026 18:00:00"};
    expect(await salesOf(sale(15), sale(16, early))).toMatchObject({
      sales: ["ams-9101@2026-09-15"],
      head: 12,
    });
  });

  test.each([
    ["4 days apart", [sale(15), sale(19)]],
    ["with another price", [sale(15), sale(16, {avg_price: 356})]],
    ["at another number", [sale(15), sale(16, {slug_id: 9102, slug_name: "AMS_9102"})]],
    ["of two rows and other receipts", [sale(15, {}, [520, 570]), sale(16, {receipts: 901}, [520, 570])]],
  ])("counts twice %s", async (_, reports) => {
    expect(await salesOf(...reports)).toMatchObject({refused: 0, superseded: []});
  });

  test("counts once with two rows only if the receipts are equal", async () => {
    expect(await salesOf(sale(15, {}, [520, 570]), sale(16, {}, [520, 570]))).toMatchObject({
      refused: 2,
      head: 4,
    });
  });
});

test("counts a sale that two numbers of one yard report on a day once, under the number that names the cattle", async () => {
  const named = {
    slug_id: 9103,
    slug_name: "AMS_9103",
    report_title: "Sample Creek Feeder Cattle Auction - Sample Creek, NE",
  };
  expect(await salesOf(sale(15), sale(15, named))).toMatchObject({
    ...{sales: ["ams-9103@2026-09-15"], head: 12, refused: 6},
  });
});

test("takes two feeds' summaries of one week, dated by its Friday and its Saturday, for versions of one", async () => {
  const summary = (day: number) =>
    sale(day, {
      ...{report_title: "Nebraska Weekly Cattle Summary", market_type_category: "Summary"},
      // Other prices, so that they are no one sale that was reported twice.
      ...{avg_price: 300 + day, published_date: `09/${day}/2026 18:00:00`},
    });
  expect(await salesOf(summary(18), summary(19))).toMatchObject({
    superseded: [{issue_id: "ams-9101@2026-09-18", superseded_by: "ams-9101@2026-09-19"}],
  });
  expect(await salesOf(summary(19), summary(20))).toMatchObject({superseded: []});
});
