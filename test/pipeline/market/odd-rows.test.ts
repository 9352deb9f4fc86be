import {promises} from "node:fs";
import {syncBuiltinESMExports} from "node:module";
import {setTimeout as sleep} from "node:timers/promises";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import type {FileReport} from "../../../schemas/build-report.ts";
import {temporaryFolder} from "../../server/server-fixture.ts";
import {marsAnswer, marsRow} from "./raw-folder.ts";
import {buildOn, opened, putRaw, tableOf, type WeeklyBuild} from "./weekly-builds.ts";

const asOf = "2026-09-22";
const day = "09/21/2026";

/** A row of an invented report; each file below is a market of its own. */
function row(report: number, change: Record<string, unknown> = {}): Record<string, unknown> {
  const town = `Town ${report}`;
  return marsRow({
    slug_id: report,
    slug_name: `AMS_${report}`,
    report_title: `${town} Livestock - ${town}, NE`,
    market_location_name: town,
    market_location_city: town,
    report_date: day,
    report_begin_date: day,
    report_end_date: day,
    published_date: `${day} 18:00:00`,
    ...change,
  });
}

const cow = {
  commodity: "Slaughter Cattle",
  class: "Cows",
  dressing: "Average",
  muscle_grade: "N/A",
  frame: "N/A",
};

/** Odd rows by report number; each has a good row beside it that must be priced as usual. */
const odd: Record<number, Record<string, unknown>> = {
  9301: {...cow, quality_grade_name: null, avg_price: 120, avg_price_min: 100, avg_price_max: 140},
  9302: {frame: null, avg_weight: 790},
  9303: {muscle_grade: null, avg_weight: 790},
  9304: {report_date: "13/39/2026", report_begin_date: "13/39/2026", report_end_date: "13/39/2026"},
  9305: {report_end_date: "2026-13-45", report_begin_date: "2026-13-45", report_date: "2026-02-30"},
  9306: {avg_weight: 1e99, weight_break_low: null, weight_break_high: null, avg_weight_max: null},
  9307: {receipts: 99_999_999_999, avg_weight: 791},
  9308: {published_date: "09/21/2026 25:61:61", avg_weight: 792},
  9309: {lot_desc: "half \ud800 a pair", avg_weight: 793},
  9310: {report_end_date: "0001-01-01"},
};
const printed = (date: string) =>
  `Invented Yard - Elm, NE\nReport for ${date} - Final\n\nhttps://mymarketnews.ams.usda.gov/viewReport/9399\n`;

describe("odd rows", () => {
  const folder = temporaryFolder();
  let built: WeeklyBuild;
  beforeAll(async () => {
    const retrievedAt = "2026-09-21T20:00:00Z";
    for (const [report, change] of Object.entries(odd)) {
      const rows = [row(Number(report)), row(Number(report), change)];
      await putRaw(folder.path, `mars/odd_${report}.json`, {content: marsAnswer(rows), retrievedAt});
    }
    const broken = `{"stats": {}, "results": [${JSON.stringify(row(9320))}, null, 7, ${JSON.stringify(row(9320, {avg_weight: 780}))}]}`;
    await putRaw(folder.path, "mars/broken_9320.json", {content: broken, retrievedAt});
    await putRaw(folder.path, "mars/short_9321.csv", {content: csv(["cut", ""]), retrievedAt});
    await putRaw(folder.path, "mars/quoted_9322.csv", {content: csv(['an open "', '"quote']), retrievedAt});
    await putRaw(folder.path, "ams-text/ams_9399_a.txt", {content: printed("13/45/2026"), retrievedAt});
    const quickly = openSlowly();
    built = await buildOn(folder.path, asOf).finally(quickly);
  });
  afterAll(() => folder.remove());

  /** Delays opening files, as on a busy disk: nothing that arrives meanwhile may be lost. Returns the function that ends it. */
  function openSlowly(): () => void {
    const {open} = promises;
    const set = (changed: typeof open) => {
      promises.open = changed;
      syncBuiltinESMExports();
    };
    set(async (...args) => {
      await sleep(20);
      return open(...args);
    });
    return () => set(open);
  }

  /** Three lines of a table, the middle one replaced by something that is no row. */
  function csv([kind, damage]: [string, string]): string {
    // Equal rows of two numbers would be one sale.
    const head = {head_count: kind === "cut" ? 11 : 12};
    const rows = [{}, {avg_weight: 780}, {avg_weight: 781}].map((change) =>
      Object.values({
        ...row(9321, {...head, ...change}),
        slug_name: kind === "cut" ? "AMS_9321" : "AMS_9322",
        slug_id: "",
        report_title: "Town Sales",
      }).join(","),
    );
    rows[1] = kind === "cut" ? rows[1]!.slice(0, 60) : rows[1]!.replace("Town 9321", damage);
    return [Object.keys(row(9321)).join(","), ...rows].join("\n");
  }

  function report(name: string): FileReport {
    return built.result.report.parts["MARKET"]!.find(({path}) => path.endsWith(name))!;
  }

  it("do not stop the market: no file fails because of them", () => {
    expect([built.result.outcome, built.result.heldBack]).toEqual(["published", []]);
    for (const name of Object.keys(odd))
      expect([name, report(`odd_${name}.json`).status]).toEqual([name, "read"]);
  });

  it("leave the good row beside them priced", async () => {
    await opened(async (db) => {
      const rows = await db.rows<{slug: string}>(
        `SELECT DISTINCT report_slug AS slug FROM ${tableOf(built, "price_rows/*/rows")} WHERE avg_weight_lb = 775 ORDER BY slug`,
      );
      expect(rows.map(({slug}) => slug)).toEqual(
        [...Object.keys(odd), "9320", "9321", "9322"].map((report) => `ams-${report}`),
      );
    });
  });

  it("are kept with null, or quarantined with their place and published words", async () => {
    expect(report("odd_9301.json").accepted).toBe(2);
    expect(report("odd_9304.json").rejected).toEqual({no_report_date: 1});
    expect(report("odd_9305.json").rejected).toEqual({no_report_date: 1});
    expect(report("odd_9310.json")).toMatchObject({rowsIn: 2});
    expect(report("broken_9320.json")).toMatchObject({rowsIn: 4, accepted: 2, rejected: {unread_line: 2}});
    expect(report("short_9321.csv")).toMatchObject({rowsIn: 3, accepted: 2, rejected: {unread_line: 1}});
    expect(report("quoted_9322.csv")).toMatchObject({rowsIn: 3, accepted: 2, rejected: {unread_line: 1}});
    await opened(async (db) => {
      const [kept] = await db.rows<{detail: string}>(
        `SELECT detail FROM ${tableOf(built, "quarantine")} WHERE source_path LIKE '%odd_9304.json'`,
      );
      expect(kept!.detail).toBe("no period of the calendar: 13/39/2026 13/39/2026 13/39/2026 came");
    });
  });

  it("of a printed report with an impossible date name the file and the line", () => {
    expect(report("ams_9399_a.txt")).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(
        /ams_9399_a\.txt: got "Report for 13\/45\/2026 - Final"; expected a line/,
      ),
    });
  });
});
