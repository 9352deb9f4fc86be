import {describe, expect, test} from "vitest";
import {ModelRun} from "../../lib/models/model-run.ts";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {stageEntry} from "../../pipeline/parcels/stage-entry.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";

const asOf = "2026-11-21";
/** Corpus files without rows, with the expected message. */
const withoutRows: Readonly<Record<string, RegExp>> = {
  "us-fl-miami-dade/miami-dade-33149-fetch-meta.json": /fits neither "files"/,
  "us-fl-miami-dade/miami-dade-mirror-layer-metadata.json": /fits neither "files"/,
  "us-fl-miami-dade/miami-dade-pa-single-folio.json": /fits neither "files"/,
  "us-ma-massgis-l3/M087_parcels_CY25_FY25_sde.gdb.zip": /ogr2ogr/,
  // All of its cells are 0, under the one name Id: no attribute came with the excerpt.
  "us-ny-albany/albany-city-parcels-attrs.dbf": /no column "print_key".*its columns are Id\.$/,
};

describe.skipIf(corpus === null)("entries and their files", () => {
  test("every folder of the corpus has an entry", async () => {
    const ids = new Set(loadParcelSources().map(({id}) => id));
    const units = new Set(
      (await listRawFiles(corpus!))
        .filter(({kind}) => kind === "parcels")
        .map(({feedOrEntryId}) => feedOrEntryId),
    );
    expect([...units].filter((unit) => !ids.has(unit))).toEqual([]);
  });

  test("every column that an entry names is in each of its files, and what gives no rows says why", {
    timeout: 600_000,
  }, async () => {
    const files = (await listRawFiles(corpus!)).filter(({kind}) => kind === "parcels");
    const apart = new Map<string, string>();
    for (const entry of loadParcelSources()) {
      const own = files.filter(({feedOrEntryId}) => feedOrEntryId === entry.id);
      const db = await openDatabase();
      const {reports} = await stageEntry(new ModelRun(db), {
        entry,
        files: own,
        asOf,
        tempDir: temporaryFolder(),
        firstNumber: 0,
      });
      for (const {path, reason} of reports) apart.set(path.replace("parcels/", ""), reason ?? "");
      db.close();
    }
    expect([...apart.keys()].sort()).toEqual(Object.keys(withoutRows).sort());
    for (const [path, reason] of Object.entries(withoutRows)) expect(apart.get(path), path).toMatch(reason);
  });
});
