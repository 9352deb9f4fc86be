import {describe, expect, it} from "vitest";
import {chooseReports, listedReports} from "../../pipeline/fetch/jobs/report-list.ts";

const lines = [
  "Published reports for the last 14 days",
  "",
  "Slug ID   Slug Name   Ext   Published Date         Msec           Report Begin Date   Report End Date   Report Title",
  "99401     ams_99401   PDF   2026-11-18 17:06:14.0  1795022774000  2026-11-16          2026-11-16        Nowhere Livestock -  Nowhere, KS",
  "  99402   AMS_99402   TXT   11/18/2026 09:30:00    11/15/2026     11/21/2026   Nowhere Weekly Auction Summary",
  "Total: 2 reports",
];

describe("the keyless index of reports", () => {
  it.each([
    ["as text", lines.join("\n")],
    ["as text with other line ends", lines.join("\r\n")],
    ["as one JSON string", JSON.stringify(lines.join("\n"))],
  ])("is read %s", (_, text) => {
    const {reports, ...rest} = listedReports(text)!;
    expect(rest).toEqual({unread: 0, isCut: false});
    expect(reports).toMatchObject([
      {
        slug: "99401",
        title: "Nowhere Livestock - Nowhere, KS",
        publishedMs: 1_795_022_774_000,
        document: "ams_99401.pdf",
      },
      {
        slug: "99402",
        title: "Nowhere Weekly Auction Summary",
        publishedMs: Date.parse("2026-11-18T09:30:00Z"),
        document: "AMS_99402.txt",
      },
    ]);
  });

  it("may be empty, but must not be a page or an error", () => {
    for (const [empty, isCut] of [
      ["Published reports\n\nSlug ID  Slug Name\n", true],
      ["Corrected Reports\n\nTotal: 0 reports\n", false],
    ] as const)
      expect(listedReports(JSON.stringify(empty)), empty).toEqual({reports: [], unread: 0, isCut});
    for (const text of [
      "<html><body>Slug maintenance</body></html>",
      '{"message":"Access is denied"}',
      "busy",
      "Invalid slug or date range",
      "There are no reports available: system maintenance",
      "[1]",
    ])
      expect(listedReports(text), text).toBeNull();
  });

  it("may have been cut wherever it ends without its total", () => {
    const text = lines.join("\n");
    const total = text.indexOf("Total");
    const first = text.indexOf("99401") + lines[3]!.length;
    for (let end = first; end < text.length - 1; end++)
      expect(listedReports(text.slice(0, end)), text.slice(-20, end)).toMatchObject({isCut: true});
    expect(listedReports(`${text.slice(0, total)}Total: 3 reports`)).toMatchObject({isCut: false, unread: 1});
  });
});

it("reads the newer index by its instant of 13 digits and its document, not by the days of the report", () => {
  const index = [
    "Published Reports",
    "",
    "Slug ID  Published Date  Published Date(msec)  Report Begin Date  Report End Date  Final  Document  Report Title",
    "99411 2026-11-25 15:45:31 MST 1795646731803 2026-11-19 2026-11-25 x https://www.ams.usda.gov/mnreports/ams_99411.pdf Nowhere Weekly Cattle Summary",
    "99412 2026-11-25 07:00:00 EST 1795608000000 2026-11-24 2026-11-24 https://www.ams.usda.gov/mnreports/NW_LS412.txt 2026 Nowhere Auction",
    "",
    "Total: 3 reports",
  ].join("\n");
  expect(listedReports(index)).toEqual({
    reports: [
      {
        ...{slug: "99411", title: "Nowhere Weekly Cattle Summary", marketTypes: null, corrected: false},
        ...{publishedMs: 1_795_646_731_803, document: "https://www.ams.usda.gov/mnreports/ams_99411.pdf"},
      },
      {
        ...{slug: "99412", title: "2026 Nowhere Auction", marketTypes: null, corrected: false},
        ...{publishedMs: 1_795_608_000_000, document: "https://www.ams.usda.gov/mnreports/NW_LS412.txt"},
      },
    ],
    ...{unread: 1, isCut: false},
  });
});

it("reads the JSON list of public clients, whose `id` is the number of the report", () => {
  const list = {
    reports: [
      {
        ...{
          id: 99421,
          fileName: "NW_LS421",
          fileExtension: ".TXT",
          reportTitle: "Nowhere Auction",
          correction: "x",
        },
        ...{publishedDate: "2026-11-25 15:45:31", publishedDateMilliseconds: 1_795_646_731_803},
      },
      {reportTitle: "an entry without a number"},
    ],
  };
  expect(listedReports(JSON.stringify(list))).toMatchObject({
    reports: [{slug: "99421", publishedMs: 1_795_646_731_803, document: "NW_LS421.txt", corrected: true}],
    unread: 1,
  });
});

it.each([
  ["one instant", ["2026-11-27", "2026-11-27"], "first"],
  ["the newer before the older", ["2026-11-27", "2026-11-20"], "first"],
  ["the older before the newer", ["2026-11-20", "2026-11-27"], "second"],
  ["one without an instant behind", ["2026-11-27", null], "second"],
  ["one without an instant before", [null, "2026-11-27"], "first"],
])("takes the newest of two lines of one report, here %s", (_, days, document) => {
  const [first, second] = days.map((day, i) => ({
    ...{slug: "1889", title: "Nowhere Auction", marketTypes: null, corrected: i === 0},
    publishedMs: day === null ? null : Date.parse(day),
    document: i === 0 ? "first" : "second",
  }));
  const {chosen} = chooseReports([first!, second!]);
  expect(chosen).toEqual([{...(document === "first" ? first : second), corrected: true}]);
});

it("selects from a list without market types by number, and an unknown number by title", () => {
  const report = (slug: string, title: string) => ({
    slug,
    title,
    marketTypes: null,
    publishedMs: null,
    document: null,
    corrected: false,
  });
  const {chosen} = chooseReports([
    report("1280", "no word of it"),
    report("1772", "Sheep and goats under a known number"),
    report("99501", "Nowhere Stockyard"),
    report("99502", "Nowhere Sheep and Goat Auction"),
    report("99503", "Onions"),
  ]);
  expect(chosen.map(({slug}) => slug)).toEqual(["1280", "99501"]);
});
