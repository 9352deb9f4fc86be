import {existsSync} from "node:fs";
import {join} from "node:path";
import {DamagedFileError, fileBlockSums, openArrowTable} from "@open-cattle/mapped-index";
import {writeArrowRows} from "./write.ts";

/** The files of a state whose rows have no checksums of their own. */
const guardedFiles: readonly string[] = [
  "addresses.arrow",
  "boundaries.arrow",
  "columns.arrow",
  "owners.arrow",
  "parcel_ids.arrow",
  "parcels.flatbush",
];

/** The file with the block checksums of the other files in its folder. */
export const blockSumsName = "checksums.arrow";

const columns = [
  {name: "file", kind: "text", nullable: false},
  {name: "xxh32", kind: "binary", nullable: false},
] as const;

/**
 * Writes `checksums.arrow` for the files of a state, without a sync. Throws when it exists or when a file
 * cannot be read.
 */
export async function writeBlockSums(folder: string): Promise<void> {
  const rows: {file: string; xxh32: Uint8Array}[] = [];
  for (const file of guardedFiles) {
    const path = join(folder, file);
    if (existsSync(path)) rows.push({file, xxh32: new Uint8Array((await fileBlockSums(path)).buffer)});
  }
  await writeArrowRows({path: join(folder, blockSumsName), columns, rows});
}

/**
 * Opens the block checksums of a state's files, by name, as views of the buffer; null for a file whose rows have their own. A file
 * without the checksums that it should have throws a `DamagedFileError`.
 */
export function openBlockSums(buffer: ArrayBuffer, path: string): (file: string) => Uint32Array | null {
  const table = openArrowTable(buffer, path);
  const [files, sums] = [table.text("file"), table.bytes("xxh32")];
  const byFile = new Map(
    Array.from({length: table.rows}, (_, row) => {
      const bytes = sums.at(row)!;
      return [files.at(row)!, new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)];
    }),
  );
  return (file) => {
    if (!guardedFiles.includes(file)) return null;
    const found = byFile.get(file);
    if (found === undefined) throw new DamagedFileError(path, `the name ${file}`);
    return found;
  };
}
