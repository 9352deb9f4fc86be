import {openDatabase} from "../../../../lib/sql/duckdb.ts";
import {writtenFile} from "../../../../packages/parcel-files/test/read-rows.ts";
import {readerOf} from "../../../../pipeline/parcels/readers/readers.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";

type Read = {
  readonly cells: Record<string, string | null>[];
  readonly geometry: {lon: number | null; lat: number | null}[];
  readonly seen: readonly string[];
  readonly malformed: number;
  readonly remark: string | null;
  /** The column of text that is read for its geometries. */
  readonly outline: string | null;
};

/** The rows that the reader stages for a file of this name and content. */
export async function readRows(
  name: string,
  content: string | Buffer,
  wantedColumns: readonly string[],
  {
    beside,
    ...options
  }: {
    encoding?: string;
    crs?: string;
    layer?: string;
    header?: readonly string[];
    /** Further files that are unpacked with it. */
    beside?: Readonly<Record<string, string | Buffer>>;
  } = {},
): Promise<Read> {
  const folder = temporaryFolder();
  const dataset = writtenFile(name, content, beside, folder);
  const db = await openDatabase();
  try {
    const reader = readerOf(dataset);
    if (reader === undefined) throw new Error(`${name}: no reader`);
    const {sourceColumns, malformed, remark, outline} = await reader.read({
      db,
      dataset,
      table: "rows_read",
      wantedColumns,
      tempDir: folder,
      ...options,
    });
    const cells = await db.rows<Record<string, string | null>>(
      `SELECT ${wantedColumns.map((column) => `"${column}"`).join(", ")} FROM rows_read ORDER BY rowid`,
    );
    const geometry = await db.rows<{lon: number | null; lat: number | null}>(
      'SELECT "~lon" AS lon, "~lat" AS lat FROM rows_read ORDER BY rowid',
    );
    return {
      cells,
      geometry,
      seen: sourceColumns,
      malformed,
      remark: remark ?? null,
      outline: outline ?? null,
    };
  } finally {
    db.close();
  }
}
