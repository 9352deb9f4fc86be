import {writeFileSync} from "node:fs";
import {extname, join} from "node:path";
import {fileFormats} from "../src/formats.ts";
import type {FileAccount, OpenOptions, ParcelFile} from "../src/parcel-file.ts";
import {temporaryFolder} from "./temporary-folder.ts";

type Read = {
  readonly cells: Record<string, string | null>[];
  readonly geometry: {lon: number | null; lat: number | null}[];
  readonly seen: readonly string[];
  readonly remark: string | null;
  readonly account: FileAccount | undefined;
};

/** Writes a file and those beside it into a folder, a new one of the running test if none is given. */
export function writtenFile(
  name: string,
  content: string | Buffer,
  beside: Readonly<Record<string, string | Buffer>> = {},
  folder = temporaryFolder(),
): ParcelFile {
  for (const [other, text] of Object.entries({...beside, [name]: content}))
    writeFileSync(join(folder, other), text);
  const path = join(folder, name);
  return {
    path,
    shownPath: name,
    extension: extname(name).slice(1),
    head: Buffer.from(content).subarray(0, 4096),
    siblings: [path, ...Object.keys(beside).map((other) => join(folder, other))],
  };
}

/** The rows of a file of this name and content, with the wanted cells as text. */
export async function readRows(
  name: string,
  content: string | Buffer,
  wanted: readonly string[],
  {beside, ...options}: OpenOptions & {beside?: Readonly<Record<string, string | Buffer>>} = {},
): Promise<Read> {
  const file = writtenFile(name, content, beside);
  const format = fileFormats.find((each) => each.accepts(file));
  if (format === undefined) throw new Error(`${name}: no format`);
  await using open = await format.open(file, options);
  const {columns, remark} = open;
  const seen = new Set(columns ?? []);
  const cells: Read["cells"] = [];
  const geometry: Read["geometry"] = [];
  for await (const row of open.rows(columns?.filter((column) => wanted.includes(column)))) {
    if (columns === null) for (const each of Object.keys(row.cells)) seen.add(each);
    cells.push(Object.fromEntries(wanted.map((column) => [column, textOf(row.cells[column])])));
    geometry.push({lon: row.geometry?.lon ?? null, lat: row.geometry?.lat ?? null});
  }
  return {cells, geometry, seen: [...seen], remark, account: open.account(cells.length)};
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
