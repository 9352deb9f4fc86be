import {readFile} from "node:fs/promises";
import {basename, dirname, extname} from "node:path";

/** Gives the file of the same folder and name with another extension, in any case; undefined where there is no such file. */
export function fileBeside(path: string, siblings: readonly string[], extension: string): string | undefined {
  const wanted = `${stemOf(path)}.${extension}`.toLowerCase();
  return siblings.find(
    (other) => dirname(other) === dirname(path) && basename(other).toLowerCase() === wanted,
  );
}

/** Gives the text of a small file in UTF-8; undefined for an undefined path. */
export async function textOfFile(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : readFile(path, "utf8");
}

function stemOf(path: string): string {
  return basename(path, extname(path));
}
