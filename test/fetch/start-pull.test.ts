import type {ArcgisLayer} from "@open-cattle/arcgis-layers";
import {describe, expect, test} from "vitest";
import {refuseMovedLayer, startPull} from "../../pipeline/fetch/arcgis/start-pull.ts";
import type {FetchSource} from "../../pipeline/fetch/jobs/source-address.ts";
import {answeringLayer} from "./answering-layer.ts";

const layerOf = (changes: Partial<ArcgisLayer> = {}): ArcgisLayer => ({
  ...{kind: "layer", name: "Parcels", geometryType: null, objectIdField: "OID", maxRecordCount: 1000},
  fields: [{name: "OID", type: "esriFieldTypeOID"}, {name: "PIN"}],
  ...{supportsPagination: true, spatialReference: null, lastEditDate: null, lastEditMs: null},
  ...{editDateField: null, givesGeoJson: false, ...changes},
});

const error = {error: {code: 400, message: "Unable to perform the query"}};
async function started(
  layer: Partial<ArcgisLayer>,
  answer: Parameters<typeof answeringLayer>[0] = () => error,
  {rowCount = 5, entry = null}: {rowCount?: number | null; entry?: object | null} = {},
) {
  const {job, forms} = answeringLayer(answer, {entry});
  const pull = await startPull(job, {layer: layerOf(layer), rowCount, startedAt: "2026-11-21T05:00:00Z"});
  return {pull, forms, job};
}

describe("a new pull", () => {
  test("has the layer's metadata, but no rows yet", async () => {
    const {pull, forms} = await started({givesGeoJson: true, lastEditMs: 0}, undefined, {
      entry: {where: "A=1"},
    });
    expect(pull).toMatchObject({
      ...{
        source_id: "us-tx-a",
        where: "A=1",
        started_at: "2026-11-21T05:00:00Z",
        complete: false,
        edited: false,
      },
      ...{counted: 5, rows: 0, pages: [], method: "keyset", format: 1},
      next: {after: null, offset: 0, size: 1000, good: 0, ranges: []},
    });
    expect(pull.layer).toEqual({
      ...{
        name: "Parcels",
        object_id_field: "OID",
        last_edit: "1970-01-01T00:00:00.000Z",
        query_format: "geojson",
        page_size: 1000,
      },
      fields: [
        {name: "OID", type: "esriFieldTypeOID"},
        {name: "PIN", type: null},
      ],
    });
    expect(forms).toEqual([]);
    const plain = (await started({})).pull;
    expect([plain.where, plain.layer.query_format, plain.layer.last_edit]).toEqual(["1=1", "json", null]);
  });

  test.each<[string, number | null, number | undefined, number]>([
    ["of the layer", 500, undefined, 500],
    ["of the entry", 500, 200, 200],
    ["of the layer, which gives fewer", 100, 200, 100],
    ["that is usual, where nobody says one", null, undefined, 2000],
    ["that is usual, where the layer gives more", 5000, undefined, 2000],
    ["of one row, where the layer says none", 0, undefined, 1],
  ])("asks for pages of the size %s", async (_, maxRecordCount, pageSize, size) => {
    const {pull} = await started({maxRecordCount}, undefined, {
      entry: pageSize === undefined ? null : {pageSize},
    });
    expect([pull.layer.page_size, pull.next!.size]).toEqual([size, size]);
  });
});

test.each<[string, object | null, Partial<ArcgisLayer>, number | null, boolean]>([
  ["without an entry", null, {}, 0, false],
  ["of the name that the entry expects", {layerName: "Parcels"}, {}, 0, false],
  ["of another name", {layerName: "Parcels"}, {name: "Roads"}, 0, true],
  ["with the id field, in another case", {cadastre: {idField: "pin"}}, {}, 0, false],
  ["without the id field", {cadastre: {idField: "APN"}}, {}, 0, true],
  ["with the rows that are expected", {accept: {minRows: 9}}, {}, 9, false],
  ["with fewer", {accept: {minRows: 9}}, {}, 8, true],
  ["that does not count", {accept: {minRows: 9}}, {}, null, false],
])("detects whether a layer %s has changed", (_, entry, layer, counted, hasMoved) => {
  const refuse = () => refuseMovedLayer({entry} as unknown as FetchSource, layerOf(layer), counted);
  if (hasMoved) expect(refuse).toThrow(/moved/);
  else expect(refuse).not.toThrow();
});
