import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {gzipSync} from "node:zlib";
import {expect, test} from "vitest";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {workbook} from "../../../packages/parcel-files/test/write-workbook.ts";
import {weighed_rows} from "../../../pipeline/market/answers/price-cells.ts";
import {addsUp} from "../../../schemas/build-report.ts";
import {marsAnswer, marsRow, type Reading, withReading} from "./raw-folder.ts";
import {sheetRows} from "./signals/write-lists.ts";

const rows = [marsRow(), marsRow({class: "Heifers", avg_price: 350, head_count: 12, lot_desc: "Fancy"})];

/** The result that every shape of the same two rows must give. */
async function expectTwoRows({db, reports}: Reading): Promise<void> {
  const found =
    await db.rows(`SELECT report_slug, report_end_date, class, frame, muscle_grade, lot_descriptors, price_unit,
    price_avg::DOUBLE AS price, head_count, weight_bin_low_lb AS bin FROM price_rows ORDER BY class`);
  const common = {
    report_slug: "ams-9101",
    report_end_date: "2026-09-15",
    frame: "medium_and_large",
    muscle_grade: "1",
    price_unit: "per_cwt",
    bin: 750,
  };
  expect(found).toEqual([
    {...common, class: "heifers", lot_descriptors: ["fancy"], price: 350, head_count: 12},
    {...common, class: "steers", lot_descriptors: [], price: 355.89, head_count: 41},
  ]);
  expect(reports.every(addsUp)).toBe(true);
  expect(reports[0]).toMatchObject({status: "read", accepted: 2, rejected: {}});
}

const names = Object.keys(rows[0]!);
const cols = [
  ..."commodity class frame muscle_grade lot_desc price_unit weight_break_low weight_break_high".split(" "),
  ..."head_count avg_weight avg_price_min avg_price_max avg_price".split(" "),
];
const table = {
  reportId: 9101,
  reportTitle: "Sample Creek Livestock Auction - Sample Creek, NE",
  report_date: "2026-09-15",
  cols,
  rows: rows.map((row) => cols.map((name) => row[name])),
};

const shapes: Readonly<Record<string, string | Buffer>> = {
  "an object with results": marsAnswer(rows),
  "an array with stats and results": JSON.stringify([{stats: {totalRows: 2}, results: rows}]),
  "a bare array of rows": JSON.stringify(rows),
  "a gzipped answer": gzipSync(marsAnswer(rows)),
  "an answer with a byte-order mark": `\uFEFF${marsAnswer(rows)}`,
  "a table of columns and rows": JSON.stringify(table),
};

for (const [name, content] of Object.entries(shapes)) {
  test(`reads ${name}`, async () => {
    await withReading(
      {files: {[`mars/answer.json${Buffer.isBuffer(content) ? ".gz" : ""}`]: content}},
      expectTwoRows,
    );
  });
}

test("reads a CSV and a gzipped CSV by their headers", async () => {
  const csv = [names.join(","), ...rows.map((row) => names.map((name) => `"${row[name]}"`).join(","))].join(
    "\n",
  );
  await withReading({files: {"mars/export.csv": csv}}, expectTwoRows);
  await withReading({files: {"mars/export.csv.gz": gzipSync(csv)}}, expectTwoRows);
});

const exported = [...table.cols, "slug_id", "report_title", "report_end_date"];
/** The same two rows as cells below their column names. */
const cells = [exported, ...rows.map((row) => exported.map((name) => String(row[name])))];
const csvOf = (lines: readonly (readonly string[])[]) =>
  lines.map((line) => line.map((cell) => `"${cell}"`).join(",")).join("\n");

const exports: Readonly<Record<string, [string, string | Buffer]>> = {
  "a worksheet": ["export.xlsx", workbook({Report: sheetRows(cells)})],
  "the worksheet of several that has price rows, shorter than their header, below a title": [
    "export.xlsx",
    workbook({
      Notes: sheetRows([["Invented notes"]]),
      Report: sheetRows([["My Market News"], [""], [...exported, "lot_desc"], ...cells.slice(1)]),
    }),
  ],
  "a CSV below a title": ["export.csv", `My Market News,,\n\n${csvOf(cells)}`],
  "a CSV in Windows-1252": [
    "export.csv",
    Buffer.from(csvOf(cells).replaceAll("Auction - Sample", "Auction \x96 Sample"), "latin1"),
  ],
  "a CSV of prices with dollar signs": [
    "export.csv",
    csvOf(cells.map((line) => line.map((cell) => cell.replace(/^3\d\d(\.\d+)?$/, "$$$&")))),
  ],
};

for (const [name, [file, content]] of Object.entries(exports)) {
  test(`reads ${name}`, () => withReading({files: {[`mars/${file}`]: content}}, expectTwoRows));
}

test("refuses a workbook without price rows by its worksheets", async () => {
  const book = workbook({Notes: sheetRows([["Invented", "notes"]])});
  await withReading({files: {"mars/notes.xlsx": book}}, async ({report}) => {
    expect(report("mars/notes.xlsx")).toMatchObject({
      status: "failed",
      reason:
        "market/mars/notes.xlsx: 0 worksheets have the columns of price rows (Notes); one was expected.",
    });
  });
});

test.each([
  ["Steady.", true],
  ["Not tested.", true],
  ["  Led by calves.", true],
  ["N/A", false],
  ["  N/A ", false],
  ["", false],
])("takes %j of a CSV for a reporter's comment: %s", async (report_narrative, narrative_present) => {
  const described = rows.map((row): Record<string, unknown> => ({...row, report_narrative}));
  const csv = [names.join(","), ...described.map((row) => names.map((name) => `"${row[name]}"`).join(","))];
  await withReading({files: {"mars/export.csv": csv.join("\n")}}, async ({db}) => {
    expect(await db.rows("SELECT narrative_present FROM sale_events")).toEqual([{narrative_present}]);
  });
});

test("takes the comment of a CSV from the second of its columns where the first has none", async () => {
  const described = rows.map(
    (row, at): Record<string, unknown> => ({
      ...row,
      ...{
        report_narrative: "N/A",
        comments_commodity: ["Demand was good.", ""][at],
        slug_name: "",
        avg_price: "",
      },
      wtd_avg_price: row["avg_price"],
    }),
  );
  const all = [...new Set([...names, ...Object.keys(described[0]!)])];
  await withReading(
    {
      files: {
        "mars/export.csv": csvOf([all, ...described.map((row) => all.map((name) => String(row[name])))]),
      },
    },
    async ({db, report}) => {
      expect(report("mars/export.csv")).toMatchObject({accepted: 2, rejected: {}});
      expect(
        await db.rows("SELECT reporter->>'demand' AS demand, reporter->>'text' AS text FROM sale_events"),
      ).toEqual([{demand: "good", text: "Demand was good."}]);
    },
  );
});

test("rejects a CSV line with invalid UTF-8, even in a column that we do not read", async () => {
  const lines = [
    [...names, "office_name"],
    ...rows.map((row, i) => [...names.map((name) => row[name]), `Office ${i}`]),
  ].map((cells) => cells.map((cell) => `"${cell}"`).join(","));
  const csv = Buffer.from(lines.join("\n"), "latin1");
  csv[csv.indexOf("Office 1")] = 0xff;
  await withReading({files: {"mars/export.csv": csv}}, async ({report}) => {
    expect(report("mars/export.csv")).toMatchObject({
      rowsIn: 2,
      accepted: 1,
      rejected: {unread_line: 1},
    });
  });
});

test.each([{totalRows: 90, returnedRows: 2}, {"totalRows:": 90, "returnedRows:": 2}, {returnedRows: 90}])(
  "rejects the rows of an answer that states more rows (%o)",
  async (stats) => {
    await withReading(
      {files: {"mars/answer.json": JSON.stringify({stats, results: rows})}},
      async ({report}) => {
        expect(report("mars/answer.json")).toMatchObject({
          rowsIn: 2,
          accepted: 0,
          rejected: {partial_issue: 2},
        });
        expect(report("mars/answer.json").reason).toContain("2 of 90 rows");
      },
    );
  },
);

test("refuses a CSV without its header with a clear message that names the file", async () => {
  const body = rows.map((row) => names.map((name) => `"${row[name]}"`).join(",")).join("\n");
  await withReading(
    {files: {"mars/export.csv": `\n${body}`, "mars/answer.json": marsAnswer(rows)}},
    async ({report}) => {
      const [whole, cut] = [report("mars/answer.json"), report("mars/export.csv")];
      expect(whole).toMatchObject({status: "read", accepted: 2});
      expect(cut).toMatchObject({status: "failed", rowsIn: 0});
      expect(cut.reason).toBe(
        "market/mars/export.csv: the first line has no column; the names of the table's columns were expected there.",
      );
    },
  );
});

test("reads a Parquet export with other column names, dates as dates and no unit column", async () => {
  const folder = mkdtempSync(join(tmpdir(), "market-export-"));
  const path = join(folder, "export.parquet");
  const db = await openDatabase();
  await db.run(`COPY (SELECT DATE '2026-09-15' AS auction_date, 'FEEDER' AS category, unnest(['STEER', 'HEIFER']) AS cattle_type,
    'M&L 1' AS grade, unnest([NULL, 'Fancy']) AS annotation, unnest([41, 12]) AS head_count, 775.0 AS avg_weight, unnest([355.89, 350]) AS avg_price)
    TO ${sqlText(path)}`);
  db.close();
  await withReading({files: {"mars/ams_9101_rows.parquet": readFileSync(path)}}, async (reading) => {
    await expectTwoRows(reading);
    expect(reading.reports[0]!.notes).toEqual({price_unit_assumed: 2});
  });
  rmSync(folder, {recursive: true});
});

test("V31: keeps the time of day in a Parquet column, so that a later edition of a day replaces the earlier", async () => {
  const folder = mkdtempSync(join(tmpdir(), "market-export-"));
  const path = join(folder, "export.parquet");
  const db = await openDatabase();
  await db.run(`COPY (SELECT TIMESTAMP '2026-09-15 00:00:00' AS report_date, TIMESTAMP '2026-09-15 09:00:00' + to_hours(8 * edition) AS published_date,
    'Feeder Cattle' AS commodity, 'Steers' AS class, 'Medium and Large' AS frame, '1' AS muscle_grade, 'Per Cwt' AS price_unit,
    20 + 5 * edition AS head_count, 522.0 AS avg_weight, 340.0 + 4 * edition AS avg_price FROM range(2) AS editions(edition))
    TO ${sqlText(path)}`);
  db.close();
  await withReading({files: {"mars/ams_9101_rows.parquet": readFileSync(path)}}, async ({db: read}) => {
    expect(
      await read.rows(
        "SELECT head_count, price_avg::DOUBLE AS price, report_end_date::VARCHAR AS day FROM price_rows",
      ),
    ).toEqual([{head_count: 25, price: 344, day: "2026-09-15"}]);
  });
  rmSync(folder, {recursive: true});
});

test("joins header sections to the rows of their report", async () => {
  const header = {
    slug_id: 9101,
    report_title: "Sample Creek Livestock Auction - Sample Creek, NE",
    report_end_date: "09/15/2026",
    published_date: "09/15/2026 18:05:00",
    report_narrative: "Invented.",
    final_ind: "Final",
    total_receipts: 1204,
  };
  const sections = JSON.stringify([
    {reportSection: "Report Header", results: [header]},
    {reportSection: "Report Detail", results: rows.map(({report_narrative, ...row}) => row)},
  ]);
  await withReading({files: {"mars/sections.json": sections}}, async ({db, reports}) => {
    expect(reports[0]).toMatchObject({rowsIn: 3, accepted: 2, merged: 1});
    expect(await db.rows("SELECT receipts, narrative_present, sale_status FROM sale_events")).toEqual([
      {receipts: 1204, narrative_present: true, sale_status: "held"},
    ]);
  });
});

test("counts receipts once per commodity", async () => {
  const cows = {
    commodity: "Slaughter Cattle",
    class: "Cows",
    frame: "N/A",
    muscle_grade: "N/A",
    quality_grade_name: "Boner 80-85%",
    dressing: "Average",
    weight_break_low: null,
    weight_break_high: null,
    receipts: 204,
    avg_price: 180,
    avg_price_min: 180,
    avg_price_max: 180,
  };
  await withReading({files: {"mars/answer.json": marsAnswer([...rows, marsRow(cows)])}}, async ({db}) => {
    const [event] = await db.rows<Record<string, unknown>>(
      "SELECT receipts, map_values(receipts_by_commodity) AS parts, head_reported FROM sale_events",
    );
    expect(event).toEqual({receipts: 1104, parts: [900, 204], head_reported: 94});
  });
});

test("adds the receipts of the published groups of one commodity, as it adds their head", async () => {
  const bred = {
    ...{class: "Bred Cows", frame: "Medium and Large", muscle_grade: "1", age: "2-4", pregnancy_stage: "T2"},
    ...{weight_break_low: null, weight_break_high: null, price_unit: "Per Head"},
    ...{avg_price: 2100, avg_price_min: 2100, avg_price_max: 2100},
  };
  const groups = [
    {...bred, commodity: "Replacement Cattle", receipts: 100, head_count: 95},
    {...bred, commodity: "Replacement Dairy Cattle", receipts: 60, head_count: 30, class: "Heifers"},
    {...bred, commodity: "Replacement Dairy Cattle", receipts: 60, head_count: 28, class: "Steers"},
  ].map((change) => marsRow(change));
  await withReading({files: {"mars/answer.json": marsAnswer(groups)}}, async ({db}) => {
    const found = await db.rows(
      "SELECT receipts, map_values(receipts_by_commodity) AS parts, map_values(head_by_commodity) AS head FROM sale_events",
    );
    expect(found).toEqual([{receipts: 160, parts: [160], head: [153]}]);
  });
});

test.each([
  ["0 beside rows is not stated", [0, 0], {receipts: null, parts: [], usable: 2}],
  ["0 of one commodity leaves the total unknown", [900, 0], {receipts: null, parts: [900], usable: 2}],
  ["1 head is stated, and less than the rows", [900, 1], {receipts: 901, parts: [900, 1], usable: 2}],
  ["none stated", [null, null], {receipts: null, parts: [], usable: 2}],
])("reads receipts of rows: %s", async (_, [feeders, bred], expected) => {
  const sold = [
    marsRow({receipts: feeders}),
    marsRow({commodity: "Replacement Cattle", receipts: bred, class: "Bred Cows", head_count: 12}),
  ];
  await withReading({files: {"mars/answer.json": marsAnswer(sold)}}, async ({db, run}) => {
    await run.make(weighed_rows);
    const [event] = await db.rows<Record<string, unknown>>(
      `SELECT receipts, map_values(receipts_by_commodity) AS parts,
        (SELECT count(*)::INTEGER FROM weighed_rows WHERE usable AND NOT head_excluded) AS usable FROM sale_events`,
    );
    expect(event).toEqual(expected);
  });
});

test.each([
  [0, rows, {receipts: null, sale_status: "held"}],
  [1, rows, {receipts: 1, sale_status: "held"}],
  [0, [], {receipts: null, sale_status: "no_sale"}],
])("reads receipts of %s in a header above rows", async (total_receipts, sold, expected) => {
  const {slug_id, report_title, report_end_date, published_date} = rows[0]!;
  const header = {slug_id, report_title, report_end_date, published_date, total_receipts};
  const bare = sold.map(({receipts, receipts_week_ago, receipts_year_ago, ...row}) => row);
  const sections = JSON.stringify([
    {reportSection: "Report Header", results: [header]},
    {reportSection: "Report Detail", results: bare},
  ]);
  await withReading({files: {"mars/sections.json": sections}}, async ({db}) => {
    expect(await db.rows("SELECT receipts, sale_status FROM sale_events")).toEqual([expected]);
  });
});

test("ignores envelope receipts smaller than the rows' head, because they cover one commodity group", async () => {
  const answer = JSON.stringify({...table, receipts: 40});
  await withReading({files: {"mars/table.json": answer}}, async ({db, reports}) => {
    expect(reports[0]!.notes).toEqual({receipts_of_one_group: 1});
    expect(await db.rows("SELECT receipts FROM sale_events")).toEqual([{receipts: null}]);
  });
});

test("keeps a list of reports as report metadata, which names the venue of rows without a title", async () => {
  const list = JSON.stringify([
    {
      slug_id: "9101",
      slug_name: "AMS_9101",
      report_title: "Sample Creek Livestock Auction - Sample Creek, NE",
      report_date: "09/15/2026",
      published_date: "09/15/2026 18:05:00",
      report_status: "Final",
      markets: ["Sample Creek"],
      market_types: ["Auction Livestock"],
      sectionNames: [],
    },
  ]);
  const untitled = marsRow({
    report_title: null,
    market_location_name: null,
    market_location_city: null,
    market_location_state: null,
  });
  await withReading(
    {files: {"mars/list.json": list, "mars/rows.json": marsAnswer([untitled])}},
    async ({db, report}) => {
      expect(report("mars/list.json")).toMatchObject({rowsIn: 1, accepted: 1});
      expect(await db.rows("SELECT venue_id, state FROM price_rows")).toEqual([
        {venue_id: "ne-sample-creek-sample-creek-livestock-auction", state: "NE"},
      ]);
    },
  );
});

test("keeps the sale of a third party's parse but rejects its rows", async () => {
  const parse = {
    report_id: "AMS_9105",
    auction: "Invented Commission",
    sale_date: "2026-04-30",
    total_receipts: 2561,
    breakdown: {feeder: {head: 2235}, slaughter: {head: 138}, replacement: {head: 188}},
    narrative: "Invented.",
    entries: [
      {
        type: "STEERS",
        grade: "Medium and Large 1",
        pricing: "cwt",
        head: 3,
        wt_low: 467,
        wt_high: 467,
        avg_wt: 467,
        price_low: 590,
        price_high: 590,
        avg_price: 590,
        note: "16",
      },
      {
        type: "COWS",
        grade: "Lean 85-90%",
        pricing: "cwt",
        head: 1,
        wt_low: 1420,
        wt_high: 1420,
        avg_wt: 1420,
        price_low: 152,
        price_high: 152,
        avg_price: 152,
        note: "Very",
      },
    ],
  };
  await withReading({files: {"mars/parse.json": JSON.stringify(parse)}}, async ({db, reports}) => {
    expect(reports[0]).toMatchObject({
      rowsIn: 3,
      accepted: 1,
      rejected: {unreliable_note: 1, unreliable_class: 1},
    });
    expect(await db.rows("SELECT count(*)::INTEGER AS rows FROM price_rows")).toEqual([{rows: 0}]);
    expect(await db.rows("SELECT rows_read, current FROM report_issues")).toEqual([
      {rows_read: 2, current: true},
    ]);
  });
});

test("rejects rows of another market as not_cattle and creates no issue", async () => {
  const cheese = {
    report_date: "09/25/2023",
    slug_id: 9106,
    report_title: "Cheese - East",
    commodity: "Cheese",
    group: "Swiss",
    price_Unit: "Dollars per Pound",
    price_min: 3.1,
    price_max: 5.4,
    lot_Desc: null,
  };
  await withReading(
    {files: {"mars/dairy.json": JSON.stringify([{stats: {}, results: [cheese]}])}},
    async ({db, reports}) => {
      expect(reports[0]).toMatchObject({rowsIn: 1, accepted: 0, rejected: {not_cattle: 1}});
      expect(await db.rows("SELECT count(*)::INTEGER AS issues FROM report_issues")).toEqual([{issues: 0}]);
    },
  );
});

test.each(["csv", "parquet"])(
  "numbers the rows of a large %s by their position in the file",
  async (format) => {
    const dir = mkdtempSync(join(tmpdir(), "large-file-"));
    const db = await openDatabase();
    try {
      const path = join(dir, `export.${format}`);
      const options = format === "csv" ? "FORMAT csv, HEADER" : "FORMAT parquet, ROW_GROUP_SIZE 20480";
      await db.run(`COPY (SELECT 9101 AS slug_id, '2026-09-15' AS report_date, 'Feeder Cattle' AS commodity, 'Steers' AS class,
        'Per Cwt' AS price_unit, 250 AS avg_price, 1 + i % 1000 AS head_count, 300 + i // 1000 AS avg_weight, repeat('lot ', 10) AS remark
      FROM range(200000) t(i)) TO ${sqlText(path)} (${options})`);
      await withReading({files: {[`mars/export.${format}`]: readFileSync(path)}}, async (reading) => {
        expect(reading.reports[0]).toMatchObject({status: "read", accepted: 200_000});
        const misplaced = "row_ordinal <> (avg_weight_lb - 300) * 1000 + head_count";
        expect(
          await reading.db.rows(`SELECT count(*)::INTEGER AS n FROM price_rows WHERE ${misplaced}`),
        ).toEqual([{n: 0}]);
      });
    } finally {
      db.close();
      rmSync(dir, {recursive: true, force: true});
    }
  },
);
