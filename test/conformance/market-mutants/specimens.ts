import {readdirSync, readFileSync} from "node:fs";
import {extname, join} from "node:path";
import {gunzipSync} from "node:zlib";
import {type Database, sqlText} from "../../../lib/sql/duckdb.ts";

export type Shape = "json" | "csv" | "text" | "xml" | "parquet";

/** A corpus file, uncompressed, long ones cut to their newest rows. */
export type Specimen = {
  readonly feed: string;
  readonly name: string;
  readonly shape: Shape;
  readonly content: Buffer;
  /** Report number in the content and in the name of a price report; null for other files. */
  readonly code: string | null;
};

/** Rows that a long table keeps. */
const keptRows = 60;

const shapes: Readonly<Record<string, Shape>> = {
  ".json": "json",
  ".csv": "csv",
  ".txt": "text",
  ".xml": "xml",
  ".parquet": "parquet",
};

/** The market files of the corpus as specimens; county outlines are left out, because they are read from a package. */
export async function specimens(db: Database, folder: string, tempDir: string): Promise<Specimen[]> {
  const found: Specimen[] = [];
  for (const feed of readdirSync(folder).sort()) {
    if (feed.startsWith("README")) continue;
    for (const name of readdirSync(join(folder, feed)).sort()) {
      const plain = name.replace(/\.gz$/, "");
      const shape = shapes[extname(plain)];
      if (shape === undefined) continue;
      const bytes = readFileSync(join(folder, feed, name));
      const content = name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
      const code =
        feed === "mars" || feed === "ams-text" ? /(?:ams_|envelope_)(\d{4})/.exec(name)?.[1] : undefined;
      const short =
        shape === "parquet"
          ? await shortParquet(db, join(folder, feed, name), tempDir)
          : shortened(content, shape);
      found.push({feed, name: plain, shape, content: short, code: code ?? null});
    }
  }
  return found;
}

function shortened(content: Buffer, shape: Shape): Buffer {
  if (shape === "csv") {
    const lines = content.toString("utf8").split("\n");
    return Buffer.from([lines[0], ...lines.slice(Math.max(1, lines.length - keptRows))].join("\n"));
  }
  if (shape !== "json") return content;
  const body = JSON.parse(content.toString("utf8")) as unknown;
  return Buffer.from(JSON.stringify(cutLists(body), null, 1));
}

function cutLists(value: unknown): unknown {
  if (Array.isArray(value)) return (value.length > 200 ? value.slice(0, keptRows) : value).map(cutLists);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutLists(member)]));
}

/** The last rows of a table file: those of price reports are their newest sales. */
async function shortParquet(db: Database, path: string, tempDir: string): Promise<Buffer> {
  const short = join(tempDir, "short.parquet");
  const from = `read_parquet(${sqlText(path)})`;
  const [rows] = await db.rows<{n: number}>(`SELECT count(*)::INTEGER AS n FROM ${from}`);
  await db.run(
    `COPY (SELECT * FROM ${from} OFFSET ${Math.max(0, rows!.n - keptRows)}) TO ${sqlText(short)} (FORMAT parquet)`,
  );
  return readFileSync(short);
}
