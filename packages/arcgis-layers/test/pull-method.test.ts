import {describe, expect, test} from "vitest";
import type {ArcgisLayer} from "../src/layer-reply.ts";
import type {LayerPull} from "../src/next-page.ts";
import {countRows, pullOtherwise, withMethod} from "../src/pull-method.ts";
import {answeringLayer, Fault, Refusal} from "./answering-layer.ts";

const error = {error: {code: 400, message: "Unable to perform the query"}};
const notHonoured = {kind: "not_honoured"} as const;
/** Answers of a layer with ids; null members are refused. */
const ids =
  (list: number[] | null, bounds: readonly [unknown, unknown] | null = null) =>
  (posted: Readonly<Record<string, string>>) => {
    if ("returnIdsOnly" in posted) return list === null ? error : {objectIdFieldName: "OID", objectIds: list};
    return bounds === null ? error : {features: [{attributes: {MIN_ID: bounds[0], Max_Id: bounds[1]}}]};
  };

async function started(
  {maxRecordCount = 1000, ...layer}: Partial<ArcgisLayer>,
  answer: Parameters<typeof answeringLayer>[0] = () => error,
  {rowCount = 5}: {rowCount?: number | null} = {},
) {
  const {asker, forms} = answeringLayer(answer);
  const facts = {supportsPagination: true, objectIdField: "OID", ...layer};
  const pull: LayerPull = await withMethod<LayerPull>(
    asker,
    {
      ...{where: "A=1", columns: null, counted: rowCount, id_bounds: null, rows: 0},
      layer: {object_id_field: facts.objectIdField, query_format: "json", page_size: maxRecordCount!},
      ...{method: "keyset", next: null, pages: []},
    },
    facts,
  );
  return {pull, forms, asker};
}

describe("a new pull", () => {
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
    await expect(started({supportsPagination: false, objectIdField: null})).rejects.toThrow(Refusal);
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
    await expect(started({supportsPagination: false}, ids(null, null))).rejects.toThrow(Refusal);
    await expect(started({supportsPagination: false}, ids(null, ["x", 5]))).rejects.toThrow(Refusal);
  });

  test.each([
    [[1, 2 ** 53 - 1], /1 to 9007199254740991 are too many pages/],
    [[-(2 ** 53) + 1, 1], /too many pages/],
    [[2 ** 53, 2 ** 53 + 4], /neither object ids nor their range/],
    [[9, 1], /neither object ids nor their range/],
    [[0.5, 9], /neither object ids nor their range/],
  ] as const)("is refused where the layer says its ids are %j", async (bounds, reason) => {
    const asked = started({supportsPagination: false, maxRecordCount: 2000}, ids(null, bounds));
    await expect(asked).rejects.toThrow(reason);
  });

  test("looks up the id bounds even without a row count", async () => {
    const {pull} = await started({supportsPagination: false}, ids([3, 4], [3, 4]), {rowCount: null});
    expect(pull).toMatchObject({id_bounds: [3, 4], next: {ranges: [[3, 4, 2]]}});
    const offset = await started({}, ids(null, [3, 4]), {rowCount: null});
    const other = await pullOtherwise(offset.asker, offset.pull, notHonoured);
    expect(other).toMatchObject({method: "offset", id_bounds: [3, 4]});
    const counted = await started({}, ids(null, [3, 4]));
    expect(await pullOtherwise(counted.asker, counted.pull, notHonoured)).toMatchObject({
      method: "offset",
      id_bounds: null,
    });
    expect(counted.forms).toEqual([]);
  });

  test("restarts with the next method: from ids to offsets, from offsets to ranges", async () => {
    const {asker, pull} = await started({}, ids([1, 2], [1, 2]));
    const worn: LayerPull = {
      ...pull,
      rows: 7,
      pages: [{}] as never,
      next: {...pull.next!, after: 9, size: 50, good: 2},
    };
    const offset = await pullOtherwise(asker, worn, notHonoured);
    expect(offset).toMatchObject({
      method: "offset",
      rows: 0,
      pages: [],
      next: {after: null, size: 1000, good: 0},
    });
    const wornOffset = {...offset, rows: 7, pages: [{}] as never, id_bounds: [1, 9] as const};
    const ranges = await pullOtherwise(asker, wornOffset, notHonoured);
    expect(ranges).toMatchObject({
      method: "ranges",
      rows: 0,
      pages: [],
      id_bounds: [1, 9],
      next: {ranges: [[1, 2, 2]]},
    });
  });

  test("restarts with ranges at once if the layer does not page, and says what it refused where it lists no ids", async () => {
    const {asker, pull} = await started({}, ids([1, 2]));
    expect(await pullOtherwise(asker, pull, {kind: "not_paged"})).toMatchObject({method: "ranges"});
    const mute = await started({}, ids(null));
    const refusal = new Refusal("error 400 Unable to perform the query");
    const offset = {...mute.pull, method: "offset"} as const;
    await expect(pullOtherwise(mute.asker, offset, {kind: "not_honoured", refusal})).rejects.toBe(refusal);
    await expect(pullOtherwise(mute.asker, offset, notHonoured)).rejects.toThrow(/neither object ids/);
  });
});

test("takes a layer's row count, or the number of ids that an old server returns instead", async () => {
  const counted = (answer: unknown) => countRows(answeringLayer(() => answer).asker, "A=1");
  expect(await counted({count: 7})).toBe(7);
  expect(await counted({objectIdFieldName: "OID", objectIds: [1, 2]})).toBe(2);
  expect(await counted({features: []})).toBeNull();
  expect(await counted(error)).toBeNull();
  const {asker, forms} = answeringLayer(() => ({count: 0}));
  expect([await countRows(asker, "A=1"), forms[0]]).toEqual([0, {where: "A=1", returnCountOnly: "true"}]);
  await expect(counted(new Fault(false))).rejects.toThrow(Fault);
});
