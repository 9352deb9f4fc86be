import {describe, expect, test} from "vitest";
import type {ArcgisLayer} from "../../lib/arcgis/layer-reply.ts";
import {
  countRows,
  pullOtherwise,
  refuseMovedLayer,
  startPull,
} from "../../pipeline/fetch/arcgis/start-pull.ts";
import {FetchError} from "../../pipeline/fetch/client/fetch-error.ts";
import type {FetchSource} from "../../pipeline/fetch/jobs/source-address.ts";
import type {ArcgisPull} from "../../schemas/arcgis.ts";
import {answeringLayer} from "./answering-layer.ts";

const layerOf = (changes: Partial<ArcgisLayer> = {}): ArcgisLayer => ({
  ...{kind: "layer", name: "Parcels", geometryType: null, objectIdField: "OID", maxRecordCount: 1000},
  fields: [{name: "OID", type: "esriFieldTypeOID"}, {name: "PIN"}],
  ...{supportsPagination: true, spatialReference: null, lastEditDate: null, lastEditMs: null},
  ...{editDateField: null, givesGeoJson: false, ...changes},
});

const error = {error: {code: 400, message: "Unable to perform the query"}};
/** Answers of a layer with ids; null members are refused. */
const ids =
  (list: number[] | null, bounds: readonly [unknown, unknown] | null = null) =>
  (posted: Readonly<Record<string, string>>) => {
    if ("returnIdsOnly" in posted) return list === null ? error : {objectIdFieldName: "OID", objectIds: list};
    return bounds === null ? error : {features: [{attributes: {MIN_ID: bounds[0], Max_Id: bounds[1]}}]};
  };

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

  test("pages by offset if the layer has no object id, and by ranges if it does not page", async () => {
    expect((await started({objectIdField: null})).pull).toMatchObject({method: "offset", id_bounds: null});
    const {pull, forms} = await started(
      {supportsPagination: false, maxRecordCount: 2},
      ids([9, 1, 10, 4, 5]),
    );
    expect(pull).toMatchObject({
      method: "ranges",
      id_bounds: null,
      next: {
        size: 2,
        ranges: [
          [1, 4, 2],
          [5, 9, 2],
          [10, 10, 1],
        ],
      },
    });
    expect(forms).toHaveLength(1);
    await expect(started({supportsPagination: false, objectIdField: null})).rejects.toThrow(FetchError);
  });

  test("pages by ranges from the smallest to the largest id if the service does not list them", async () => {
    const {pull, forms} = await started({supportsPagination: false, maxRecordCount: 10}, ids(null, [1, 21]));
    expect(pull).toMatchObject({
      id_bounds: [1, 21],
      next: {
        ranges: [
          [1, 10, null],
          [11, 20, null],
          [21, 21, null],
        ],
      },
    });
    expect(JSON.parse(forms[1]!["outStatistics"]!)).toEqual([
      {statisticType: "min", onStatisticField: "OID", outStatisticFieldName: "min_id"},
      {statisticType: "max", onStatisticField: "OID", outStatisticFieldName: "max_id"},
    ]);
    await expect(started({supportsPagination: false}, ids(null, null))).rejects.toThrow(FetchError);
    await expect(started({supportsPagination: false}, ids(null, ["x", 5]))).rejects.toThrow(FetchError);
  });

  test("looks up the id bounds even without a row count", async () => {
    const {pull} = await started({supportsPagination: false}, ids([3, 4], [3, 4]), {rowCount: null});
    expect(pull).toMatchObject({id_bounds: [3, 4], next: {ranges: [[3, 4, 2]]}});
    const offset = await started({}, ids(null, [3, 4]), {rowCount: null});
    const other = await pullOtherwise(offset.job, offset.pull);
    expect(other).toMatchObject({method: "offset", id_bounds: [3, 4]});
    const counted = await started({}, ids(null, [3, 4]));
    expect(await pullOtherwise(counted.job, counted.pull)).toMatchObject({method: "offset", id_bounds: null});
    expect(counted.forms).toEqual([]);
  });

  test("restarts with the next method: from ids to offsets, from offsets to ranges", async () => {
    const {job, pull} = await started({}, ids([1, 2], [1, 2]));
    const worn: ArcgisPull = {
      ...pull,
      rows: 7,
      pages: [{}] as never,
      next: {...pull.next!, after: 9, size: 50, good: 2},
    };
    const offset = await pullOtherwise(job, worn);
    expect(offset).toMatchObject({
      method: "offset",
      rows: 0,
      pages: [],
      next: {after: null, size: 1000, good: 0},
    });
    const ranges = await pullOtherwise(job, {...offset, rows: 7, pages: [{}] as never, id_bounds: [1, 9]});
    expect(ranges).toMatchObject({
      method: "ranges",
      rows: 0,
      pages: [],
      id_bounds: [1, 9],
      next: {ranges: [[1, 2, 2]]},
    });
  });
});

test("takes a layer's row count, or the number of ids that an old server returns instead", async () => {
  const counted = (answer: unknown) => countRows(answeringLayer(() => answer).job, "A=1");
  expect(await counted({count: 7})).toBe(7);
  expect(await counted({objectIdFieldName: "OID", objectIds: [1, 2]})).toBe(2);
  expect(await counted({features: []})).toBeNull();
  expect(await counted(error)).toBeNull();
  const {job, forms} = answeringLayer(() => ({count: 0}));
  expect([await countRows(job, "A=1"), forms[0]]).toEqual([
    0,
    {f: "json", where: "A=1", returnCountOnly: "true"},
  ]);
  await expect(counted(new FetchError("status", "x", {status: 503}))).rejects.toThrow(FetchError);
  await expect(counted(new FetchError("limit", "x"))).rejects.toThrow(FetchError);
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
