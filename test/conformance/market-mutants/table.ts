import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import type {Random} from "../../server/parcels/invented-state.ts";
import type {Shape} from "./specimens.ts";

/** The price rows of a JSON, CSV or Parquet file, which can be written back as the file. */
export type Table = {readonly columns: string[]; readonly rows: unknown[][]};
export type Opened = {readonly table: Table; readonly save: (table: Table) => Promise<Saved>};
/** The bytes of a file, and the encodings other than its own in which it was saved. */
export type Saved = {readonly content: Buffer; readonly encodings: readonly string[]};
export type Workshop = {readonly db: Database; readonly random: Random; readonly tempDir: string};

/** Opens the price rows of a file that is no printed text. */
export async function openTable(shape: Shape, content: Buffer, workshop: Workshop): Promise<Opened> {
  if (shape === "parquet") return openParquet(content, workshop);
  const text = content.toString("utf8");
  return shape === "csv" ? openCsv(text, workshop.random) : openJson(text, workshop.random);
}

function openCsv(text: string, random: Random): Opened {
  const [columns, ...rows] = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(","));
  return {
    table: {columns: columns!, rows},
    save: async (table) => {
      const separator = random.pick([",", ",", ",", ";", "\t"]);
      const head = random.pick(["", `sep=${separator}\n`]);
      const lines = [table.columns, ...table.rows].map((row) => row.join(separator));
      const saved = encoded(`${head}${lines.join("\n")}\n`, random);
      const told =
        separator === "," && head === "" ? [] : [`${head.trim() || "no sep="} ${JSON.stringify(separator)}`];
      return {...saved, encodings: [...saved.encodings, ...told]};
    },
  };
}

type Named = Record<string, unknown>;

/** Rows are the longest list of objects, or of lists beside the names of their columns. */
function openJson(text: string, random: Random): Opened {
  const body = JSON.parse(text) as unknown;
  const matrix = body as {cols: string[]; rows: unknown[][]};
  if (Array.isArray(matrix.cols))
    return {
      table: {columns: matrix.cols, rows: matrix.rows},
      save: async ({columns, rows}) =>
        encoded(JSON.stringify({...(body as Named), cols: columns, rows}), random),
    };
  const lists = listsOf(body).sort((a, b) => b.list.length - a.list.length);
  const {holder, name, list} = lists[0]!;
  const columns = [...new Set(list.flatMap((row) => Object.keys(row)))];
  return {
    table: {columns, rows: list.map((row) => columns.map((column) => row[column]))},
    save: async (table) => {
      const rows = table.rows.map((row) =>
        Object.fromEntries(table.columns.map((column, at) => [column, row[at]])),
      );
      const alone = random.next() < 0.1 && "price_unit" in rows[0]!;
      if (alone) return encoded(rows.map((row) => JSON.stringify(row)).join("\n"), random);
      holder[name] = rows;
      return encoded(JSON.stringify(body, null, 1), random);
    },
  };
}

function listsOf(value: unknown): {holder: Named; name: string; list: Named[]}[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, member]) =>
    Array.isArray(member) && typeof member[0] === "object" && !("results" in (member[0] ?? {}))
      ? [{holder: value as Named, name, list: member as Named[]}]
      : listsOf(member),
  );
}

/** Encodings of a text: the same text in other bytes. */
const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  "UTF-8 with a mark": (text) => Buffer.from(`\ufeff${text}`),
  "UTF-16, low byte first": (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
  "UTF-16, high byte first": (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
  "ISO 8859-1": (text) => Buffer.from(text, "latin1"),
  "CR LF": (text) => Buffer.from(text.replaceAll(/\r?\n/g, "\r\n")),
};

/** The bytes of a text, mostly as UTF-8. */
export function encoded(text: string, random: Random): Saved {
  if (random.next() < 0.75) return {content: Buffer.from(text), encodings: []};
  const name = random.pick(Object.keys(encodings));
  return {content: encodings[name]!(text), encodings: [name]};
}

async function openParquet(content: Buffer, {db, random, tempDir}: Workshop): Promise<Opened> {
  const [path, json] = [join(tempDir, "table.parquet"), join(tempDir, "table.json")];
  writeFileSync(path, content);
  const from = `read_parquet(${sqlText(path)})`;
  const types = new Map(
    (await db.rows<{column_name: string; column_type: string}>(`DESCRIBE FROM ${from}`)).map(
      ({column_name, column_type}) => [column_name, column_type],
    ),
  );
  const found = await db.rows<Named>(`SELECT COLUMNS(*)::VARCHAR FROM ${from}`);
  return {
    table: {columns: [...types.keys()], rows: found.map((row) => Object.values(row))},
    save: async ({columns, rows}) => {
      const named = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])));
      writeFileSync(json, JSON.stringify(named));
      const texts = random.next() < 0.2;
      const values = columns.map((name) => {
        const type = texts ? "VARCHAR" : (types.get(name) ?? "VARCHAR");
        return `try_cast(${sqlName(name)} AS ${type}) AS ${sqlName(name)}`;
      });
      const given = columns.map((name) => `${sqlText(name)}: 'VARCHAR'`);
      const codec = random.pick(["snappy", "zstd", "gzip", "uncompressed"]);
      await db.run(`COPY (SELECT ${values.join(", ")} FROM read_json(${sqlText(json)}, columns = {${given.join(", ")}}))
        TO ${sqlText(path)} (FORMAT parquet, COMPRESSION ${codec})`);
      const encodings = [...(texts ? ["all columns as text"] : []), ...(codec === "snappy" ? [] : [codec])];
      return {content: readFileSync(path), encodings};
    },
  };
}
