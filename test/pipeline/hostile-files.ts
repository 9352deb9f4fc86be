import {deflateRawSync, deflateSync, gzipSync} from "node:zlib";
import {inline, workbook} from "../../packages/parcel-files/test/write-workbook.ts";
import {feedNames} from "../../schemas/market-feed.ts";
import {pdfPage} from "./market/signals/write-lists.ts";

/** An invented malicious file, and its path below a raw folder. */
export type HostileFile = {readonly path: string; readonly bytes: Buffer};

export type Random = () => number;

/** Random numbers from 0 to 1, reproducible by seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const between = (random: Random, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1));
const pick = <T>(random: Random, values: readonly T[]) => values[Math.floor(random() * values.length)]!;

/** A zip archive with one member, with the given name and flags. */
function zipOf(name: string, content: Buffer, {flags = 0, mode = 0, method = 8} = {}): Buffer {
  const packed = method === 8 ? deflateRawSync(content) : content;
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(flags, 6);
  local.writeUInt16LE(method, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(content.length, 22);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  local.copy(central, 8, 6, 28);
  central.writeUInt16LE(name.length, 28);
  central.writeUInt32LE((mode << 16) >>> 0, 38);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  const text = Buffer.from(name);
  return Buffer.concat([local, text, packed, central, text, end]);
}

const strangeNumbers = [
  "NaN",
  "Infinity",
  "1e999",
  "-0",
  "0x10",
  "1,2,3",
  "99999999999999999999",
  "",
  "٣",
  "=1+1",
  "1e-400",
];
const table = (random: Random, rows: number, ends = "\n") =>
  [
    "id,name,date,value",
    ...Array.from(
      {length: rows},
      (_, i) =>
        `${i},x${i},${pick(random, ["2026-08-01", "0000-00-00", "9999-99-99", "31/31/2026"])},${pick(random, strangeNumbers)}`,
    ),
  ].join(ends);

/** Kinds of files: containers, markup, archives, numbers. Each takes its size from the random numbers. */
const kinds: Readonly<Record<string, (random: Random) => Buffer | string>> = {
  "bomb.zip": (random) => zipOf("a.csv", Buffer.alloc(between(random, 1, 20) * 2 ** 20)),
  "leaves.zip": () => zipOf("../../out.csv", Buffer.from("a,b\n1,2")),
  "link.zip": () => zipOf("a.csv", Buffer.from("/etc/passwd"), {mode: 0o120777}),
  "locked.zip": () => zipOf("a.csv", Buffer.from("secret"), {flags: 1}),
  "wrong-sum.zip": (random) => zipOf("a.csv", Buffer.from(table(random, 20))),
  "cut.zip": (random) => zipOf("a.csv", Buffer.from(table(random, 50))).subarray(0, between(random, 4, 200)),
  "cut.csv.gz": (random) => gzipSync(table(random, 500)).subarray(0, between(random, 3, 400)),
  "bomb.json.gz": (random) => gzipSync(Buffer.alloc(between(random, 1, 20) * 2 ** 20, "[")),
  "twice.csv.gz": (random) => gzipSync(gzipSync(table(random, 20))),
  "no.csv.gz": (random) => table(random, 5),
  "cut.xlsx": (random) => workbook({List: inline("A1", "x")}).subarray(0, between(random, 10, 300)),
  "endless-row.xlsx": (random) =>
    workbook({List: `<row r="1">${inline("A1", "x").repeat(between(random, 100, 20_000))}`}),
  "far-cells.xlsx": (random) =>
    workbook({
      List: Array.from(
        {length: between(random, 10, 3_000)},
        (_, i) => `<row r="${i + 1}">${inline(`XFD${i + 1}`, "x")}</row>`,
      ).join(""),
    }),
  "many-tags.xlsx": (random) => workbook({List: "<row/>".repeat(between(random, 100, 50_000))}),
  "not.xlsx": () => zipOf("mimetype", Buffer.from("x")),
  "cut.pdf": (random) => pdfPage([["a", "b"]]).subarray(0, between(random, 5, 300)),
  "bomb.pdf": (random) =>
    Buffer.concat([
      Buffer.from("%PDF-1.4\n1 0 obj <</Filter /FlateDecode>> stream\n"),
      deflateSync(Buffer.alloc(between(random, 1, 80) * 2 ** 20)),
      Buffer.from("\nendstream endobj"),
    ]),
  "deep.pdf": (random) => `%PDF-1.7\n1 0 obj ${"[".repeat(between(random, 1_000, 200_000))}`,
  "deep.html": (random) =>
    `<table><tr><td>${pick(random, ["<div>", "<b>", "<table><tr><td>"]).repeat(between(random, 100, 20_000))}x`,
  "unclosed.html": (random) => `<table>${"<tr><td>a<td>b<p>".repeat(between(random, 10, 20_000))}`,
  "wide.html": (random) => `<table>${'<tr><td colspan="1000000">a'.repeat(between(random, 1, 5_000))}`,
  "entities.xml": () =>
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><a>&b;</a>',
  "deep.xml": (random) => `<?xml version="1.0"?>${"<a>".repeat(between(random, 100, 50_000))}`,
  "deep.json": (random) => pick(random, ["[", '{"a":']).repeat(between(random, 1_000, 500_000)),
  "cut.json": (random) => `{"results": [${'{"a": 1},'.repeat(between(random, 1, 500))}`,
  "keys.json": () => '[{"__proto__": {"a": 1}, "constructor": 1, "a": "\\ud800", "a": 2}]',
  "numbers.json": (random) =>
    `{"results": [${strangeNumbers.map((n) => JSON.stringify({price: n, report_date: n})).join()}, {"price": 1e999, "n": ${between(random, 0, 9)}${"9".repeat(400)}}]}`,
  "lists.json": (random) => `[${"[],".repeat(between(random, 1_000, 300_000))}[]]`,
  "deep-cell.json": (random) => {
    const depth = between(random, 1_000, 300_000);
    return `[{"parcel_no":${"[".repeat(depth)}${"]".repeat(depth)}}]`;
  },
  "other-names.json": (random) =>
    `[${Array.from({length: between(random, 10, 20_000)}, (_, i) => `{"n${i}":1}`).join()}]`,
  "short-rows.json": (random) =>
    `{"fields":[${Array.from({length: between(random, 10, 6_000)}, (_, i) => `"n${i}"`).join()}],"rows":[${"[],".repeat(between(random, 10, 3_000))}[1]]}`,
  "blanks.json": (random) => `{"results": [{}]}${" ".repeat(between(random, 10, 2 ** 20))}x`,
  "crossing.geojson": (random) =>
    JSON.stringify({
      type: "FeatureCollection",
      features: [
        {
          type: "Feature",
          properties: {id: 1},
          geometry: {
            type: "Polygon",
            coordinates: [Array.from({length: between(random, 4, 5_000)}, () => [random(), random()])],
          },
        },
      ],
    }),
  "one-name.csv": (random) => `${"a,".repeat(between(random, 10, 50_000))}a\n1`,
  "nuls.csv": (random) => table(random, 100).replaceAll("x", "\0"),
  "quote.csv": (random) => `${table(random, 20)}\n"open,${table(random, 2_000)}`,
  "wide.csv": (random) =>
    `${Array.from({length: between(random, 100, 5_000)}, (_, i) => `c${i}`).join()}\n${",".repeat(20_000)}`,
  "line.csv": (random) => `a,b\n${"x".repeat(between(random, 1, 30) * 100_000)}`,
  "utf16.csv": (random) => Buffer.from(`\ufeff${table(random, 50)}`, "utf16le"),
  "numbers.csv": (random) => table(random, between(random, 1, 500), pick(random, ["\r\n", "\r", "\n\n"])),
  "noise.parquet": (random) =>
    Buffer.from(
      `PAR1${String.fromCharCode(...Array.from({length: 500}, () => between(random, 0, 255)))}PAR1`,
      "latin1",
    ),
  "noise.bin": (random) =>
    Buffer.from(Array.from({length: between(random, 0, 5_000)}, () => between(random, 0, 255))),
};

/** The folders of all feeds, and the parcel folders of these entries. */
const folders = (entries: readonly string[]) => [
  ...feedNames.map((feed) => `market/${feed}`),
  ...entries.map((entry) => `parcels/${entry}`),
];

/** Generates so many hostile files, reproducible by seed: every kind, in the folders of every feed and of these entries. */
export function hostileFiles(count: number, seed: number, entries: readonly string[]): HostileFile[] {
  const random = randomOf(seed);
  const names = Object.keys(kinds);
  const places = folders(entries);
  return Array.from({length: count}, (_, i) => {
    const name = names[i % names.length]!;
    const made = kinds[name]!(random);
    const bytes = typeof made === "string" ? Buffer.from(made) : made;
    // A second trait: other compression, the extension of another format, or a flipped byte.
    const trait = pick(random, ["none", "none", "packed", "named", "flipped"]);
    const flipped = Buffer.from(bytes);
    if (trait === "flipped" && flipped.length > 0)
      flipped[between(random, 0, flipped.length - 1)]! ^= 1 << between(random, 0, 7);
    const ending =
      trait === "packed"
        ? ".gz"
        : trait === "named"
          ? pick(random, [".csv", ".json", ".xlsx", ".zip", ".shp"])
          : "";
    return {
      path: `${pick(random, places)}/hostile-${String(i).padStart(4, "0")}-${name}${ending}`,
      bytes: trait === "packed" ? gzipSync(bytes) : flipped,
    };
  });
}
