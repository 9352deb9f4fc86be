import {readFile} from "node:fs/promises";
import {basename, dirname, extname} from "node:path";

/** The file of the same folder and name with another extension, in capitals or not; undefined where there is none. */
export function fileBeside(path: string, siblings: readonly string[], extension: string): string | undefined {
  const wanted = `${stemOf(path)}.${extension}`.toLowerCase();
  return siblings.find(
    (other) => dirname(other) === dirname(path) && basename(other).toLowerCase() === wanted,
  );
}

/** Text of a small file in UTF-8; undefined for no file. */
export async function textOfFile(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : readFile(path, "utf8");
}

function stemOf(path: string): string {
  return basename(path, extname(path));
}
