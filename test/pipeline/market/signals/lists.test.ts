import {writeFileSync} from "node:fs";
import {join} from "node:path";
import fc from "fast-check";
import {expect, test} from "vitest";
import {UserError} from "../../../../lib/errors.ts";
import {workbook} from "../../../../packages/parcel-files/test/write-workbook.ts";
import {readCheckedList} from "../../../../pipeline/market/signals/lists/check-list.ts";
import {readListFile} from "../../../../pipeline/market/signals/lists/list-reader.ts";
import {listSourcesDir, loadListSources} from "../../../../pipeline/market/signals/lists/list-sources.ts";
import type {LicenceSource, RosterSource} from "../../../../schemas/list-source.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";
import {listContent, listFile, reasonsOf} from "./read-text.ts";
import {signalBuild} from "./signal-build.ts";
import {pdfPage, sheetRows, writers} from "./write-lists.ts";

const markets: RosterSource = {
  ...{id: "sk-markets", feed: "directory", name: "Invented markets", publisher: "Nobody", url: null},
  ...{terms: "invented", state: "KS", match: [], general: false, source: "state-agriculture-reference-pages"},
  columns: {
    name: ["Market Name"],
    street: ["Physical Address"],
    city: ["City"],
    zip: ["Zip"],
    phone: ["Phone"],
    website: ["Web"],
    sale_days: ["Sale Day"],
  },
  ...{optional: ["website"], requires: ["name", "city"], note: "invented"},
  accept: {minRows: 1, maxRejectShare: 0.5, rows: []},
};
const header = ["Market Name", "Physical Address", "City", "Zip", "Phone", "Sale Day", "Web"];
const rows = [
  [
    "Invented Creek Livestock",
    "100 Sample Rd",
    "Invented Creek",
    "67001",
    "(620) 555-0101",
    "Tuesday",
    "www.example.org",
  ],
  ["Sample Flats Stockyards", "2 Barn Ln", "Sample Flats", "67002-0002", "620.555.0102", "Thurs.", ""],
];

async function read(content: string | Buffer | object, map: RosterSource = markets, name = "markets") {
  const path = `directory/${map.id}/${name}`;
  return readListFile({file: listFile(path), content: await listContent(path, content)}, [map]);
}

test.each(Object.keys(writers))(
  "reads a roster that came as %s: street, ZIP, telephone, website, sale day",
  async (format) => {
    const {listings} = await read(writers[format]!([header, ...rows]));
    expect(listings).toMatchObject([
      {
        ...{name: "Invented Creek Livestock", street: "100 Sample Rd", city: "Invented Creek", state: "KS"},
        ...{zip: "67001", phone: "+16205550101", website: "https://www.example.org/", saleDays: ["tuesday"]},
      },
      {
        name: "Sample Flats Stockyards",
        zip: "67002",
        phone: "+16205550102",
        website: null,
        saleDays: ["thursday"],
      },
    ]);
  },
);

test.each(Object.keys(writers))(
  "finds the header of a %s below titles, and ignores a repeated one",
  async (format) => {
    const titles = [
      ["Department of Invented Agriculture"],
      ["Licensed markets", "", "", "as of 1 July"],
      [""],
    ];
    const padded = titles.map((cells) => header.map((_, place) => cells[place] ?? ""));
    const reading = await read(writers[format]!([...padded, header, rows[0]!, header, rows[1]!]));
    expect([reading.listings.length, reasonsOf(reading)]).toEqual([2, ["header_again"]]);
  },
);

test.each(["csv", "html", "xlsx"])(
  "reads a %s with a header of two rows, the upper one merged",
  async (format) => {
    const two: RosterSource = {
      ...markets,
      columns: {name: ["Market Name"], city: ["Location City"], street: ["Location Street"]},
      optional: [],
    };
    const content = writers[format]!([
      ["Market", "Location", ""],
      ["Name", "Street", "City"],
      ["Invented Creek Livestock", "100 Sample Rd", "Invented Creek"],
    ]);
    const {listings} = await read(content, two);
    expect(listings).toMatchObject([
      {name: "Invented Creek Livestock", street: "100 Sample Rd", city: "Invented Creek"},
    ]);
  },
);

test("reads a header that breaks into a second line on a page", async () => {
  const wrapped = [
    ["Market", "Physical", ...header.slice(2)],
    ["Name", "Address", "", "", "", "", ""],
  ];
  const {listings} = await read(pdfPage([...wrapped, ...rows]));
  expect(listings.map(({name, street}) => [name, street])).toEqual([
    ["Invented Creek Livestock", "100 Sample Rd"],
    ["Sample Flats Stockyards", "2 Barn Ln"],
  ]);
});

test("reads all tables of a web page that have the columns, and no other", async () => {
  const page = writers["html"]!([header, rows[0]!]) as string;
  const other = "<table><tr><td>Menu</td><td>Home</td></tr></table>";
  const {listings} = await read(
    page.replace("</body>", `${other}<table>${page.split("<table>")[1]!}</body>`),
  );
  expect(listings).toHaveLength(2);
});

test("reads a table that a spreadsheet saved as UTF-16", async () => {
  const bytes = Buffer.from(`\uFEFF${writers["tsv"]!([header, ...rows]) as string}`, "utf16le");
  expect((await read(bytes)).listings).toHaveLength(2);
});

test("asks which worksheet counts where several have the columns", async () => {
  const [first, second] = rows.map((row) => sheetRows([header, row]));
  const book = workbook({"2025": first!, "2026": second!});
  await expect(read(book)).rejects.toThrow(
    'market/directory/sk-markets/markets: sheets "2025", "2026" have the columns of sk-markets; say in its map ("sheet")',
  );
  const newest = {...markets, sheet: "2026"};
  expect((await read(book, newest)).listings).toMatchObject([{city: "Sample Flats"}]);
  // The sheet alone, saved as CSV.
  expect((await read(writers["csv"]!([header, rows[1]!]), newest)).listings).toHaveLength(1);
});

test.each([
  [
    "absent columns",
    "Market,City\nInvented,Elm\n",
    /columns Market, City; expected name \(Market Name\), street/,
  ],
  ["a web page without a table", "<!doctype html><p>Sorry</p>", /got a web page without a table/],
  ["an empty file", " \n", /the file is empty/],
  ["a PDF that is cut off", "%PDF-1.7\nabc", /not a PDF that can be read/],
  ["a scan", pdfPage([]), /the PDF has no text/],
  ["an old workbook", Buffer.from("d0cf11e0a1b11ae1", "hex"), /--convert-to csv/],
  ["bytes of another kind", Buffer.from([1, 0, 0, 2, 0]), /unknown format/],
  ["too few rows", header.join(","), /^$/],
])("explains what is wrong with %s", async (what, content, message) => {
  if (what === "too few rows") expect((await read(content)).remark).toContain("without lines");
  else await expect(read(content)).rejects.toThrow(message);
});

test("refuses a file with fewer rows, or more rejected ones, than its map allows", async () => {
  const csv = writers["csv"]!([header, ...rows]) as string;
  const least = (minRows: number) => ({...markets, accept: {...markets.accept, minRows}});
  await expect(read(csv, least(3))).rejects.toThrow(
    "2 rows; sk-markets expects at least 3: is the file cut off?",
  );
  const bad = `${csv}\r\n,,,,,,\r\n${",,Elm,,,,\r\n".repeat(3)}`;
  await expect(read(bad)).rejects.toThrow("3 of 5 rows rejected; sk-markets accepts a share of 0.5");
});

test("loses only the cell of a NUL", async () => {
  const csv = writers["csv"]!([header, ...rows]) as string;
  const {listings} = await read(csv.replace("2 Barn Ln", "2 Barn\0Ln"));
  expect(listings.map(({street}) => street)).toEqual(["100 Sample Rd", "2 Barn\uFFFDLn"]);
});

test("loses only a line of another length and a line with an open quote", async () => {
  const [first, second] = rows.map((row) => writers["csv"]!([row]));
  const reading = await read(`${header.join(",")}\n${first}\nBarn,"2 Barn\n${second}\n`);
  expect([reading.listings.length, reasonsOf(reading)]).toEqual([2, ["unread_line"]]);
});

const licences: LicenceSource = {
  ...{id: "sk-licences", feed: "dealers", name: "Invented licences", publisher: "Nobody", url: null},
  ...{
    terms: "invented",
    state: "KS",
    match: [],
    general: false,
    federal: false,
    scope: "livestock licences",
    barns: true,
  },
  columns: {name: ["Firm"], licence_type: ["Class"], city: ["City"], phone: ["Phone"], bond: ["Bond"]},
  ...{optional: ["bond"], requires: ["name"], note: "invented"},
  licenceTypes: [
    {words: "^M$", countsAs: "licensed_markets"},
    {words: "^D$", countsAs: "licensed_dealers"},
  ],
  accept: {minRows: 1, maxRejectShare: 0.5, rows: []},
};

test.each(Object.keys(writers))(
  "counts a licence list given as %s by its own classes; only markets give facts of barns",
  async (format) => {
    const lines = [
      ["Firm", "Class", "City", "Phone"],
      ["Invented Creek Livestock", "M", "Invented Creek", "620-555-0101"],
      ["Sample Buyers LLC", "D", "Elm", "620-555-0103"],
      ["Sample Haulers", "T", "Elm", "620-555-0104"],
    ];
    const path = "dealers/sk-licences/2026";
    const content = await listContent(path, writers[format]!(lines));
    const {dealers, listings} = readListFile({file: listFile(path), content}, [licences]);
    expect(dealers!.entries.map(({countsAs, bonded}) => [countsAs, bonded])).toEqual([
      ["licensed_markets", null],
      ["licensed_dealers", null],
      ["other", null],
    ]);
    expect(listings).toMatchObject([{city: "Invented Creek", phone: "+16205550101"}]);
  },
);

test("counts a registrant of a federal list in the state of its line, and none without a state", async () => {
  const path = "dealers/psd-dealers/2026";
  const lines = [
    "Business Name,City,State",
    "Invented Creek LLC,Elm,KS",
    "Sample Flats LLC,Oak,OK",
    "Sample Buyers LLC,Elm,",
    "Sample Haulers,Elm,ZZ",
  ];
  const content = await listContent(path, lines.join("\n"));
  const reading = readListFile({file: listFile(path), content}, loadListSources());
  expect(reading.dealers!.entries.map(({state}) => state)).toEqual(["KS", "OK"]);
  expect(reasonsOf(reading)).toEqual(["no_state", "unknown_area"]);
});

test("adds a roster's street, phone, website and sale day to the directory, with their source", async () => {
  const lines = [
    ["Market", "Street Address", "City", "State", "Zip Code", "Phone", "Website", "Sale Day"],
    [
      "Invented Creek Livestock",
      "100 Sample Rd",
      "Invented Creek",
      "KS",
      "67001",
      "620-555-0101",
      "",
      "Tuesday",
    ],
  ];
  const build = await signalBuild({files: {"directory/markets.xlsx": workbook({Markets: sheetRows(lines)})}});
  try {
    expect(build.report("directory/markets.xlsx")).toMatchObject({status: "read", rowsIn: 1, accepted: 1});
    const columns = "venue_name, street_address, zip, phone, website, sale_days, status";
    expect(await build.table("barns", columns)).toEqual([
      {
        ...{venue_name: "Invented Creek Livestock", street_address: "100 Sample Rd", zip: "67001"},
        ...{phone: "+16205550101", website: null, sale_days: ["tuesday"], status: "unverified"},
      },
    ]);
  } finally {
    build.close();
  }
});

test("reads the examples of every map in the registry as expected", () => {
  const maps = loadListSources();
  expect(maps.length).toBeGreaterThanOrEqual(4);
  for (const {id, accept} of maps) {
    expect(readCheckedList(join(listSourcesDir, `${id}.json`)).id).toBe(id);
    expect(accept.rows.length, id).toBeGreaterThanOrEqual(2);
  }
});

const faults: [string, (map: Record<string, unknown>) => void, RegExp][] = [
  ["an unknown key", (map) => Object.assign(map, {colour: 1}), /unknown field "colour"/],
  ["an unknown field", (map) => Object.assign(map, {columns: {nom: ["x"]}}), /columns/],
  [
    "a column that is absent but optional",
    (map) => Object.assign(map, {optional: ["bond"]}),
    /bond has no column/,
  ],
  [
    "lines beside columns",
    (map) => Object.assign(map, {lines: "(?<name>.*)"}),
    /lines: give lines or columns/,
  ],
  [
    "a pattern that is none",
    (map) => Object.assign(map, {lines: "(", columns: {}}),
    /is not a regular expression/,
  ],
  [
    "another id than its name",
    (map) => Object.assign(map, {id: "other"}),
    /id: expected the file's name, .*got "other"/,
  ],
  [
    "an example that is read otherwise",
    (map) =>
      Object.assign(map, {accept: {...markets.accept, rows: [{row: exampleRow, expect: {city: "Elm"}}]}}),
    /accept\.rows\.0: city is "Invented Creek", expected "Elm"\./,
  ],
];
const exampleRow = Object.fromEntries(header.map((name, place) => [name, rows[0]![place]!]));

test.each(faults)("refuses a map with %s", (_, spoil, message) => {
  const path = join(temporaryFolder(), "sk-markets.json");
  const map: Record<string, unknown> = structuredClone(markets);
  spoil(map);
  writeFileSync(path, JSON.stringify(map));
  expect(() => readCheckedList(path)).toThrow(message);
});

const cell = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "Elm",
    "KS",
    "N/A",
    '"',
    "a,b",
    "x\ny",
    "=1+1",
    "—",
    "Tues & Thurs",
    "(620) 555-0199",
  ),
  fc.string({unit: "grapheme", maxLength: 12}),
);

test.each(Object.keys(writers))(
  "accepts or rejects every row of a random %s, or refuses the file",
  async (format) => {
    const table = fc.record({
      columns: fc.oneof(fc.constantFrom(header, header.slice(0, 6)), fc.subarray(header, {minLength: 1})),
      before: fc.array(fc.array(cell, {maxLength: 4}), {maxLength: 3}),
      body: fc.array(fc.array(cell, {minLength: 7, maxLength: 7}), {maxLength: 12}),
    });
    await fc.assert(
      fc.asyncProperty(table, async ({columns, before, body}) => {
        const clean = (text: string) =>
          format === "xlsx" || format === "pdf" ? text.replaceAll(/[^\x20-\x7e]/g, "?") : text;
        const lines = [...before, columns, ...body.map((cells) => cells.slice(0, columns.length))];
        const content = writers[format]!(lines.map((cells) => cells.map(clean)));
        const map = {...markets, accept: {minRows: 0, maxRejectShare: 1, rows: []}};
        const outcome = await read(content, map).catch((error: unknown) => error);
        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(UserError);
          expect(outcome.message).toContain("market/directory/sk-markets/markets: ");
          return;
        }
        const {listings, rejected} = outcome as Awaited<ReturnType<typeof read>>;
        expect(columns).toEqual(expect.arrayContaining(header.slice(0, 6)));
        expect(rejected.map(({reason}) => reason).filter((reason) => !knownReasons.has(reason))).toEqual([]);
        if (format === "xlsx") {
          const filled = body.filter((cells) =>
            cells.slice(0, columns.length).some((text) => clean(text).trim() !== ""),
          );
          expect(listings.length + rejected.length).toBeGreaterThanOrEqual(filled.length);
        }
      }),
      {numRuns: format === "pdf" ? 60 : 150},
    );
  },
);
const knownReasons = new Set([
  "no_name",
  "no_city",
  "not_cattle",
  "unknown_area",
  "unread_line",
  "header_again",
]);
