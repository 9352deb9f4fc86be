import {describe, expect, it, test} from "vitest";
import {limitations} from "../../../../lib/limitations.ts";
import {summary_completeness} from "../../../../pipeline/market/answers/summary-completeness.ts";
import {given} from "../../../lib/models/given.ts";
import {answersOf, evidenceWith, stateRecord, venueSaid} from "./answer-build.ts";
import type {RowSaid} from "./workshop.ts";

const week = {report_begin_date: "2026-07-19", report_end_date: "2026-07-25"};
const id = "ams-1@2026-07-25";

/** The completeness of an invented summary of 1,978 feeders, printed on a Friday, beside the feeders sold on some days. */
async function completeness(
  sales: Readonly<Record<string, number>>,
  {stated = 1978, printed = "2026-07-24"}: {stated?: number; printed?: string | null} = {},
) {
  const sold = Object.entries(sales);
  return await given({
    latest_summaries: [{...week, state: "KS", report_slug: "ams-1", issue_id: id}],
    summary_events: [{issue_id: id, receipts: stated, receipts_by_commodity: `{feeder_cattle=${stated}}`}],
    sale_events: sold.map(([sale_date, head]) => ({
      ...{state: "KS", sale_date, issue_id: `ams-2@${sale_date}`, receipts: head},
      ...{receipts_by_commodity: `{feeder_cattle=${head}}`, head_by_commodity: "{}"},
    })),
    issue_versions: [
      {issue_id: id, current: true, issue_published_at: printed, report_scope: "state_summary"},
      ...sold.map(([day]) => ({
        ...{issue_id: `ams-2@${day}`, current: true, report_scope: "venue", report_program: "voluntary"},
        ...{venue_id: "ks-dodge", venue_name: "Dodge Yard"},
      })),
    ],
  }).expect(summary_completeness);
}

const held = (said: object) => [
  {
    issue_id: id,
    commodity: "feeder_cattle",
    completeness: expect.stringContaining(JSON.stringify(said).slice(1, -1)),
  },
];

describe("whether a summary holds its week", () => {
  it("V27, L31: finds the summary of a Friday incomplete that lacks Saturday's 6,235 head, and a later version of 8,213 head not", async () => {
    (await completeness({"2026-07-25": 6235})).toMatchObject([
      {
        completeness: JSON.stringify({
          ...{status: "incomplete", commodity: "feeder_cattle", printed_on: "2026-07-24"},
          ...{stated_receipts: 1978, known_receipts: 6235},
          missing_sales: [
            {venue_id: "ks-dodge", venue_name: "Dodge Yard", sale_date: "2026-07-25", receipts: 6235},
          ],
        }),
      },
    ]);
    (await completeness({"2026-07-25": 6235}, {stated: 8213, printed: "2026-07-27"})).toMatchObject(
      held({status: "no_sale_known_missing"}),
    );
  });

  test("a print of Friday is early only with a sale of Saturday, one of Thursday always", async () => {
    (await completeness({"2026-07-23": 900})).toMatchObject(held({status: "no_sale_known_missing"}));
    (await completeness({"2026-07-23": 900, "2026-07-25": 40})).toMatchObject(
      held({status: "printed_before_week_end"}),
    );
    (await completeness({}, {printed: "2026-07-23"})).toMatchObject(
      held({status: "printed_before_week_end"}),
    );
  });

  test("50 head or 2 % more than it states are within its rounding, and sales of other weeks are none of its", async () => {
    (await completeness({"2026-07-22": 2028}, {printed: null})).toMatchObject(
      held({status: "no_sale_known_missing"}),
    );
    (await completeness({"2026-07-22": 2029}, {printed: null})).toMatchObject(held({status: "incomplete"}));
    (await completeness({"2026-07-18": 9000, "2026-07-26": 9000})).toEqual([]);
  });
});

const venues = ["ok-a", "ok-b", "ok-c"].map((venueId) => venueSaid({venueId}));
const steers = "feeder-steers-ml1-0750-0799-cwt";
/** A summary of the week to 2026-11-14, which ended 7 days before the date of the build. */
const summary: RowSaid = {
  scope: "state_summary",
  begin: "2026-11-08",
  end: "2026-11-14",
  head: 200,
  price: 340,
};
const sale = (venue: string, head: number, price: number): RowSaid => ({
  venue,
  head,
  price,
  end: "2026-11-16",
});

describe("sales after the week of a summary", () => {
  it("are told beside its figure", async () => {
    const built = await answersOf([summary, sale("ok-a", 30, 350)], venues);
    const record = stateRecord(built, "OK", steers)!;
    expect(record).toMatchObject({
      ...{price_basis: "official_state_summary", price_avg: 340, official: null},
      newer_sales: {
        first_date: "2026-11-16",
        last_date: "2026-11-16",
        venues: 1,
        head_count: 30,
        price_avg: 350,
      },
    });
    const {claim, limitations: told} = evidenceWith(built, record.evidence_id)!;
    expect(claim).toMatch(/Newer sales at 1 venue, 2026-11-16, brought 350\.00 USD per cwt on 30 head\.$/);
    expect(told).toContain(limitations.L28);
  });

  it("are no figure of their own where they are thin, and none of another commodity", async () => {
    const thin = await answersOf([summary, sale("ok-a", 3, 350)], venues);
    const record = stateRecord(thin, "OK", steers)!;
    expect(record.newer_sales).toBeNull();
    expect(evidenceWith(thin, record.evidence_id)!.limitations).toContain(limitations.L28);
    const cows: RowSaid = {
      ...sale("ok-a", 30, 120),
      commodity: "slaughter_cattle",
      class: "cows",
      quality: "boner",
    };
    const other = await answersOf([summary, cows], venues);
    const evidence = evidenceWith(other, stateRecord(other, "OK", steers)!.evidence_id)!;
    expect(evidence.limitations).not.toContain(limitations.L28);
  });

  it("outrank it from the eighth day with three venues or 500 head, and it stands beside them", async () => {
    const sales = ["ok-a", "ok-b", "ok-c"].map((venue) => sale(venue, 20, 350));
    const basis = async (rows: readonly RowSaid[], date: string) =>
      stateRecord(await answersOf([summary, ...rows], venues, {date}), "OK", steers);
    expect(await basis(sales, "2026-11-22")).toMatchObject({
      ...{price_basis: "derived_rollup", price_avg: 350, venues_reporting: 3, newer_sales: null},
      official: {
        ...{report_slug: "ams-900", issue_id: "ams-900@2026-11-14", week_begin_date: "2026-11-08"},
        ...{week_end_date: "2026-11-14", price_avg: 340, head_count: 200},
      },
    });
    const official = {price_basis: "official_state_summary"};
    expect(await basis(sales, "2026-11-21")).toMatchObject(official);
    expect(await basis(sales.slice(1), "2026-11-22")).toMatchObject(official);
    expect(await basis([sale("ok-a", 500, 350)], "2026-11-22")).toMatchObject({
      price_basis: "derived_rollup",
    });
    expect(
      await basis([...sales.map((row) => ({...row, weight: 610})), sale("ok-a", 9, 350)], "2026-11-22"),
    ).toMatchObject(official);
  });
});
