import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterAll, expect, test} from "vitest";
import {recognise} from "../../../pipeline/add/recognise.ts";
import type {RawFile} from "../../../pipeline/raw/raw-files.ts";
import {addsUp} from "../../../schemas/build-report.ts";
import {marsRow, withReading} from "./raw-folder.ts";
import {signalBuild} from "./signals/signal-build.ts";

const rows = [
  marsRow(),
  marsRow({class: "Heifers", head_count: 12, lot_desc: 'Thin; "light", mixed'}),
  marsRow({head_count: 7, avg_weight: 790}),
];
const names = Object.keys(rows[0]!);

function csv(delimiter: string): string {
  const cell = (value: unknown) => {
    const text = String(value ?? "");
    return /[",;\t|]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((cells) => cells.map(cell).join(delimiter))
    .join("\r\n");
}

const marked = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");

/** A table of three price rows in several delimiters, encodings and shapes. */
const forms: Readonly<Record<string, Buffer>> = {
  commas: Buffer.from(csv(",")),
  semicolons: Buffer.from(csv(";")),
  tabs: Buffer.from(csv("\t")),
  pipes: Buffer.from(csv("|")),
  "a sep line": Buffer.from(`sep=,\r\n${csv(",")}`),
  "a marked sep line": Buffer.from(`\uFEFFsep=;\r\n${csv(";")}`),
  "UTF-16 LE": marked(csv(",")),
  "UTF-16 BE": marked(csv(";")).swap16(),
  "UTF-16 LE with a sep line": marked(`sep=\t\n${csv("\t")}`),
  NDJSON: Buffer.from(rows.map((row) => JSON.stringify(row)).join("\n")),
  "UTF-16 NDJSON": marked(rows.map((row) => JSON.stringify(row)).join("\r\n")),
};

const folder = mkdtempSync(join(tmpdir(), "delimiters-"));
afterAll(() => rmSync(folder, {recursive: true, force: true}));

function fileOf(form: string, bytes = forms[form]!): RawFile {
  const absolutePath = join(folder, form);
  writeFileSync(absolutePath, bytes);
  return {
    ...{path: "export.csv", absolutePath, kind: "market", feedOrEntryId: "unknown", sizeBytes: bytes.length},
    ...{sha256: "", meta: null, retrievedAt: "2026-11-20T00:00:00Z", retrievedAtFrom: "mtime"},
  };
}

test("recognises price rows in any format as market reports in `add`", async () => {
  for (const form of ["semicolons", "tabs", "a marked sep line", "UTF-16 BE", "NDJSON"])
    expect(await recognise(fileOf(form), {registry: [], tempDir: folder}), form).toEqual({
      folder: {kind: "market", feedOrEntryId: "mars"},
    });
});

test("reads price rows only in the folder mars; every other feed refuses them and names the file", async () => {
  const others = ["lmr", "directory", "dealers", "references", "aphis"];
  const paths = ["mars", ...others].flatMap((feed) =>
    Object.keys(forms).map((form) => ({feed, form, path: `${feed}/${form.replaceAll(" ", "_")}.csv`})),
  );
  const build = await signalBuild({
    files: Object.fromEntries(paths.map(({path, form}) => [path, forms[form]!])),
  });
  try {
    for (const {feed, path} of paths) {
      const {status, accepted, merged, rejected, reason} = build.report(path);
      if (feed === "mars") expect([path, status, accepted + merged, rejected]).toEqual([path, "read", 3, {}]);
      else
        expect([status, accepted, reason]).toEqual([
          ...["failed", 0],
          `market/${path}: price rows of market reports; they belong in the folder mars.`,
        ]);
    }
  } finally {
    build.close();
  }
});

test("does not take a printed report for a roster or a licence list", async () => {
  const printed = [
    "Invented Livestock Auction - Nowhere, OK",
    "Livestock Weighted Average Report for 9/1/2026 - Final",
    "FEEDER CATTLE",
    "STEERS - Medium and Large 1 (Per Cwt / Actual Wt)",
    "  Head        Wt Range      Avg Wt      Price Range      Avg Price",
    "   12            700          700          350.00          350.00",
  ].join("\n");
  const build = await signalBuild({files: {"directory/ok_a.txt": printed, "dealers/ok_b.txt": printed}});
  try {
    for (const path of ["directory/ok_a.txt", "dealers/ok_b.txt"])
      expect(build.report(path)).toMatchObject({
        status: "failed",
        reason: `market/${path}: a printed market report; it belongs in the folder ams-text.`,
      });
  } finally {
    build.close();
  }
});

/** An entry of the list of reports of either service. */
const entry = (
  slug_id: number,
  report_title: string,
  market_type: string,
  sectionNames: readonly string[],
) => ({
  ...{slug_id: String(slug_id), slug_name: `AMS_${slug_id}`, report_title, report_date: "09/15/2026"},
  ...{
    published_date: "09/15/2026 18:05:00",
    markets: ["Nowhere, OK"],
    market_types: [market_type],
    sectionNames,
  },
});
const auctions = [
  entry(9101, "Invented Livestock Auction - Nowhere, OK", "Auction Livestock", []),
  entry(9102, "Invented Stockyard - Somewhere, KS", "Auction Livestock (Special)", []),
  entry(9103, "Invented Cutout (LM_XB999)", "Direct Livestock - LMR Beef", ["Summary"]),
];
const mandatory = [
  entry(9201, "Invented Direct Cattle - NE (LM_CT999)", "Direct Livestock - LMR Cattle", ["Summary"]),
  entry(9202, "Invented Boxed Beef (LM_XB998)", "Direct Livestock - LMR Beef", ["Summary", "Detail"]),
];
const {slug_id, report_title, report_date} = mandatory[1]!;
const volume = {
  report_date,
  slug_id,
  report_title,
  market_type: "Direct Livestock - LMR Beef",
  loads: "12.5",
};
const section = {reportSection: "Current Volume", stats: {"totalRows:": 1}, results: [volume]};
const statistic = {
  short_desc: "CATTLE, COWS, BEEF - INVENTORY",
  commodity_desc: "CATTLE",
  agg_level_desc: "STATE",
};
const statistics = ["TX", "KS"].map((state_alpha) => ({
  ...statistic,
  state_alpha,
  year: 2026,
  Value: "12,000",
}));

/** The list also as the table that both services offer. */
function listed(entries: readonly Readonly<Record<string, unknown>>[]): string {
  const heads = ["slug_id", "report_title", "market_types", "sectionNames"];
  const lines = entries.map((record) => heads.map((name) => `"${String(record[name])}"`).join(","));
  return [heads.join(","), ...lines].join("\n");
}

const ofList = (own: string) => `a list of reports; it belongs in the folder ${own}.`;

test.each([
  ["auctions.json", auctions, "mars", ["lmr", "directory", "dealers", "references", "nass"], ofList("mars")],
  ["mandatory.json", mandatory, "lmr", ["mars", "directory", "dealers", "references"], ofList("lmr")],
  ["mandatory.csv", listed(mandatory), "lmr", ["directory", "dealers", "references"], ofList("lmr")],
  ["one.json", [section], "lmr", ["mars"], "sections of mandatory reports; they belong in the folder lmr."],
  ["statistics.json", statistics, "nass", ["mars"], "got a JSON array of 2 objects with short_desc"],
])("accepts %s only in its own feed, where `add` puts it", async (name, content, own, others, reason) => {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  expect(await recognise(fileOf(name, Buffer.from(text)), {registry: [], tempDir: folder})).toEqual({
    folder: {kind: "market", feedOrEntryId: own},
  });
  const paths = [own, ...others].map((feed) => `${feed}/${name}`);
  const build = await signalBuild({files: Object.fromEntries(paths.map((path) => [path, text]))});
  try {
    expect(build.report(paths[0]!)).toMatchObject({status: "read", merged: 0, rejected: {}});
    for (const path of paths.slice(1)) {
      expect(build.report(path)).toMatchObject({status: "failed", accepted: 0, merged: 0});
      expect(build.report(path).reason).toContain(`market/${path}: ${reason}`);
    }
  } finally {
    build.close();
  }
});

test("reads a comma as thousands separator only, never as decimal comma", async () => {
  const table = csv(";").replaceAll("355.89", "355,89").replaceAll("900", "1,900");
  await withReading({files: {"mars/ams_9101.csv": table}}, async ({db, report}) => {
    expect(report("mars/ams_9101.csv")).toMatchObject({accepted: 0, rejected: {no_price: 3}});
    expect(await db.rows("SELECT DISTINCT receipts FROM checked_rows")).toEqual([{receipts: 1900}]);
  });
});

test("counts a line of NDJSON that is no object, and refuses a file of mostly such lines", async () => {
  const lines = rows.map((row) => JSON.stringify(row));
  const files = {
    "mars/cut.json": [...lines, lines[0]!.slice(0, 40)].join("\n"),
    "mars/words.json": [lines[0], "and", "so", "on"].join("\n"),
    "mars/one.json": lines[0]!,
  };
  await withReading({files}, async ({report}) => {
    expect(report("mars/cut.json")).toMatchObject({status: "read", accepted: 3, rejected: {unread_line: 1}});
    expect(addsUp(report("mars/cut.json"))).toBe(true);
    expect(report("mars/words.json")).toMatchObject({status: "failed"});
    expect(report("mars/one.json")).toMatchObject({accepted: 1, rejected: {}});
  });
});

test("reads signals as NDJSON, in UTF-16 and with a sep line, too", async () => {
  const shares = ["MapDate", "FIPS", "State", "None", "D0", "D1", "D2", "D3", "D4", "StatisticFormatID"];
  const values = ["2026-11-17", "48143", "TX", "20.5", "79.5", "40.25", "10", "0", "0", "1"];
  const table = (delimiter: string) => [shares, values].map((cells) => cells.join(delimiter)).join("\n");
  const record = JSON.stringify(Object.fromEntries(shares.map((name, at) => [name, values[at]])));
  const second = record.replace("48143", "48439");
  const build = await signalBuild({
    files: {
      "usdm/a.csv": marked(table(",")),
      "usdm/b.csv": marked(`sep=;\n${table(";")}`).swap16(),
      "usdm/c.json": `${record}\n${second}\n{"MapDate":`,
    },
  });
  try {
    expect(build.report("usdm/a.csv")).toMatchObject({rowsIn: 1, rejected: {}});
    expect(build.report("usdm/b.csv")).toMatchObject({rowsIn: 1, rejected: {}});
    expect(build.report("usdm/c.json")).toMatchObject({rowsIn: 3, rejected: {unread_line: 1}});
    expect(await build.table("signals/drought", "area")).toHaveLength(2);
  } finally {
    build.close();
  }
});
