import {readFile} from "node:fs/promises";
import {basename, dirname, extname} from "node:path";
import {projectionOf, projectionOfProjJson, type ToLonLat} from "@open-cattle/parcel-outlines";
import {FileError, messageOf} from "./parcel-file.ts";

/** The coordinate system that a file states, in whatever notation its format uses. */
export type StatedCrs = {
  readonly authority?: string | null | undefined;
  readonly code?: number | null | undefined;
  readonly wkt?: string | null | undefined;
  readonly projJson?: unknown;
};

/**
 * Returns the projection of a source: the entry's, else the file's, by EPSG number if known and otherwise by its text.
 * Nothing is guessed: throws a `FileError` that names `shownPath` if none is stated or understood.
 */
export function sourceProjection(
  entryCrs: string | undefined,
  stated: StatedCrs,
  shownPath: string,
): ToLonLat {
  const ways = entryCrs === undefined ? waysOf(stated) : [() => projectionOf(entryCrs)];
  const faults: string[] = [];
  for (const way of ways) {
    try {
      return way();
    } catch (error) {
      faults.push(messageOf(error));
    }
  }
  throw new FileError(
    faults.length > 0
      ? `${shownPath}: ${faults.join("; ")}`
      : `${shownPath}: does not say its coordinate system; give it as "crs" in the entry (EPSG:n or WKT).`,
  );
}

function waysOf({authority, code, wkt, projJson}: StatedCrs): (() => ToLonLat)[] {
  const epsg = !authority || /^epsg$/i.test(authority);
  const text = wkt?.replace(/^\ufeff/, "").trim() ?? "";
  return [
    ...(code && code > 0 && epsg ? [() => projectionOf(`EPSG:${code}`)] : []),
    ...(/^[A-Z_]+\s*\[/i.test(text) ? [() => projectionOf(text)] : []),
    ...(projJson === undefined || projJson === null ? [] : [() => projectionOfProjJson(projJson)]),
  ];
}

/** Returns the file with the same folder and name but another extension, in any case; undefined if there is none. */
export function fileBeside(path: string, siblings: readonly string[], extension: string): string | undefined {
  const wanted = `${stemOf(path)}.${extension}`.toLowerCase();
  return siblings.find(
    (other) => dirname(other) === dirname(path) && basename(other).toLowerCase() === wanted,
  );
}

/** Reads a small UTF-8 file; undefined for an undefined path. */
export async function textOfFile(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : readFile(path, "utf8");
}

function stemOf(path: string): string {
  return basename(path, extname(path));
}
