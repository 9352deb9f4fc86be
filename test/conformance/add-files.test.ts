import {globSync} from "node:fs";
import {basename, join} from "node:path";
import {describe, expect, it} from "vitest";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {recognise} from "../../pipeline/add/recognise.ts";
import type {RawFile} from "../../pipeline/raw/raw-files.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";

/** Files without rows that a build can read: error bodies, metadata, a geodatabase, a table without its entry's columns. */
const noData: ReadonlySet<string> = new Set([
  "market/echo/cwa_rest_services.get_facilities-cc8093.json",
  "market/nass/quickstats_error_400_body.json",
  "market/nass/quickstats_error_413_body.json",
  "parcels/us-fl-miami-dade/miami-dade-33149-fetch-meta.json",
  "parcels/us-fl-miami-dade/miami-dade-mirror-layer-metadata.json",
  "parcels/us-fl-miami-dade/miami-dade-pa-single-folio.json",
  "parcels/us-ma-massgis-l3/M087_parcels_CY25_FY25_sde.gdb.zip",
  "parcels/us-ny-albany/albany-city-parcels-attrs.dbf",
]);

describe.runIf(corpus !== null)("cattle add on the corpus", () => {
  it("every file put by itself goes into its folder, or is a question that names the folder; none goes elsewhere", async () => {
    const registry = loadParcelSources();
    const paths = globSync("{market,parcels}/*/*", {cwd: corpus!}).filter((path) => !path.includes("README"));
    const outcome = {right: 0, questions: [] as string[], elsewhere: [] as string[], unknown: [] as string[]};
    for (const path of paths.sort()) {
      const found = await recognise(fileAt(path), {registry, tempDir: temporaryFolder()});
      const folder = path.split("/").slice(0, 2).join("/");
      const named = ("folder" in found ? [found.folder] : found.choices).map(
        ({kind, feedOrEntryId}) => `${kind}/${feedOrEntryId}`,
      );
      if (named.length === 0) outcome.unknown.push(path);
      else if (!named.includes(folder)) outcome.elsewhere.push(`${path}: ${named.join(", ")}`);
      else if (named.length > 1) outcome.questions.push(path);
      else outcome.right += 1;
    }
    expect(outcome.elsewhere).toEqual([]);
    expect(new Set(outcome.unknown)).toEqual(noData);
    expect(outcome.questions.length).toBeLessThanOrEqual(12);
    expect(outcome.right).toBeGreaterThanOrEqual(100);
    process.stderr.write(
      `cattle add: ${outcome.right} right, ${outcome.questions.length} questions, ${outcome.unknown.length} without data\n`,
    );
  }, 1_800_000);
});

function fileAt(path: string): RawFile {
  return {
    path: basename(path),
    absolutePath: join(corpus!, path),
    kind: "market",
    feedOrEntryId: "unknown",
    sizeBytes: 1,
    sha256: "",
    meta: null,
    retrievedAt: "1970-01-01T00:00:00Z",
    retrievedAtFrom: "mtime",
  };
}
