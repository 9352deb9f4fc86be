import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {rowsOfAnswer} from "../src/answer-rows.ts";
import {matchColumns} from "../src/column-aliases.ts";
import {readJsonReport} from "../src/json-report.ts";
import {publishedRows, rawRecord, wordsOf} from "../src/json-rows.ts";
import {type JsonShape, shapeOf} from "../src/json-shapes.ts";
import {numberOf} from "../src/published-values.ts";
import {marsRow} from "./mars-row.ts";

const row = {
  report_date: "09/15/2026",
  commodity: "Feeder Cattle",
  class: "Steers",
  avg_price: 355.5,
  head_count: 4,
};
const header = {report_date: "09/15/2026", report_narrative: "Steady."};
const noRows = {headers: [], envelope: {}, unread: [], stated: null};
const rows = (facts: Partial<Extract<JsonShape, {kind: "rows"}>>) => ({
  kind: "rows",
  rows: [],
  ...noRows,
  ...facts,
});

describe("the shape of a JSON answer", () => {
  const entry = {slug_id: 1, report_title: "A"};
  const parse = {breakdown: {}, entries: [row, 5]};
  test.each<[string, unknown, object]>([
    ["an answer", {results: [row]}, rows({rows: [row]})],
    ["a list of answers", [{results: [row]}, {results: [header]}], rows({rows: [row], headers: [header]})],
    ["a bare list of rows", [row, row], rows({rows: [row, row]})],
    ["an empty list", [], rows({})],
    ["one row", row, rows({rows: [row]})],
    ["rows by their lowest price alone", [{a: 1, price_low: 3}], rows({rows: [{a: 1, price_low: 3}]})],
    ["rows by their head alone", [{a: 1, head: 3}], rows({rows: [{a: 1, head: 3}]})],
    [
      "rows among fewer other members",
      [row, row, row, null, 7],
      rows({rows: [row, row, row], unread: ["null", "7"]}),
    ],
    [
      "a line that could not be read",
      [row, row, {"(unread line)": "line 3: x"}],
      rows({rows: [row, row], unread: ['{"(unread line)":"line 3: x"}']}),
    ],
    [
      "a section of receipts, whose head is of no price",
      [
        {reportSection: "Report Receipts", results: [{head_count: 3}, 8]},
        {reportSection: "Detail", results: [row]},
      ],
      rows({rows: [row], headers: [{head_count: 3}], unread: ["8"]}),
    ],
    [
      "fewer rows than it says",
      [{stats: {returnedRows: 1, totalRows: 3}, results: [row]}],
      rows({rows: [row], stated: 3}),
    ],
    [
      "fewer rows than its sections say together",
      [1, 2].map((n) => ({stats: {"returnedRows:": n, "totalRows:": `${n}`}, results: [row]})),
      rows({rows: [row, row], stated: 3}),
    ],
    [
      "as many as it says",
      {stats: {returnedRows: 2}, results: [row, header]},
      rows({rows: [row], headers: [header]}),
    ],
    [
      "a table",
      {cols: ["a", "b"], rows: [[1, 2], [3], [4, 5, 6], "x"], reportId: 7},
      rows({rows: [{a: 1, b: 2}], envelope: {reportId: 7}, unread: ["[3]", "[4,5,6]", '"x"']}),
    ],
    ["a list of reports", [entry, entry], {kind: "list", entries: [entry, entry]}],
    [
      "a list of reports, most of whose members are such",
      [entry, entry, {x: 1}],
      {kind: "list", entries: [entry, entry, {x: 1}]},
    ],
    ["half a list of reports", [entry, {x: 1}], rows({headers: [entry, {x: 1}]})],
    ["a list of reports with prices", [{...entry, avg_price: 1}], rows({rows: [{...entry, avg_price: 1}]})],
    ["the parse of a third party", parse, {kind: "parse", parse, entries: [row]}],
  ])("is recognised for %s", (_, body, shape) => {
    expect(shapeOf(body)).toEqual(shape);
  });

  test.each<[unknown, string]>([
    [{error: "no such report"}, "the source reported an error: no such report"],
    [{status: 5, message: "busy"}, "the source reported an error: busy"],
    [{errorMessage: "x".repeat(300)}, `the source reported an error: ${"x".repeat(200)}; expected`],
    [{error: {code: 1}, a: 1}, "got a JSON object with error, a"],
    [Object.fromEntries(Array.from({length: 14}, (_, i) => [`m${i}`, i])), "m10, m11;"],
    [{}, "got a JSON object with no members"],
    [[1, 2, row], "got a JSON array of other things than objects"],
    [[1, row, row, null], "got a JSON array of other things than objects"],
    [7, "got a JSON number"],
    [null, "got a JSON object"],
  ])("is refused with a description of the body: %j", (body, message) => {
    expect(() => shapeOf(body)).toThrow(message);
    expect(() => shapeOf(body)).toThrow(/^(?:got|the source) .*; expected report rows/);
  });
});

describe("the rows of a large answer", () => {
  const cut = (text: string, sample = 1 << 20) => {
    const body = Buffer.from(text);
    const tail = body.subarray(Math.max(0, body.length - sample)).toString();
    const found = rowsOfAnswer(body.subarray(0, sample).toString(), tail, body.length);
    if (found === null) return null;
    const {start, end} = found.span ?? {start: 0, end: body.length - 1};
    return {...found, text: body.subarray(start, end + 1).toString()};
  };

  test("are cut out unchanged, whatever the layout", () => {
    const word = fc.oneof(fc.constantFrom("a [b] }", '"', "Ñ€", "\\"), fc.string());
    const record = fc
      .tuple(word, fc.integer())
      .map(([lot_desc, head_count]) => marsRow({lot_desc, head_count}));
    const blank = fc.constantFrom("", " ", "\n  ", "\r\n");
    fc.assert(
      fc.property(
        fc.array(record, {minLength: 2, maxLength: 5}),
        fc.constantFrom("object", "list", "bare"),
        fc.tuple(blank, blank, blank),
        fc.boolean(),
        (records, kind, [before, between, after], hasMark) => {
          const list = JSON.stringify(records, null, between === "" ? 0 : 1);
          const answer = `{${before}"stats": null, "returnedRows": 12, "results":${between}${list}${after}}`;
          const text = {
            object: answer,
            list: `[${before}${answer}${between}]${after}`,
            bare: `${before}${list}${after}`,
          }[kind];
          const found = cut(`${hasMark ? "\ufeff" : ""}${text}`);
          expect(found?.members).toEqual(Object.keys(marsRow()));
          expect(found?.stated).toBe(kind === "bare" ? 0 : 12);
          expect(JSON.parse(found!.text.replace(/^\ufeff/, ""))).toEqual(records);
        },
      ),
      {numRuns: 40},
    );
  });

  test.each([
    [{returnedRows: 2, userAllowedRows: 100_000, totalRows: 5}, 5],
    [{"returnedRows:": 7, "totalRows:": 5}, 7],
    [{userAllowedRows: 9}, 0],
  ])("are stated by the greater of those returned and those in all: %j", (stats, stated) => {
    expect(cut(JSON.stringify({...stats, results: [marsRow(), marsRow()]}))?.stated).toBe(stated);
  });

  const answer = (...records: unknown[]) => JSON.stringify({results: records});
  const {slug_name: _, slug_id: __, ...nameless} = marsRow();
  test.each([
    ["rows with other members", answer(marsRow(), {...marsRow(), more: 1})],
    [
      "rows with members in another order",
      answer(marsRow(), Object.fromEntries(Object.entries(marsRow()).reverse())),
    ],
    ["a row with a list in it", answer(marsRow({lot_desc: ["a"]}))],
    ["a member that is no row", answer(marsRow(), 5)],
    ["sections", JSON.stringify([{results: [marsRow()]}, {results: [marsRow()]}])],
    ["a member behind the rows", JSON.stringify({results: [marsRow()], more: 1})],
    ["no rows", answer()],
    ["rows without a price", answer({slug_id: 1, class: "Steers"})],
    ["rows that do not say their report", answer(nameless)],
    ["a text that is cut off", answer(marsRow(), marsRow()).slice(0, -20)],
    ["no JSON", "class,avg_price\nSteers,350\n"],
  ])("are not cut out of %s", (_title, text) => {
    expect(cut(text)).toBeNull();
  });

  test("are complete for a body larger than both sampled ends", () => {
    const records = Array.from({length: 400}, (_value, i) => marsRow({head_count: i}));
    const found = cut(answer(...records), 1 << 16);
    expect(JSON.parse(found!.text)).toEqual(records);
  });
});

describe("the rows of an answer", () => {
  const came = (facts: Partial<Parameters<typeof publishedRows>[0]>) =>
    publishedRows({rows: [], headers: [], envelope: {}, unread: [], stated: null, ...facts}, "ams-1");

  test("take report, date and receipts from the envelope if they have none", () => {
    const envelope = {
      report_id: 9,
      report_title: "Creek",
      receipts: "1,900",
      receipts_last_year: 4,
      extra: {a: 1},
    };
    const {rows: staged, headers, notes} = came({rows: [row, {...row, report_id: 8}], envelope});
    expect(staged.map(({slug, report_title, price_unit}) => [slug, report_title, price_unit])).toEqual([
      ["9", "Creek", "(no unit column)"],
      ["8", "Creek", "(no unit column)"],
    ]);
    expect([headers, notes]).toEqual([[], {}]);
    const dated = came({rows: [row], envelope: {...envelope, report_date: "2026-09-15"}});
    expect(dated.headers).toMatchObject([
      {
        ...{slug: "9", report_begin_date: "2026-09-15", report_end_date: "2026-09-15", narrative: null},
        ...{receipts: {total: 1900}, receipts_prior: {total: null}, receipts_year_ago: {total: 4}},
      },
    ]);
  });

  test("have more head than the envelope's receipts if those cover one group, which is noted", () => {
    const envelope = {report_date: "2026-09-15", receipts: 7};
    const of = (...heads: (number | null)[]) =>
      came({rows: heads.map((head_count) => ({...row, head_count})), envelope});
    expect(of(3, 4, null)).toMatchObject({headers: [{receipts: {total: 7}}], notes: {}});
    expect(of(3, 5)).toMatchObject({headers: [], notes: {receipts_of_one_group: 1}});
  });

  test("are quarantined if the answer is truncated, followed by members that are not rows", () => {
    const cut = came({rows: [row], stated: 3, unread: ["7"]});
    expect(cut.rows).toMatchObject([
      {reject_reason: "partial_issue", reject_detail: "1 of the 3 rows that the answer says it has"},
      {reject_reason: "unread_line", reject_detail: "no row of a report: 7"},
    ]);
    expect(came({rows: [{...row, price_unit: "Per Cwt"}]}).rows[0]).toMatchObject({price_unit: "Per Cwt"});
    expect(came({rows: [row]}).rows[0]).not.toHaveProperty("reject_reason");
  });

  test("name missing columns, unless none of them is cattle", () => {
    const {head_count: _head, ...short} = row;
    expect(() => came({rows: [short]})).toThrow("needed column missing: expected head_count or head;");
    const {commodity: _commodity, ...none} = row;
    expect(() => came({rows: [none]})).toThrow("expected commodity");
    expect(came({rows: [{...short, commodity: "Sheep"}]}).rows).toHaveLength(1);
    expect(() => came({rows: [{...short, commodity: "Sheep"}, short]})).toThrow("needed column missing");
    expect(came({}).rows).toEqual([]);
  });

  test("get headers from sections, with trade terms, narrative and receipts where stated", () => {
    const section = {
      report_date: "09/15/2026",
      report_narrative: "Net weights after a 2-3% shrink with an 8 cent slide.",
      total_receipts: "44",
    };
    const [told, bare, ...others] = came({
      headers: [section, {report_date: "09/15/2026"}, {narrative: "x"}],
    }).headers;
    expect(told).toMatchObject({
      ...{slug: "ams-1", narrative: section.report_narrative, receipts: {total: 44}, receipts_prior: {}},
    });
    expect([told!.shrink, told!.slide]).toEqual(["2-3%", "8 cent slide"]);
    expect(bare).toMatchObject({slug: "ams-1", narrative: null, receipts: {}, shrink: null, slide: null});
    expect(others).toEqual([]);
  });
});

describe("a JSON report", () => {
  const entry = {
    ...{slug_id: 9101, slug_name: "AMS_9101", report_title: "Creek", report_date: "09/15/2026"},
    ...{report_status: "Final", markets: ["Creek", 7], market_types: null},
  };

  test("is a list of reports with titles, days and markets", () => {
    expect(readJsonReport([entry], null)).toEqual({
      kind: "list",
      entries: [
        {
          ...{report_slug: "ams-9101", report_title: "Creek", report_status: "Final"},
          ...{last_report_date: "2026-09-15", published_at_source: null, markets: ["Creek", "7"]},
          market_types: [],
        },
      ],
    });
  });

  test("is mandatory if most of its reports are, as a list or as sections", () => {
    const required = {...entry, market_types: ["Direct Livestock - LMR Cattle"]};
    expect(readJsonReport([required, required, entry], null)).toEqual({kind: "mandatory", isList: true});
    expect(readJsonReport([required, entry], null)).toMatchObject({kind: "list"});
    const lines = [{...row, report_title: "Direct Cattle (LM_CT150)"}];
    expect(readJsonReport({results: lines}, "ams-1")).toEqual({kind: "mandatory", isList: false});
  });

  test("keeps the sale of a third party's parse and rejects its rows", () => {
    const parse = {
      ...{report_id: 7, sale_date: "2026-04-30", total_receipts: "2,561"},
      breakdown: {feeder: {head: 2235}, other: 3},
      entries: [
        {type: "Heifers", head: 3},
        {type: "COWS", head: 1},
      ],
    };
    expect(readJsonReport(parse, null)).toMatchObject({
      kind: "parse",
      header: {slug: "7", report_end_date: "2026-04-30", receipts: {total: 2561, feeder: 2235, other: 3}},
      rows: [
        {slug: "7", head_count: 3, report_end_date: "2026-04-30", reject_reason: "unreliable_note"},
        {slug: "7", head_count: 1, reject_reason: "unreliable_class"},
      ],
    });
    expect(() => readJsonReport({...parse, sale_date: "x"}, null)).toThrow(
      "a parse needs report_id and sale_date or period_end; got report_id, sale_date,",
    );
  });

  test("is rows with the sections and the row count that the answer states", () => {
    const answer = {stats: {returnedRows: 5}, results: [row, header]};
    expect(readJsonReport(answer, "ams-1")).toMatchObject({
      ...{kind: "rows", sections: 1, missing: "1 of 5 rows", notes: {}},
      rows: [{slug: "ams-1", avg_price: 355.5, reject_reason: "partial_issue"}],
      headers: [{slug: "ams-1", narrative: "Steady."}],
    });
    expect(readJsonReport([], "ams-1")).toMatchObject({rows: [], headers: [], sections: 0, missing: null});
    expect(() => readJsonReport({results: [header]}, null)).toThrow(
      "got a JSON object with results; expected price rows, or a report number and a date",
    );
  });
});

test("maps a published object to our columns: texts as published, numbers and dates where valid", () => {
  const record = {
    ...{slug_id: 1, report_date: "09/15/2026", report_end_date: "31/31/2026", frame: " N/A ", breed: "  "},
    ...{
      lot_desc: ["Fancy", null, "Unweaned"],
      age: {from: 2},
      avg_price: "$1,355.50",
      head_count: "x",
      narrative: "",
    },
  };
  const staged = rawRecord(record, matchColumns(Object.keys(record)), "ams-9");
  expect(staged).toMatchObject({
    ...{slug: "1", report_date: "2026-09-15", report_end_date: "31/31/2026", frame: " N/A ", breed: null},
    ...{
      lot_desc: "Fancy, Unweaned",
      age: '{"from":2}',
      avg_price: 1355.5,
      head_count: null,
      narrative: null,
    },
  });
  expect(rawRecord({}, matchColumns([]), "ams-9")).toMatchObject({
    slug: "ams-9",
    narrative: null,
    class: null,
  });
  expect([wordsOf(undefined), wordsOf([]), wordsOf([" "]), wordsOf(0), wordsOf(false)]).toEqual([
    ...[null, null, null, "0", "false"],
  ]);
});

test("takes the first name of a column that has a value, row by row", () => {
  const published = [
    {report_narrative: null, comments_commodity: "Steers 5.00 higher.", slug_name: null, slug_id: 1895},
    {report_narrative: "N/A", comments_commodity: "Steady.", slug_name: "AMS_1895", slug_id: 7},
    {report_narrative: "Lower.", comments_commodity: "Steady.", slug_name: "AMS_1", slug_id: 1},
    {
      report_narrative: "N/A",
      comments_commodity: " ",
      slug_name: "",
      slug_id: null,
      avg_price: null,
      wtd_avg_price: 4,
    },
  ];
  const match = matchColumns([...new Set(published.flatMap((row) => Object.keys(row)))]);
  const read = published.map((row) => rawRecord(row, match, "ams-9"));
  expect(read.map(({narrative, slug, avg_price}) => [narrative, slug, avg_price])).toEqual([
    ["Steers 5.00 higher.", "1895", null],
    ["Steady.", "AMS_1895", null],
    ["Lower.", "AMS_1", null],
    [null, "ams-9", 4],
  ]);
  const answer = readJsonReport(
    {results: [marsRow({report_narrative: null, comments_commodity: "Steady."})]},
    null,
  );
  expect(answer).toMatchObject({rows: [{narrative: "Steady."}]});
});

test.each([
  ["2,830,336", 2_830_336],
  ["$ 3.71", 3.71],
  ["1,250.5", 1250.5],
  ["3,90", null],
  ["1250,50", null],
  ["12,3456", null],
])("reads a number with commas between thousands alone: %s", (published, number) => {
  expect(numberOf(published)).toBe(number);
});
