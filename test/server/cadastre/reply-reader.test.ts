import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {type ArcgisLayer, type ArcgisPage, readAnswer} from "@open-cattle/arcgis-layers";
import {afterAll, describe, expect, it} from "vitest";
import {mainNames} from "../../../lib/parcels/conform/column-references.ts";
import {conformEntry} from "../../../lib/parcels/conform/entry-models.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {readerOf} from "../../../pipeline/parcels/readers/readers.ts";
import {layerMap} from "../../../server/cadastre/county-layer-map.ts";
import {createReplyReader} from "../../../server/cadastre/reply-reader.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {brazos, inventedRows, layerEntry} from "./county-fixture.ts";
import {pageOf} from "./fake-arcgis.ts";

const rows = inventedRows().map((row, i) => ({
  ...row,
  attributes: {
    ...row.attributes,
    LEGAL_DESC: `LOT ${i}`,
    USE_DESC: "SINGLE FAMILY",
    LAND_VALUE: 1000 + i,
    CITY: "BRYAN",
    ZIP: 77801,
  },
}));
const page = readAnswer(JSON.stringify(pageOf(rows))) as ArcgisPage;
const facts: ArcgisLayer = {
  kind: "layer",
  name: "Parcels",
  geometryType: "esriGeometryPolygon",
  fields: Object.keys(rows[0]!.attributes).map((name) => ({name, type: "esriFieldTypeString"})),
  objectIdField: "OBJECTID",
  maxRecordCount: null,
  supportsPagination: true,
  spatialReference: null,
  lastEditDate: "2026-10-05",
  lastEditMs: Date.UTC(2026, 9, 5),
  editDateField: null,
  givesGeoJson: false,
};
const county = {country: "US", state: "TX", key: brazos.key} as const;
const {entry} = layerMap({source: layerEntry("https://gis.example.org/0"), statewide: false}, facts, county)!;
const reader = createReplyReader();
afterAll(() => reader.close());
const read = (features = page.features) =>
  reader.read({entry, features, layerEdit: facts.lastEditDate, retrievedAt: "2026-11-20T10:00:00.000Z"});

describe("a county's reply", () => {
  it("gives the same rows as a file of that county gives a build", async () => {
    const path = join(temporaryFolder(), "page.json");
    writeFileSync(path, JSON.stringify(pageOf(rows)));
    const dataset = {
      path,
      shownPath: "page.json",
      extension: "json",
      head: Buffer.from("{"),
      siblings: [path],
    };
    const db = await openDatabase();
    await readerOf(dataset)!.read({
      db,
      dataset,
      table: "file",
      wantedColumns: mainNames(entry),
      tempDir: temporaryFolder(),
    });
    const main = [{file: 0, table: "file", retrieved: "2026-11-20", layerEdit: facts.lastEditDate}];
    await conformEntry(db, {
      entry,
      sources: {main, joins: {}},
      asOf: "2026-11-20",
      into: "rows",
    });
    const filed = await db.rows("SELECT * FROM rows ORDER BY _row");
    db.close();
    const {rows: replied} = await read();
    expect(replied).toHaveLength(3);
    for (const [i, {columns, key, vintage}] of replied.entries()) {
      expect(filed[i]).toMatchObject({
        ...columns,
        _key: key,
        _vintage_default: `${vintage.vintageBasis} ${vintage.vintage}`,
      });
    }
  });

  it("is read in the order of arrival, and an unreadable one harms no other", async () => {
    const broken = reader.read({
      entry: {...entry, coverage: {...entry.coverage, counties: "all", countyFrom: undefined}},
      features: page.features,
      layerEdit: null,
      retrievedAt: "2026-11-20T10:00:00.000Z",
    });
    const [first, second] = [read(page.features.slice(0, 1)), read(page.features.slice(1))];
    await expect(broken).rejects.toThrow(/countyFrom/);
    expect((await first).rows.map(({key}) => key)).toEqual(["R-100-1"]);
    expect((await second).rows.map(({key}) => key)).toEqual(["R-100-2", "R-200-1"]);
  });
});
