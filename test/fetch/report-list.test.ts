import {describe, expect, it} from "vitest";
import {chooseReports, listedReports} from "../../pipeline/fetch/jobs/report-list.ts";

const lines = [
  "Published reports for the last 14 days",
  "",
  "Slug ID   Slug Name   Ext   Published Date         Msec           Report Begin Date   Report End Date   Report Title",
  "99401     ams_99401   PDF   2026-11-18 17:06:14.0  1795022774000  2026-11-16          2026-11-16        Nowhere Livestock -  Nowhere, KS",
  "  99402   AMS_99402   TXT   11/18/2026 09:30:00    11/15/2026     11/21/2026   Nowhere Weekly Auction Summary",
];

describe("the keyless index of reports", () => {
  it.each([
    ["as text", lines.join("\n")],
    ["as text with other line ends", lines.join("\r\n")],
    ["as one JSON string", JSON.stringify(lines.join("\n"))],
  ])("is read %s", (_, text) => {
    expect(listedReports(text)).toMatchObject([
      {
        slug: "99401",
        title: "Nowhere Livestock - Nowhere, KS",
        publishedMs: Date.parse("2026-11-18T17:06:14Z"),
      },
      {
        slug: "99402",
        title: "Nowhere Weekly Auction Summary",
        publishedMs: Date.parse("2026-11-18T09:30:00Z"),
      },
    ]);
  });

  it("may be empty, but must not be a page or an error", () => {
    expect(listedReports(JSON.stringify("Published reports\n\nSlug ID  Slug Name\n"))).toEqual([]);
    for (const text of [
      "<html><body>Slug maintenance</body></html>",
      '{"message":"Access is denied"}',
      "busy",
      "[1]",
    ])
      expect(listedReports(text), text).toBeNull();
  });
});

it("selects from a list without market types by number, and an unknown number by title", () => {
  const report = (slug: string, title: string) => ({
    slug,
    title,
    marketTypes: null,
    publishedMs: null,
    corrected: false,
  });
  const {wanted} = chooseReports([
    report("1280", "no word of it"),
    report("1772", "Sheep and goats under a known number"),
    report("99501", "Nowhere Stockyard"),
    report("99502", "Nowhere Sheep and Goat Auction"),
    report("99503", "Onions"),
  ]);
  expect(wanted.map(({slug}) => slug)).toEqual(["1280", "99501"]);
});
