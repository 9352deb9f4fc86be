import {mkdirSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {joinNames, mainNames, unmetNeeds} from "../../lib/conform/references.ts";
import {openDatabase, sqlName} from "../../lib/duckdb.ts";
import {UserError} from "../../lib/errors.ts";
import {loadParcelSources} from "../../lib/parcel-sources.ts";
import {listRawFiles} from "../../lib/raw-files.ts";
import {datasetsOf} from "../../pipeline/parcels/datasets.ts";
import {fileRole} from "../../pipeline/parcels/entry-files.ts";
import {readerOf} from "../../pipeline/parcels/readers/readers.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";

/** Files of the corpus that are no table of their entry, with what is said of them. */
const apart: Readonly<Record<string, RegExp>> = {
  "parcels/us-ma-massgis-l3/M087_parcels_CY25_FY25_sde.gdb.zip": /ogr2ogr/,
  // All its cells are 0 under the one name Id: no attribute came with the excerpt.
  "parcels/us-ny-albany/albany-city-parcels-attrs.dbf": /only Id/,
};
/** Harvest records, layer descriptions and single answers, which the entry's own glob leaves out. */
const leftOut = ["fetch-meta.json", "mirror-layer-metadata.json", "pa-single-folio.json"];

describe.skipIf(corpus === null)("entries and their files", () => {
  test("every folder of the corpus has an entry", async () => {
    const ids = new Set(loadParcelSources().map(({id}) => id));
    const units = new Set((await listRawFiles(corpus!)).filter(({side}) => side === "parcels").map(({unit}) => unit));
    expect([...units].filter((unit) => !ids.has(unit))).toEqual([]);
  });

  test("every column that an entry names is in each of its files, and what is left out is no table", {timeout: 120_000}, async () => {
    const files = await listRawFiles(corpus!);
    const unmet: string[] = [];
    for (const entry of loadParcelSources()) {
      for (const file of files.filter(({side, unit}) => side === "parcels" && unit === entry.id)) {
        const role = fileRole(entry, file);
        if (role === "none") {
          expect(leftOut.some((name) => file.path.endsWith(name)), file.path).toBe(true);
          continue;
        }
        const wanted = role === "main" ? mainNames(entry) : joinNames(entry, role.join);
        const missing = await missingColumns(file, {wanted, unmet: (found) => (role === "main" ? unmetNeeds(entry, found).map(({names}) => names.join(" or ")) : wanted.filter((name) => !found.has(name)))});
        const expected = apart[file.path];
        if (expected === undefined) unmet.push(...missing.map((name) => `${file.path}: ${name}`));
        else expect(missing.join("; "), file.path).toMatch(expected);
      }
    }
    expect(unmet).toEqual([]);
  });
});

type Question = {wanted: readonly string[]; unmet: (found: ReadonlySet<string>) => string[]};

/** The columns that a file has not; or why it cannot be read. */
async function missingColumns(file: Parameters<typeof datasetsOf>[0], {wanted, unmet}: Question): Promise<string[]> {
  const dir = join(temporaryFolder(), "unpacked");
  mkdirSync(dir);
  const db = await openDatabase();
  try {
    const faults: string[] = [];
    for (const dataset of await datasetsOf(file, dir)) {
      const reader = readerOf(dataset);
      if (reader === undefined) return [`no reader knows ${dataset.shown}`];
      const {table, found, seen} = await reader.read({db, dataset, table: "staged", wanted, tempDir: dir});
      await db.run(`DROP TABLE ${sqlName(table)}`);
      const missing = unmet(found);
      if (missing.length > 0) faults.push(...missing, ...(seen.length === 1 ? [`only ${seen[0]}`] : []));
    }
    return faults;
  } catch (error) {
    if (error instanceof UserError) return [error.message];
    throw error;
  } finally {
    db.close();
  }
}
