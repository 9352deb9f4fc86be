import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {sampleRows} from "../../../../packages/parcel-files/test/sample-rows.ts";
import {dbfOf} from "../../../../packages/parcel-files/test/write-dbf.ts";
import {flatgeobufOf} from "../../../../packages/parcel-files/test/write-flatgeobuf.ts";
import {zipOf} from "../../../../packages/parcel-files/test/write-zip.ts";
import {addsUp} from "../../../../schemas/build-report.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";
import {built, invented, rawFiles, row} from "../raw-folder.ts";
import {sampleEntry} from "./sample-entry.ts";
import {stage} from "./staging.ts";
import {
  attributesOf,
  delimitedOf,
  featuresOf,
  geopackageOf,
  jsonOf,
  kmlOf,
  parquetOf,
  shapefileOf,
} from "./write-formats.ts";

type Files = Readonly<Record<string, Buffer | string>>;

/** The account of the only file of an entry with a table. */
async function accountOf(files: Files, entry = sampleEntry) {
  const staged = await stage(files, entry);
  try {
    expect(staged.files, JSON.stringify(staged.reports)).toHaveLength(1);
    return staged.files[0]!.account!;
  } finally {
    staged.db.close();
  }
}

const geojson = jsonOf({type: "FeatureCollection", features: featuresOf(sampleRows)});
const sizeOf = (files: Files) =>
  Object.values(files).reduce((sum, content) => sum + Buffer.byteLength(content), 0);
const boundless = {minRows: 0, maxRejectShare: 1, maxDropShare: 1, rows: []};

/** A cell that is written as it stands, or in quotes, with its quotes doubled. */
const cell = fc
  .record({text: fc.stringMatching(/^[A-Z"]{1,6}$/), isQuoted: fc.boolean()})
  .map(({text, isQuoted}) => (isQuoted || text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text));
const plainLine = fc.stringMatching(/^[A-Z]{1,5}$/);

describe("the account of a file", () => {
  test("has every byte, row and quotation mark of delimited text: title, header, rows, and rows of another width", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(plainLine, {maxLength: 3}),
        fc.array(fc.oneof({weight: 5, arbitrary: fc.tuple(cell, cell)}, fc.constant(null)), {
          minLength: 1,
          maxLength: 12,
        }),
        async (titles, drawn) => {
          // The first row shows which line is the header.
          const lines = [["ROE", "OAK"], ...drawn].map((cells, i) =>
            cells === null ? `${i},ROE,OAK,MORE,CELLS` : [i, ...cells].join(","),
          );
          const wide = lines.filter((line) => line.endsWith("MORE,CELLS"));
          const title = titles.map((line) => `${line}\n`).join("");
          const text = `${title}parcel_no,owner,address\n${lines.join("\n")}\n`;
          const {bytes, rows, quotes} = await accountOf({"p.csv": text}, entryOf("owner", "address"));
          const lost = wide.join("").length + sizeOf({title});
          expect(bytes).toMatchObject({all: sizeOf({text}), read: sizeOf({text}) - lost});
          expect(bytes.skipped["title_line"] ?? 0).toBe(title.length);
          expect(bytes.skipped["malformed_row"] ?? 0).toBe(wide.join("").length);
          expect(rows).toEqual({all: lines.length, read: lines.length, skipped: {}});
          const marks = text.split('"').length - 1;
          expect(quotes).toEqual({all: marks, read: marks, skipped: {}});
        },
      ),
      {numRuns: 40},
    );
  });

  test("counts the quotation marks of rows that are lost", async () => {
    const text = 'parcel_no,owner,address\n1,ROE,"A ""B"" ST"\n2,ROE,"C"D ST"\n3,ROE,OAK ST\n';
    const {quotes, rows, bytes} = await accountOf({"p.csv": text}, entryOf("owner", "address"));
    expect(rows.all).toBe(3);
    for (const each of [quotes!, bytes])
      expect(each.all).toBe(each.read + Object.values(each.skipped).reduce((sum, n) => sum + n, 0));
    expect(quotes!.all).toBe(9);
  });

  test("has the rows of a DBF that are marked as deleted", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), {minLength: 1, maxLength: 30}), async (marks) => {
        const deleted = new Set(marks.flatMap((isDeleted, i) => (isDeleted && i > 0 ? [i] : [])));
        const column = (name: string, width: number) => ({name, type: "C", width, text: String});
        const dbf = dbfOf([column("parcel_no", 10)], [...marks.keys()], {deleted});
        const {bytes, rows, quotes} = await accountOf({"p.dbf": dbf}, entryOf());
        expect(quotes).toBeUndefined();
        expect(rows).toEqual({
          all: marks.length,
          read: marks.length - deleted.size,
          skipped: deleted.size === 0 ? {} : {deleted_row: deleted.size},
        });
        expect(bytes.all).toBe(dbf.length);
        expect(bytes.skipped["deleted_row"] ?? 0).toBe(deleted.size * 11);
        expect(bytes.skipped["after_last_row"]).toBe(1);
      }),
      {numRuns: 20},
    );
  });

  const formats: Record<string, () => Files | Promise<Files>> = {
    CSV: () => ({"p.csv": delimitedOf(sampleRows, ",")}),
    JSON: () => ({"p.geojson": geojson}),
    KML: () => ({"p.kml": kmlOf(sampleRows)}),
    DBF: () => ({"p.dbf": attributesOf(sampleRows)}),
    "a shapefile": () => shapefileOf(sampleRows, "p"),
    FlatGeobuf: () => ({"p.fgb": flatgeobufOf(sampleRows, {index: true})}),
    GeoPackage: () => ({"p.gpkg": geopackageOf(sampleRows, temporaryFolder())}),
    GeoParquet: async () => ({"p.parquet": await parquetOf(sampleRows, temporaryFolder(), {})}),
  };

  test.each(Object.entries(formats))(
    "has every byte of %s, packed and not, and its points",
    async (name, make) => {
      const files = await make();
      const beside = {"readme.pdf": "how it was made"};
      const packed = await accountOf({"p.zip": zipOf({...files, ...beside})});
      expect(packed.bytes.all).toBe(sizeOf(files) + sizeOf(beside));
      expect(packed.bytes.skipped["not_a_table"]).toBe(sizeOf(beside));
      if (name !== "a shapefile") expect((await accountOf(files)).bytes.all).toBe(sizeOf(files));
      const points = {all: 3, read: 2, skipped: {no_geometry: 1}};
      expect(packed.geometry).toEqual(name === "CSV" || name === "DBF" ? {} : {geometry: points});
      expect(packed.rows).toEqual({all: 3, read: 3, skipped: {}});
    },
  );

  test("tells the cells of a column of geometry that were not read from those that are empty", async () => {
    const cells = ["POINT (-97.75 30.25)", "POINT (-97.74 30.25)", "", "LINESTRING (0 0, 1 1)"];
    const text = ["parcel_no,the_geom", ...cells.map((each, i) => `${i},"${each}"`)].join("\n");
    const {geometry} = await accountOf({"p.csv": text}, entryOf("the_geom"));
    expect(geometry).toEqual({
      the_geom: {all: 4, read: 2, skipped: {geometry_unread: 1, no_geometry: 1}},
    });
  });

  test("has the size of a file that could not be read, and of one that lacks columns", async () => {
    const {reports, db} = await stage({"p.json": "{", "q.csv": "other\n1\n2\n", "r.dwg": "AC1027"});
    db.close();
    expect(reports.every(addsUp)).toBe(true);
    expect(reports.map(({account}) => account!.bytes.skipped)).toEqual([
      {failed: 1},
      {failed: 10},
      {no_reader: 6},
    ]);
  });

  test("adds up in the report of a build: rows in are those read, and each is accepted, rejected or merged", async () => {
    const random = fc.sample(
      fc.array(fc.constantFrom("1-1", "1-2", "1-3", "2-1", "0", "TOTAL", "", "WATER"), {
        minLength: 1,
        maxLength: 30,
      }),
      12,
    );
    const files = random.map((pins, i) => {
      const rows = pins.map((pin) =>
        Object.values(row(pin))
          .map((each) => `"${each}"`)
          .join(","),
      );
      return [`r${i}.csv`, [Object.keys(row("1")).join(","), ...rows].join("\n")] as const;
    });
    const made = await built(await rawFiles(Object.fromEntries(files)), [invented({accept: boundless})]);
    expect(made.files).toHaveLength(12);
    for (const [i, report] of made.files.entries()) {
      expect(addsUp(report)).toBe(true);
      const [, text] = files.find(([name]) => report.path.endsWith(`/${name}`))!;
      expect(report.account!.bytes.all, `file ${i}`).toBe(text.length);
      expect(report.rowsIn).toBe(text.split("\n").length - 1);
    }
  });

  test("does not add up where a byte, a row or a point is missing", async () => {
    const {files} = await built(await rawFiles({"p.csv": "PIN\n1\n2\n"}), [
      invented({fields: {}, area: undefined, values: undefined, vintage: ["retrieved"], accept: boundless}),
    ]);
    const [report] = files;
    const {account, ...rest} = report!;
    expect(addsUp(report!)).toBe(true);
    const off = (each: {all: number; read: number; skipped: object}) => ({...each, all: each.all + 1});
    const wrong = [
      {...account!, bytes: off(account!.bytes)},
      {...account!, rows: off(account!.rows)},
      {...account!, quotes: {all: 1, read: 0, skipped: {}}},
      {...account!, geometry: {the_geom: {all: 2, read: 1, skipped: {}}}},
      {...account!, rows: {all: 3, read: 3, skipped: {}}},
    ];
    for (const each of wrong) expect(addsUp({...rest, account: each as typeof account})).toBe(false);
  });
});

/** The sample's entry with the parcel number and some further columns alone. */
function entryOf(...columns: readonly string[]) {
  const named = {owner: "owner_raw", address: "situs_raw", the_geom: "geometry"} as Record<string, string>;
  const fields = Object.fromEntries(columns.map((name) => [named[name]!, {from: name}]));
  return {
    ...sampleEntry,
    ids: {raw: "parcel_no"},
    fields,
    area: undefined,
    use: undefined,
  } as typeof sampleEntry;
}
