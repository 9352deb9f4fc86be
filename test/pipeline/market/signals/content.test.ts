import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {gzipSync} from "node:zlib";
import {delimitedRows} from "@open-cattle/usda-reports";
import {describe, expect, test} from "vitest";
import {openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";
import {
  openSignalFile,
  refuseErrorStatus,
  tableRows,
  withoutNuls,
} from "../../../../pipeline/market/documents/file-content.ts";
import type {RawFile} from "../../../../pipeline/raw/raw-files.ts";
import {casesOf} from "../../../cases-of.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";

const file = (meta: RawFile["meta"] = null) => ({path: "market/x/file", meta}) as RawFile;

/** The kind of a file by its bytes. */
async function opened(content: string | Buffer, meta: RawFile["meta"] = null) {
  const folder = temporaryFolder();
  const absolutePath = join(folder, "file");
  writeFileSync(absolutePath, content);
  return openSignalFile({...file(meta), absolutePath}, folder);
}

describe("the content of a file", () => {
  test.each<[string, string | Buffer, unknown]>([
    ["JSON objects", ' \n{"a": 1}', {kind: "json", body: {a: 1}}],
    ["JSON lists", "[1]", {kind: "json", body: [1]}],
    ["packed JSON", gzipSync("[1]"), {kind: "json", body: [1]}],
    ["tables", "a,b\n1,2\n", {kind: "table", body: [{a: "1", b: "2"}]}],
    [
      "XML",
      '<?xml version="1.0"?><r x="1"><v>2</v><v>03</v></r>',
      {kind: "xml", body: {r: [{x: "1", v: ["2", "03"]}]}},
    ],
    ["XML that speaks of pages", "<rows><html>1</html></rows>", {kind: "xml", body: {rows: [{html: ["1"]}]}}],
  ])("is recognised from its bytes: %s", async (_, content, expected) => {
    expect(await opened(content)).toEqual(expected);
  });

  test.each([
    ["", "the file is empty"],
    [" \n ", "the file is empty"],
    ["<!DOCTYPE html><p>", "expected market data, got a web page"],
    ["<!doctype  HTML>", "expected market data, got a web page"],
    ["<html>", "expected market data, got a web page"],
    ["<head>", "expected market data, got a web page"],
    ["<body>", "expected market data, got a web page"],
    ["<?xml version='1.0'?>\n<!-- x -->\n<html>", "expected market data, got a web page"],
    ["%PDF-1.4", "expected a table, got a PDF"],
    ['{"a": ', "not valid JSON, perhaps cut off"],
    ["<a><b></a>", "not valid XML, perhaps cut off"],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "XML that declares entities is not read"],
    ["a,b\n1\n", "not a table, perhaps cut off"],
    ["PAR1....", "Invalid Input Error"],
    ["\0\0\0\0a,b", "unknown format"],
    [
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      "expected text or Parquet, got a workbook. Save its sheets as CSV",
    ],
  ])("is refused with its path: %j", async (content, message) => {
    await expect(opened(content)).rejects.toThrow(`market/x/file: ${message}`);
  });
});

test("reads the rows of Parquet as texts, an infinite date among them", async () => {
  using db = await openDatabase();
  const path = join(temporaryFolder(), "rows.parquet");
  await db.run(`COPY (SELECT 'infinity'::DATE AS day, 0.5 AS share) TO ${sqlText(path)}`);
  expect(await opened(readFileSync(path))).toEqual({kind: "table", body: [{day: "infinity", share: "0.5"}]});
});

test.each([
  [399, null],
  [400, "HTTP 400: no such key"],
  [503, "HTTP 503: no such key"],
  [undefined, null],
])("an answer of status %s is an error from 400 on", (http_status, message) => {
  const meta = {retrieved_at: "2026-11-20T06:00:00Z", ...(http_status === undefined ? {} : {http_status})};
  const act = () => refuseErrorStatus(file(meta), "no  such\nkey");
  if (message === null) expect(act).not.toThrow();
  else expect(act).toThrow(message);
});

test("accepts one NUL byte in fifty in the first 4096 characters, as faults of their cells", () => {
  const text = (nuls: number, others: number) => "\0".repeat(nuls) + "a".repeat(others);
  expect(withoutNuls(file(), text(1, 49))).toBe(`\uFFFD${"a".repeat(49)}`);
  expect(() => withoutNuls(file(), text(1, 48))).toThrow(/unknown format/);
  expect(withoutNuls(file(), "a".repeat(4096) + text(500, 0))).toHaveLength(4596);
});

describe("the rows of a table", () => {
  test("have the names of its header, numbering repeated ones", () => {
    expect(tableRows(file(), "a,b,a,a\n1,2,3,4\n")).toEqual([{a: "1", b: "2", "a 2": "3", "a 3": "4"}]);
    expect(tableRows(file(), "a,b\n")).toEqual([]);
  });

  test("survive a line of another length, which is reported with its number and first 200 characters", () => {
    const [first, second] = tableRows(file(), `a,b\n1,2\n1,2,${"3".repeat(300)}\n`);
    expect(first).toEqual({a: "1", b: "2"});
    const [told] = Object.values(second!) as [string];
    expect(told).toBe(`3 cells in line 3 under 2 names: 1,2,${"3".repeat(196)}`);
    expect(() => tableRows(file(), "a,b\n1\n1,2,3\n")).toThrow(
      /not a table, perhaps cut off: 1 cells in line 2/,
    );
  });
});

describe("delimited text", () => {
  test.each(casesOf<[string, string[][]]>("delimited-text.txt"))(
    "is split at its most frequent delimiter: %j",
    (text, rows) => {
      expect(delimitedRows(text)).toEqual(rows);
    },
  );

  test("counts delimiters in its first fifty lines", () => {
    expect(delimitedRows(`${"a,b\n".repeat(49)}c,d\n${"|||||||||||".repeat(40)}`)[49]).toEqual(["c", "d"]);
    expect(delimitedRows(`${"a,b\n".repeat(48)}${"|".repeat(100)}\n`)[0]).toEqual(["a,b"]);
  });

  test("may have cells of several lines, but takes many lines for an unclosed quote", () => {
    const cell = (lines: number) => `"${Array.from({length: lines}, (_, i) => i).join("\n")}"`;
    expect(delimitedRows(`a,b\n${cell(5)},2\n`)).toHaveLength(2);
    expect(delimitedRows(`a,b\n${cell(6)},2\n`).length).toBeGreaterThan(2);
    expect(delimitedRows('a,b\n"1,2\n\n3,4\n')).toEqual([["a", "b"], ['"1,2'], ["3", "4"]]);
  });
});
