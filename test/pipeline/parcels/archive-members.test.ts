import {expect, test} from "vitest";
import {inline, workbook} from "../../../packages/parcel-files/test/write-workbook.ts";
import {zipOf} from "../../../packages/parcel-files/test/write-zip.ts";
import {isUnread} from "../../../pipeline/results/report-counts.ts";
import {addsUp} from "../../../schemas/build-report.ts";
import type {ParcelSource} from "../../../schemas/parcel-source.ts";
import {type Built, built, csv, geojson, invented, rawFiles, row, square} from "./raw-folder.ts";

type Members = Readonly<Record<string, string | Buffer>>;

const parcels = (from: number, count = 30) => Array.from({length: count}, (_, i) => row(`1-${from + i}`));
const [north, south] = [csv(parcels(100)), csv(parcels(200))];
const lines = (text: string, change: (line: string, i: number) => string) =>
  text.split("\n").map(change).join("\n");
const headerless = (text: string) => text.slice(text.indexOf("\n") + 1);
const fields = "NAME,TYPE,LENGTH\nPIN,TEXT,20\nACRES,DOUBLE,8\n";
const codes = "CODE\tNAME\tCLASS\n100\tRES\tR\n200\tCOM\tC\n";

function book(from: number): Buffer {
  const rows = parcels(from);
  const table = [Object.keys(rows[0]!), ...rows.map((each) => Object.values(each).map(String))];
  const xml = table.map(
    (cells, j) =>
      `<row r="${j + 1}">${cells.map((cell, i) => inline(`${"ABCDEF"[i]}${j + 1}`, cell)).join("")}</row>`,
  );
  return workbook({Roll: xml.join("")});
}

async function builtOf(members: Members, entry: ParcelSource = invented()): Promise<Built> {
  return built(await rawFiles({"a.zip": zipOf(members)}, {complete: true}), [entry]);
}

/** What became of each file, how many rows were accepted, whether the source is whole, and whether the build's exit code is 3. */
function outcome({files, sources}: Built) {
  expect(files.every(addsUp)).toBe(true);
  return {
    files: Object.fromEntries(files.map(({path, status}) => [path.split("/").at(-1)!, status])),
    rows: files.reduce((sum, {accepted}) => sum + accepted, 0),
    complete: sources.map(({complete}) => complete),
    exit: files.some(isUnread) ? 3 : 0,
  };
}

const whole = {complete: [true], exit: 0};

test.each<[string, Members, number, ParcelSource?]>([
  [
    "a comma too many",
    {"a.txt": north, "b.txt": lines(south, (line, i) => (i === 2 ? `${line},` : line))},
    60,
  ],
  [
    // The names of the entry stand in place of the first line.
    "a first line with a long legal, and names in the entry",
    {
      "a.txt": headerless(north),
      "b.txt": headerless(csv([row("1-200", {SITUS: "LOT 5 ".repeat(20)}), ...parcels(201, 29)])),
    },
    58,
    invented({header: Object.keys(row("1"))}),
  ],
  [
    "a delimiter inside a legal",
    {
      "a.txt": csv(parcels(100), "|"),
      "b.txt": csv([row("1-200", {SITUS: "LOT 2|BLK 3"}), ...parcels(201, 29)], "|").replaceAll('"', ""),
    },
    59,
  ],
  [
    "two columns",
    {
      "a.txt": csv(parcels(100).map(({PIN, OWNER}) => ({PIN, OWNER}))),
      "b.txt": csv(parcels(200).map(({PIN, OWNER}) => ({PIN, OWNER}))),
    },
    60,
    invented({
      fields: {owner_raw: {from: "OWNER"}},
      area: undefined,
      values: undefined,
      vintage: ["retrieved"],
    }),
  ],
])("texts alone are all tables, with %s in one of them", async (_, members, rows, entry) => {
  expect(outcome(await builtOf(members, entry))).toEqual({files: {"a.zip": "read"}, rows, ...whole});
});

const shapes = geojson(
  parcels(100, 60).map((properties, i) => ({properties, geometry: square(i % 6, Math.floor(i / 6) % 5)})),
);
const codeBook = workbook({
  Codes: `<row r="1">${inline("A1", "CODE")}${inline("B1", "NAME")}</row><row r="2">${inline("A2", "100")}${inline("B2", "RES")}</row>`,
});

test.each<[string, Members, number]>([
  ["fields.txt", {"roll.csv": csv(parcels(100, 60)), "fields.txt": fields}, 60],
  ["fields.txt", {"roll.geojson": shapes, "fields.txt": fields}, 60],
  ["codes.txt", {"north.xlsx": book(100), "south.xlsx": book(200), "codes.txt": codes}, 60],
  ["codes.csv", {"roll.xlsx": book(100), "codes.csv": codes.replaceAll("\t", ",")}, 30],
  ["codes.xlsx", {"roll.txt": north, "codes.xlsx": codeBook}, 30],
])(
  "a table without the entry's columns costs nothing beside one that has them: %s",
  async (name, members, rows) => {
    const made = await builtOf(members);
    const files = {"a.zip": "read", [`a.zip:${name}`]: "left_out"};
    expect(outcome(made)).toEqual({files, rows, ...whole});
    expect(made.files.find(({path}) => path.endsWith(name))!.reason).toMatch(
      /no column "PIN" \(ids\.raw\).*name it as the layer/,
    );
  },
);

test("rolls of two kinds are both read", async () => {
  expect(outcome(await builtOf({"north.csv": north, "south.xlsx": book(200)}))).toEqual({
    files: {"a.zip": "read"},
    rows: 60,
    ...whole,
  });
});

test.each([
  ["a fact", "VALUE", "south.csv"],
  ["its number", "PIN", "south.txt"],
])("a part that lost the column of %s is not read, and the source is not whole", async (_, column, name) => {
  const files = {"a.zip": "read", [`a.zip:${name}`]: "failed"};
  const made = await builtOf({"north.csv": north, [name]: south.replace(column, "RENAMED")});
  expect(outcome(made)).toEqual({files, rows: 30, complete: [false], exit: 3});
});

test("a part of which no row can be read is not taken for a description", async () => {
  const part = lines(south, (line, i) => (i === 0 ? line : line.replaceAll(",", ";")));
  expect(outcome(await builtOf({"north.txt": north, "south.txt": part}))).toMatchObject({
    files: {"a.zip": "read", "a.zip:south.txt": "failed"},
    rows: 30,
    exit: 3,
  });
});

test("an archive in which no table has the entry's columns is refused by the one that comes nearest", async () => {
  const made = await builtOf({
    "codes.csv": codes.replaceAll("\t", ","),
    "roll.txt": north.replace("PIN", "NO"),
  });
  expect(made.files).toMatchObject([{status: "failed", rowsIn: 30, rejected: {column_missing: 30}}]);
  expect(made.files[0]!.reason).toMatch(/roll\.txt: no column "PIN"/);
});

test("parcels that left a complete file do not come back for a list of fields beside it", async () => {
  const older = await built(await rawFiles({"a.csv": csv(parcels(100, 60))}, {complete: true}));
  const members = {"roll.csv": csv(parcels(100, 50)), "fields.txt": fields};
  const files = await rawFiles(
    {"b.zip": zipOf(members)},
    {complete: true, retrieved_at: "2026-11-20T00:00:00Z"},
  );
  const base = {buildId: "20261120-ab12cd", dir: older.outDir, complete: ["us-tx-invented"]};
  const made = await built(files, [invented()], base);
  expect([made.rows, outcome(made)]).toMatchObject([50, {rows: 50, ...whole}]);
});
