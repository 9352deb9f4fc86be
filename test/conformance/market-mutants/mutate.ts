import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import type {Random} from "../../server/parcels/invented-state.ts";
import type {Specimen} from "./specimens.ts";

export type Mutation = "cell" | "line" | "byte";
export type Mutant = {
  readonly content: Buffer;
  readonly told: string;
  /** Where the change is: in one row of a table, or elsewhere. */
  readonly place: "row" | "other";
  /** Rows that the change itself removes from the file, so that nothing can name them. */
  readonly takes: number;
};

/** Values that a publisher never means. */
const nasty: readonly (string | number | boolean | null | object)[] = [
  null,
  "",
  -5,
  0,
  1e9,
  2_900_000,
  1e99,
  99_999_999_999,
  0.001,
  true,
  "N/A",
  "nan",
  "-inf",
  "13/39/2026",
  "13/45/2026",
  "2026-13-45",
  "2026-02-30",
  "0000-00-00",
  "9999-12-31",
  "99:99:99",
  "2026-08-05T25:61:61Z",
  "x".repeat(3000),
  "Ω\u0000ÿ",
  "\ud800",
  '"',
  ",,,",
  "1,2,3",
  "$-1.00",
  "'; DROP TABLE raw_rows; --",
  {},
  [],
  ["a"],
  {a: 1},
  "Medium and Large 9-9",
  "ZZ",
];

/** A file with one cell, line or byte changed at random, and what was changed. */
export async function mutate(
  db: Database,
  {shape, content}: Specimen,
  mutation: Mutation,
  {random, tempDir}: {random: Random; tempDir: string},
): Promise<Mutant> {
  if (mutation === "byte" || (shape === "parquet" && mutation === "line")) return byteMutant(content, random);
  if (shape === "parquet") return parquetMutant(db, content, {random, tempDir});
  const text = content.toString("utf8");
  if (mutation === "line") return lineMutant(text, random);
  if (shape === "json") return jsonMutant(text, random);
  const mutant = tokenMutant(text, shape === "csv" ? "," : null, random);
  // A word in XML may be part of its syntax.
  return shape === "xml" ? {...mutant, place: "other"} : mutant;
}

function byteMutant(content: Buffer, random: Random): Mutant {
  const at = Math.floor(random.next() * content.length);
  const byte = Math.floor(random.next() * 256);
  const kind = random.pick(["replaced", "left out", "put in", "cut"] as const);
  const rest = content.subarray(kind === "put in" ? at : at + 1);
  const parts =
    kind === "cut"
      ? [content.subarray(0, at)]
      : [content.subarray(0, at), ...(kind === "left out" ? [] : [Buffer.of(byte)]), rest];
  // A changed line end joins two lines.
  const takes = kind === "cut" ? Number.POSITIVE_INFINITY : 1;
  return {content: Buffer.concat(parts), told: `byte ${at} ${kind} (${byte})`, place: "other", takes};
}

function lineMutant(text: string, random: Random): Mutant {
  const lines = text.split("\n");
  const at = Math.floor(random.next() * lines.length);
  const line = lines[at]!;
  const kind = random.pick(["left out", "doubled", "swapped", "cut in half", "emptied"] as const);
  if (kind === "left out") lines.splice(at, 1);
  if (kind === "doubled") lines.splice(at, 0, line);
  if (kind === "swapped" && at > 0) [lines[at - 1], lines[at]] = [line, lines[at - 1]!];
  if (kind === "cut in half") lines[at] = line.slice(0, line.length / 2);
  if (kind === "emptied") lines[at] = "";
  return {
    content: Buffer.from(lines.join("\n")),
    told: `line ${at + 1} ${kind}: ${line.slice(0, 100)}`,
    place: "other",
    takes: kind === "left out" || kind === "emptied" || kind === "cut in half" ? 1 : 0,
  };
}

/** Replaces a word of a text, or a field of a text table. */
function tokenMutant(text: string, separator: string | null, random: Random): Mutant {
  const lines = text.split("\n");
  // A word on an empty line would be a new line rather than a changed cell.
  const at = random.pick([...lines.keys()].filter((index) => lines[index]!.trim() !== ""));
  const line = lines[at]!;
  const fields =
    separator === null ? [...line.matchAll(/\S+/g)].map(({0: word}) => word) : line.split(separator);
  if (fields.length === 0) return lineMutant(text, random);
  const index = Math.floor(random.next() * fields.length);
  const value = cellText(random.pick(nasty));
  const isRow = separator === null ? /\d\.\d{2}/.test(line) : at > 0;
  lines[at] =
    separator === null ? replaceWord(line, index, value) : fields.with(index, value).join(separator);
  return {
    content: Buffer.from(lines.join("\n")),
    told: `line ${at + 1} ${fields[index]} -> ${value.slice(0, 40)}: ${line.slice(0, 120)}`,
    place: isRow ? "row" : "other",
    takes: 0,
  };
}

function replaceWord(line: string, index: number, value: string): string {
  let seen = -1;
  return line.replaceAll(/\S+/g, (word) => {
    seen += 1;
    return seen === index ? value : word;
  });
}

function cellText(value: unknown): string {
  return value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

type Leaf = {holder: Record<string, unknown>; name: string; inRow: boolean};

/** Column names of a table: a change there affects all rows. */
const columnLists = ["cols", "columns", "fields"];

/** Replaces a value in a JSON body, or drops its member. */
function jsonMutant(text: string, random: Random): Mutant {
  const body = JSON.parse(text) as unknown;
  const all = leaves(body, false);
  if (all.length === 0) return lineMutant(text, random);
  const {holder, name, inRow} = random.pick(all);
  const before = JSON.stringify(holder[name])?.slice(0, 60);
  const value = random.pick(nasty);
  const isList = Array.isArray(holder);
  if (!isList && random.next() < 0.15) delete holder[name];
  else holder[name] = value;
  return {
    content: Buffer.from(JSON.stringify(body, null, 1)),
    told: `${name} ${before} -> ${String(JSON.stringify(holder[name])).slice(0, 60)}`,
    place: inRow ? "row" : "other",
    takes: 0,
  };
}

function leaves(value: unknown, inRow: boolean): Leaf[] {
  if (value === null || typeof value !== "object") return [];
  const row = inRow || Array.isArray(value);
  return Object.keys(value).flatMap((name) => {
    const holder = value as Record<string, unknown>;
    const member = holder[name];
    if (columnLists.includes(name) && Array.isArray(member))
      return Object.keys(member).map((at) => ({
        holder: member as unknown as Leaf["holder"],
        name: at,
        inRow: false,
      }));
    return member !== null && typeof member === "object" && Object.keys(member).length > 0
      ? leaves(member, row)
      : [{holder, name, inRow: row}];
  });
}

async function parquetMutant(
  db: Database,
  content: Buffer,
  {random, tempDir}: {random: Random; tempDir: string},
): Promise<Mutant> {
  const [from, to] = [join(tempDir, "from.parquet"), join(tempDir, "to.parquet")];
  writeFileSync(from, content);
  await db.run(`CREATE OR REPLACE TEMP TABLE mutant AS SELECT * FROM read_parquet(${sqlText(from)})`);
  const columns = await db.rows<{column_name: string; column_type: string}>("DESCRIBE mutant");
  const {column_name, column_type} = random.pick(columns);
  const [rows] = await db.rows<{n: number}>("SELECT count(*)::INTEGER AS n FROM mutant");
  const at = Math.floor(random.next() * rows!.n);
  const value = sqlText(cellText(random.pick(nasty)).replaceAll("\u0000", ""));
  await db.run(`UPDATE mutant SET ${sqlName(column_name)} = try_cast(${value} AS ${column_type}) WHERE rowid = ${at};
    COPY mutant TO ${sqlText(to)} (FORMAT parquet)`);
  return {
    content: readFileSync(to),
    told: `row ${at} ${column_name} -> ${value.slice(0, 60)}`,
    place: "row",
    takes: 0,
  };
}
