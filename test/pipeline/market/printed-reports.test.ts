import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {parsePrintedReport, type RawReportRow} from "@open-cattle/usda-reports";
import {expect, test} from "vitest";
import {packageRoot} from "../../../lib/paths.ts";
import {withReading} from "./raw-folder.ts";

const cases = join(packageRoot, "test", "cases", "printed-reports");

/** One line per row, so that a person can compare it with the printed report. */
function rowLine(row: RawReportRow): string {
  const range = (low?: number | null, high?: number | null) => (low === high ? `${low}` : `${low}-${high}`);
  const cattle = [
    row.commodity,
    row.class,
    row.grade,
    row.offspring_weight,
    row.age,
    row.pregnancy_stage,
    row.dressing,
    row.lot_desc,
  ];
  const numbers = [
    row.head_count,
    range(row.avg_weight_min, row.avg_weight_max),
    row.avg_weight,
    range(row.avg_price_min, row.avg_price_max),
    row.avg_price,
  ];
  return [
    cattle.map((text) => text ?? "").join("|"),
    numbers.join(" "),
    row.price_unit,
    row.weight_collect,
    row.reject_reason ?? "",
  ].join(" ; ");
}

for (const name of readdirSync(cases)) {
  test(`reads the printed report of the case ${name} as its out folder says`, () => {
    const [file] = readdirSync(join(cases, name, "in"));
    const {header, rows} = parsePrintedReport(readFileSync(join(cases, name, "in", file!), "utf8"), file!);
    const actual = `${JSON.stringify(header, null, 2)}\n${rows.map((row) => `${rowLine(row)}\n`).join("")}`;
    const out = join(cases, name, "out", "report.txt");
    if (!existsSync(out) && process.env["CI"] === undefined) {
      mkdirSync(join(cases, name, "out"), {recursive: true});
      writeFileSync(out, actual);
    }
    expect(actual).toBe(readFileSync(out, "utf8"));
  });
}

/** The same report as other tools would deliver it. */
const variants: Readonly<Record<string, (text: string) => string>> = {
  "without form feeds": (text) => text.replaceAll("\f", ""),
  "with line ends of Windows": (text) => text.replaceAll("\n", "\r\n"),
  "with line ends of old Macs": (text) => text.replaceAll("\n", "\r"),
  "with line ends that two tools changed": (text) => text.replaceAll("\n", "\r\r\n"),
  "with hard blanks and hyphens": (text) => text.replaceAll(" ", "\u00a0").replaceAll(/(?<=\d)-/g, "\u2011"),
  "with longer names of columns": (text) => text.replaceAll(/Wt( Range)? {4}(?= )/g, "Weight$1"),
  "with a label over its comments": (text) => text.replaceAll(/Avg Price$/gm, "Avg Price   Lot Description"),
  "shifted to the right": (text) => text.replaceAll(/^(\f?)(?=.)/gm, "$1      "),
};

for (const [variant, change] of Object.entries(variants)) {
  test(`reads the same rows from a report ${variant}`, () => {
    for (const name of readdirSync(cases)) {
      const [file] = readdirSync(join(cases, name, "in"));
      const text = readFileSync(join(cases, name, "in", file!), "utf8");
      expect(parsePrintedReport(change(text), file!)).toEqual(parsePrintedReport(text, file!));
    }
  });
}

test("refuses a text without a report line and says what was expected", () => {
  expect(() => parsePrintedReport("Dear reader,\nno report today.\n", "market/ams-text/letter.txt")).toThrow(
    /^no date of a printed market report was found; expected a line "… Report for/,
  );
});

test.each(["9/15/20261", "9/13/2026 - 9/19/20261", "9/13/2026 to 9/1"])(
  "refuses a report with a damaged date instead of reading a part of it: %s",
  (dates) => {
    const text = `Invented Yards - Nowhere, OK\n\nLivestock Weighted Average Report for ${dates} - Final\n`;
    expect(() => parsePrintedReport(text, "ams_9104.txt")).toThrow(/got "Report for .*; expected a line/);
  },
);

test.each([
  ["No auction this week due to the holiday.", true],
  ["Sale cancelled due to a winter storm.", true],
  ["The auction was canceled.", true],
  ["There will be no sale next Thursday.", false],
  ["Due to the extreme heat there was no\nsale held this week. The next sale is September 8.", true],
  ["No cattle sale this week due to Labor Day.", true],
  ["There were no sales this week.", true],
  ["There was not a sale this week.", true],
  ["Sale was not held due to ice.", true],
  ["*** NO SALE This Week, next sale September 8 ***", true],
  ["NO SALE THIS WEEK", true],
  ["There was no sale on September 1.", true],
  ["There will be no sale\nnext Thursday.", false],
  ["No sale September 8.", false],
  ["There was no sale held last week.", false],
  ["There were no comparable sales to establish a trend.", false],
])("knows whether a report's own sale was held: %s", (line, no_sale) => {
  const text = `Invented Yards - Nowhere, OK\n\nLivestock Weighted Average Report for 9/1/2026 - Final\n\n${line}\n`;
  expect(parsePrintedReport(text, "ams_9104.txt").header.no_sale).toBe(no_sale);
});

test("takes the report number from the file name where the footer is lost", () => {
  const text = "Invented Yards - Nowhere, OK\n\nLivestock Weighted Average Report for 9/1/2026 - Final\n";
  expect(parsePrintedReport(text, "market/ams-text/ams_9104_2026-09-01.txt").header.slug).toBe("ams-9104");
  expect(() => parsePrintedReport(text, "market/ams-text/report.txt")).toThrow(/no report number/);
});

const wellLaid = readFileSync(join(cases, "well-laid-report", "in", "ams_9101_2026-09-15.txt"), "utf8");

function acceptedAndKeptBack(text: string): [number, number] {
  const {rows} = parsePrintedReport(text, "ams_9101.txt");
  return [
    rows.filter((row) => !row.reject_reason).length,
    rows.filter((row) => row.reject_reason === "layout_uncertain").length,
  ];
}

test("rejects and counts rows above the first section, and tables without a section", () => {
  const keptBack = (text: string) =>
    Map.groupBy(parsePrintedReport(text, "ams_9101.txt").rows, (row) => row.reject_reason ?? "accepted");
  const sectionless = wellLaid.replace("FEEDER CATTLE\n", "\n");
  expect(keptBack(sectionless).get("layout_uncertain")).toHaveLength(7);
  const bare = sectionless.replace("STEERS - Medium and Large 1 (Per Cwt / Actual Wt)", "");
  expect(keptBack(bare).get("unread_line")).toHaveLength(4);
});

/** The text with each table cell on its own line, as some tools extract it from a PDF. */
function inCellLines(text: string): string {
  const isTable = /^\s*(?:(?:[<>]?\d\S*|O|T\d\S*)\s{2,}.*\.\d\d\b|(?:Age|Stage|Head)\s{2,}.*Price)/;
  const lines = text.split("\n").map((line) => (isTable.test(line) ? line.trim().split(/\s{2,}/) : [line]));
  return lines.flat().join("\n");
}

test("reads the same rows, and no others, if each cell is on its own line", () => {
  const cattle = (text: string) => parsePrintedReport(text, "ams_9101.txt").rows;
  // A row of that report lacks its weights, so its table is rejected as a whole.
  const whole = wellLaid.replace(/^ +T3 {10}4 .*\n/m, "");
  expect(inCellLines(whole)).toContain("\nWt Range\nAvg Wt\n");
  expect(cattle(inCellLines(whole))).toEqual(cattle(whole));
  expect(cattle(inCellLines(wellLaid)).filter((row) => row.reject_reason)).toHaveLength(2);
});

test("reads the same receipts if each is on its own line, but none if one of their periods has no numbers", () => {
  const block = /^(?:.*This Week.*|(?:Total Receipts|[A-Z][a-z]+ Cattle):.*)$/gm;
  const inCells = (text: string) =>
    inCellLines(text).replaceAll(block, (line) =>
      line
        .trim()
        .split(/\s{2,}/)
        .join("\n"),
    );
  const headerOf = (text: string) => parsePrintedReport(text, "ams_9101.txt").header;
  const twoPeriods = wellLaid.replace(/ +Last Year$/m, "");
  expect(headerOf(inCells(twoPeriods))).toEqual(headerOf(twoPeriods));
  expect(headerOf(inCells(wellLaid))).toMatchObject({receipts: {}, receipts_prior: {}});
});

test("accounts for the prices of a table whose columns are printed one below the other", () => {
  const text = `Invented Yards - Nowhere, OK

Livestock Weighted Average Report for 9/1/2026 - Final

FEEDER CATTLE

STEERS - Medium and Large 1 (Per Cwt / Actual Wt)
Head
6
4

Wt Range
904
585-590

Avg Wt
904
588

Price Range
315.00
400.00-403.00

Avg Price
315.00
401.50
`;
  const {rows} = parsePrintedReport(text, "ams_9104.txt");
  expect(rows.map((row) => row.reject_reason)).toEqual(Array(4).fill("unread_line"));
});

test("rejects the rows of a table whose heading is missing", () => {
  expect(acceptedAndKeptBack(wellLaid)).toEqual([21, 0]);
  expect(acceptedAndKeptBack(wellLaid.replace("DAIRY STEERS - Large 3 (Per Cwt / Actual Wt)", ""))).toEqual([
    20, 1,
  ]);
});

test.each([
  [
    "weights that fall",
    [[/\n\n\nHEIFERS - Medium and Large 1 \(Per Unit.*\n.*Avg Price$/m, ""]],
    "weights fall from 625 to 212 lb without a heading",
  ],
  [
    "blank lines",
    [[/^HEIFERS - Medium and Large 1 \(Per Unit.*\n.*Avg Price\n/m, ""]],
    "blank lines stand above the row without a heading",
  ],
  [
    "a blank line below the column names",
    [[/(?<=\nSTEERS - Medium and Large 1 \(.*\n.*Avg Price\n)/, "\n"]],
    "blank lines stand above the row without a heading",
  ],
  [
    "a second row of one bin and comment",
    [
      [
        "   1                247              247                  600.00         600.00     Unweaned",
        "  14             501-502            501               440.00-465.00     447.24",
      ],
    ],
    "a second row of the bin of 522 lb stands under one heading",
  ],
  [
    "an age that falls",
    [
      [
        /\n\n\nBULLS - Medium and Large 1 \(Per Unit.*\n.*Avg Price\n.*/m,
        "\n    2-8          O          1            1000-1200             1167      3325.00-4400.00        4220.83",
      ],
    ],
    "2-8 O stands below >8 O without a heading",
  ],
  [
    "a bred heifer that is open",
    [["<2         T1-2        5", "<2         O           5"]],
    "BRED HEIFERS of stage O",
  ],
  [
    "a second row of one dressing",
    [
      [
        "1150              190.00-220.00    205.75       Average Return to Feed",
        "1150              190.00-220.00    205.75       Average",
      ],
    ],
    "a second row of dressing Average stands under one heading",
  ],
  [
    "a dressing above which it stands by the alphabet",
    [
      ["182.00-184.00    183.08           High", "162.00-164.00    163.08            Low"],
      ["101.00-111.00    106.30      Very Low", "181.00-191.00    186.30      High"],
    ],
    "dressing High stands below Low without a heading",
  ],
  [
    "a lower dressing that brings more",
    [["101.00-111.00    106.30", "186.00-196.00    191.30"]],
    "191.3 of dressing Very Low stands below 171.01 of Average under one heading",
  ],
  [
    "a price that is far from its grade's",
    [["182.00-184.00    183.08", "290.00-320.00    305.75"]],
    "305.75 stands below 171.01 of one grade",
  ],
  [
    "a second row of one age and stage, from the head of a page",
    [
      ["    >8          O          6   ", "    2-8         O          6   "],
      ["Broken Mouth", ""],
    ],
    "a second row of 2-8 O begins a page without a heading",
  ],
  [
    "a row below a page that ends with more blank lines than three",
    [["4050.00\n\nSource", "4050.00\n\n\n\n\nSource"]],
    "blank lines stand above the row without a heading",
  ],
  [
    "more head than the report states of the class",
    [["  310             751-799", "  610             751-799"]],
    "745 head of STEERS, where the report states at most 555",
  ],
  [
    "a price that bulls by the head never bring",
    [["3700.00-7000.00         4677.46", "  250.00-280.00          266.26"]],
    "266.26 Per Unit is not a price of BULLS, expected 300 to 60000",
  ],
] as const)("rejects the rows of a table from %s to the next heading", (_kind, changes, detail) => {
  const damaged = changes.reduce((text: string, [from, to]) => text.replace(from, to), wellLaid);
  const {rows} = parsePrintedReport(damaged, "ams_9101.txt");
  const refused = rows.filter(({reject_reason}) => reject_reason === "layout_uncertain");
  expect(refused.map(({reject_detail}) => reject_detail)).toContain(detail);
  expect(refused.length).toBeLessThan(5);
});

test.each([
  ["DAIRY STEERS - Large 3 (Per", "DAIRY STEERS # Large 3 (Per"],
  ["DAIRY STEERS - Large 3 (Per", "DAIRY STEERS - Large 3 (#er"],
  ["DAIRY STEERS - Large 3 (Per", "DAIRY STEERS - Number 1 (Per"],
])("rejects the rows below an unreadable heading: %s -> %s", (from, to) => {
  expect(acceptedAndKeptBack(wellLaid.replace(from, to))).toEqual([20, 1]);
});

test("rejects rows below a header line that follows a blank line, and rows of a table without a header", () => {
  const damaged = wellLaid
    .replace(/(STEERS - Medium and Large 1 \(Per Cwt.*\n).*Avg Price\n/, "$1")
    .replace(/DAIRY STEERS - .*\n/, "");
  const {rows} = parsePrintedReport(damaged, "ams_9101.txt");
  expect(rows.find(({avg_price}) => avg_price === 310)).toMatchObject({
    reject_reason: "layout_uncertain",
    reject_detail: "the heading of the table is missing",
  });
});

test("rejects rows with a dressing, and numbered bulls, if the line SLAUGHTER CATTLE is missing", () => {
  const {rows} = parsePrintedReport(wellLaid.replace("SLAUGHTER CATTLE", ""), "ams_9101.txt");
  const kept = rows.filter(({reject_reason}) => reject_reason === "layout_uncertain");
  const whole = parsePrintedReport(wellLaid, "ams_9101.txt").rows;
  expect(kept.length).toBe(whole.filter(({commodity}) => commodity === "SLAUGHTER CATTLE").length);
});

test("rejects a report whose pages are out of order, but reads a line printed twice", () => {
  const [first, second, third] = wellLaid
    .split(/(?=\f)|(?<=viewReport\/9101\n)/)
    .filter((page) => page.trim() !== "");
  const swapped = parsePrintedReport([first, third, second].join(""), "ams_9101.txt");
  expect(swapped.missing).toBe("its pages are in the order 1, 3, 2");
  // A page twice, without its footer.
  const twice = parsePrintedReport(
    [first, second!.replace(/^Source:.*$/m, ""), second, third].join(""),
    "ams_9101.txt",
  );
  expect(twice.missing).toBe("received 4 of 3 pages");
  const row = wellLaid.split("\n").find((line) => line.includes("1290-1810"))!;
  expect(acceptedAndKeptBack(wellLaid.replace(row, `${row}\n${row}`))).toEqual([22, 0]);
});

test("rejects pairs whose calf weight lost a digit", () => {
  const damaged = wellLaid.replace("w/ 150-300 lbs calf", "w/ 150-#00 lbs calf");
  expect(acceptedAndKeptBack(damaged)[1]).toBeGreaterThan(0);
});

test("rejects replacement cattle in another section", () => {
  expect(acceptedAndKeptBack(wellLaid.replace("REPLACEMENT CATTLE\n", "\n"))).toEqual([15, 6]);
});

test.each([
  ["below the notes", /^Please Note:$/m, "Please Note:\n$row"],
  ["in a letterhead", /^(Email us.*)$(?![\s\S]*^Email us)/m, "$row\n$1"],
  ["in a footer", /^(Source: .*)$/m, "$1\n$row"],
])("names a row that was moved %s", (_place, found, instead) => {
  const row = wellLaid.split("\n").findLast((line) => /^\s+\S+.*\d\.\d{2}/.test(line))!;
  const without = wellLaid.replace(`${row}\n`, "");
  const {rows} = parsePrintedReport(without.replace(found, instead.replace("$row", row)), "ams_9101.txt");
  const refused = rows.filter(({reject_reason}) => reject_reason === "unread_line");
  expect(refused.map(({reject_detail}) => reject_detail)).toEqual([
    expect.stringContaining(row.trim().replaceAll(/\s{2,}/g, "  ")),
  ]);
  expect(rows.filter(({reject_reason}) => !reject_reason)).toHaveLength(20);
});

test("reads a report in UTF-16 like the same one in UTF-8", async () => {
  const name = "ams-text/ams_9101_2026-09-15.txt";
  const counts: unknown[] = [];
  for (const content of [Buffer.from(wellLaid), Buffer.from(`\uFEFF${wellLaid}`, "utf16le")]) {
    await withReading({files: {[name]: content}}, async ({report}) => {
      const {status, accepted, rejected} = report(name);
      counts.push({status, accepted, rejected});
    });
  }
  expect(counts[1]).toEqual(counts[0]);
  expect(counts[0]).toMatchObject({status: "read", accepted: 20});
});

test("refuses a file of several reports, so that no row is assigned to another market", () => {
  const foot = (slug: number) =>
    `Source: USDA AMS   Page 1 of 1\n    https://mymarketnews.ams.usda.gov/ | https://mymarketnews.ams.usda.gov/viewReport/${slug}\n`;
  const text = (slug: number, date: string) =>
    reordered([0, 1, 2, 3, 4]).replace("9/1/2026", date) + foot(slug);
  const both = (a: string, b: string) => () => parsePrintedReport(`${a}\f${b}`, "two.txt");
  expect(both(text(9301, "9/1/2026"), text(9302, "9/1/2026"))).toThrow(
    "expected one report, got several (9301, 9302): put each into its own file.",
  );
  expect(both(text(9301, "9/1/2026"), text(9301, "9/8/2026"))).toThrow("(9/1/2026, 9/8/2026)");
  expect(both(text(9301, "9/1/2026"), foot(9301))).not.toThrow();
});

/** The printed rows without rejections, and the texts of the rejected ones. */
function readLines(text: string): [string[], string[]] {
  const {rows} = parsePrintedReport(text, "ams_9101.txt");
  const refused = rows.filter(({reject_reason}) => reject_reason);
  return [
    rows.filter((row) => !refused.includes(row)).map(rowLine),
    refused.map(({reject_detail}) => reject_detail ?? ""),
  ];
}

test("reads ranges with spaces or a long dash", () => {
  const [expected] = readLines(wellLaid);
  for (const dash of [" - ", " – ", "–", "—"]) {
    const spaced = wellLaid.replaceAll(/(?<=\s\d[\d.]*)-(?=\d[\d.]*\s)/g, dash);
    expect(spaced).not.toBe(wellLaid);
    expect(readLines(spaced)).toEqual([expected, []]);
  }
});

/** The table of a report with reordered columns, each in the position of the column it replaces. */
function reordered(order: readonly number[]): string {
  const header = ["Head", "Wt Range", "Avg Wt", "Price Range", "Avg Price"];
  const row = ["6", "633-640", "636", "385.00-390.00", "387.00"];
  const print = (cells: readonly string[]) => `  ${order.map((i) => cells[i]!.padEnd(16)).join("")}`;
  const lines = [
    "Invented Yards - Nowhere, OK",
    "Livestock Weighted Average Report for 9/1/2026 - Final",
    "",
    "FEEDER CATTLE",
    "",
    "STEERS - Medium and Large 1 (Per Cwt / Actual Wt)",
    print(header),
    print(row),
    print(["12", "700", "700", "340.00", "340.00"]),
  ];
  return `${lines.join("\n")}\n`;
}

test.each([[[0, 1, 2, 3, 4]], [[1, 2, 0, 3, 4]], [[0, 2, 1, 4, 3]], [[4, 3, 2, 1, 0]], [[3, 4, 0, 1, 2]]])(
  "reads columns in the order %j as the header names them",
  (order) => {
    expect(readLines(reordered(order))).toEqual([
      [
        "FEEDER CATTLE|STEERS|Medium and Large 1||||| ; 6 633-640 636 385-390 387 ; Per Cwt ; Actual Wt ; ",
        "FEEDER CATTLE|STEERS|Medium and Large 1||||| ; 12 700 700 340 340 ; Per Cwt ; Actual Wt ; ",
      ],
      [],
    ]);
  },
);

test("reads an asterisk as unknown head, and rejects a head count with a mark", () => {
  const text = reordered([0, 1, 2, 3, 4]);
  const [[starred], refused] = readLines(text.replace("  6  ", "  *  "));
  expect([starred, refused]).toEqual([expect.stringContaining(";  633-640 636 385-390 387 ;"), []]);
  expect(readLines(text.replace("  6 ", "  6*"))[1]).toEqual([expect.stringContaining("6*")]);
  const note = text.replace(/\n$/, "\n* Head counts are not told of single lots.\n");
  expect(readLines(note)).toEqual(readLines(text));
});

test("recognises a sheep heading with &, and rejects its rows as no cattle", async () => {
  const text = reordered([0, 1, 2, 3, 4])
    .replace("FEEDER CATTLE", "SLAUGHTER SHEEP/LAMBS")
    .replace("STEERS - Medium and Large 1", "WOOLED & SHORN - Choice 1-3");
  await withReading({files: {"ams-text/ams_9101.txt": text}}, async ({report}) => {
    expect(report("ams-text/ams_9101.txt")).toMatchObject({accepted: 0, rejected: {not_cattle: 2}});
  });
});
