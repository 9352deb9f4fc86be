import {describe, expect, test} from "vitest";
import {type LayerPull, nextPage, type PullPoint, samePageAgain} from "../src/next-page.ts";
import {answeringLayer, Fault, Refusal} from "./answering-layer.ts";

type Answer =
  | number[]
  | Error
  | {ids: number[]; exceeded: boolean}
  | {error: {code: number; details?: string[]}};

const start: PullPoint = {after: null, offset: 0, size: 100, good: 0, ranges: []};
const pullOf = (method: LayerPull["method"], changes: Partial<LayerPull> = {}): LayerPull =>
  ({
    ...{method, where: "A=1", rows: 0, counted: null, pages: [], columns: null},
    layer: {object_id_field: "OID", page_size: 100, query_format: "json"},
    ...changes,
  }) as unknown as LayerPull;

/** A layer that gives one answer, and the form posted to it. */
function answering(answer: Answer) {
  const page = Array.isArray(answer) ? {ids: answer, exceeded: false} : answer;
  return answeringLayer(() =>
    page instanceof Error || "error" in page
      ? page
      : {features: page.ids.map((OID) => ({attributes: {OID}})), exceededTransferLimit: page.exceeded},
  );
}

async function step(answer: Answer, pull: LayerPull, point: Partial<PullPoint> = {}) {
  const {asker, forms} = answering(answer);
  const made = await nextPage(asker, pull, {...start, ...point});
  return {kind: made.kind, next: "next" in made ? made.next : undefined, form: forms[0]!};
}
const count = (n: number, from = 1) => Array.from({length: n}, (_, i) => from + i);

describe("pages by the last id", () => {
  test("request the rows after it, in order, until an empty page proves the end", async () => {
    const first = await step([3, 5], pullOf("keyset"));
    expect(first).toMatchObject({kind: "page", next: {after: 5}});
    expect(first.form).toMatchObject({
      where: "A=1",
      orderByFields: "OID",
      resultRecordCount: "100",
      outSR: "4326",
    });
    const second = await step([6], pullOf("keyset"), {after: 5});
    expect(second.form["where"]).toBe("(A=1) AND OID > 5");
    expect(await step([], pullOf("keyset"), {after: 6})).toMatchObject({kind: "page", next: null});
  });

  test.each<[string, number[], number | null]>([
    ["falls", [5, 3], null],
    ["stands still", [5, 5], null],
    ["begins with the last id", [5, 6], 5],
    ["begins before it", [4, 6], 5],
  ])("are abandoned for a layer whose order %s", async (_, ids, after) => {
    expect((await step(ids, pullOf("keyset"), {after})).kind).toBe("not_honoured");
  });

  test("switch the method if the first comparison with an id is an error, but fail later on", async () => {
    const pages = (n: number) => pullOf("keyset", {pages: count(n) as never});
    const fault = {error: {code: 400}};
    expect((await step(fault, pages(1), {size: 50})).kind).toBe("not_honoured");
    await expect(step(fault, pages(2), {size: 50})).rejects.toThrow(Refusal);
    expect((await step(fault, pullOf("offset"), {size: 50})).kind).toBe("not_honoured");
    await expect(step(fault, pullOf("offset", {pages: count(1) as never}), {size: 50})).rejects.toThrow(
      Refusal,
    );
    const noId = {object_id_field: null, page_size: 100, query_format: "json"} as never;
    await expect(step(fault, pullOf("offset", {layer: noId}), {size: 50})).rejects.toThrow(Refusal);
    await expect(step(new Fault(true), pages(1), {size: 50})).rejects.toThrow(Fault);
    await expect(step({ids: [], exceeded: true}, pages(2), {size: 50})).rejects.toThrow(Refusal);
  });
});

test.each(["keyset", "offset"] as const)(
  "end at once for a layer that refuses to page: %s",
  async (method) => {
    const says = {code: 400, message: "Failed to execute query.", details: ["Pagination is not supported."]};
    const layer = {object_id_field: "OID", page_size: 100, query_format: "geojson"} as never;
    expect((await step({error: says}, pullOf(method, {layer}))).kind).toBe("not_paged");
  },
);

describe("pages by offset", () => {
  test.each<[string, Answer, Partial<LayerPull>, number | null]>([
    ["a full page", count(100), {}, 100],
    ["a short page that says so", {ids: count(9), exceeded: true}, {}, 9],
    ["a short page of a layer that counted more", count(9), {counted: 10}, 9],
    ["a short page that has all", count(9), {counted: 9}, null],
    ["a short page that ends what came before", count(9, 20), {counted: 29, rows: 20}, null],
    ["a short page of a layer that does not count", count(9), {counted: null}, 9],
    ["an empty page", [], {counted: 10}, null],
  ])("continue after %s or end there", async (_, answer, changes, offset) => {
    const {next, kind} = await step(answer, pullOf("offset", changes));
    expect([kind, next?.offset ?? null]).toEqual(["page", offset]);
  });

  test("request in id order, and are abandoned for a layer that repeats rows", async () => {
    const {form, next} = await step(count(100, 8), pullOf("offset"), {offset: 7});
    expect(form).toMatchObject({orderByFields: "OID", resultOffset: "7", resultRecordCount: "100"});
    expect(next).toMatchObject({offset: 107});
    const behind = (last_id: number | null) => pullOf("offset", {pages: [{last_id}] as never});
    expect((await step([5, 6], behind(5))).kind).toBe("not_honoured");
    expect((await step([6, 7], behind(5))).kind).toBe("page");
    expect((await step([5, 6], behind(null))).kind).toBe("page");
    const unnumbered = pullOf("offset", {
      layer: {object_id_field: null, page_size: 100, query_format: "json"} as never,
    });
    expect((await step([5, 6], unnumbered)).form).not.toHaveProperty("orderByFields");
  });
});

describe("pages by ranges of ids", () => {
  test("take one range after another, and halve one whose page is truncated", async () => {
    const ranges: PullPoint["ranges"] = [
      [1, 9, 3],
      [20, 29, null],
    ];
    const whole = await step([1, 2, 3], pullOf("ranges"), {ranges});
    expect(whole).toMatchObject({kind: "page", next: {ranges: [[20, 29, null]]}});
    expect(whole.form["where"]).toBe("(A=1) AND OID >= 1 AND OID <= 9");
    expect(await step([], pullOf("ranges"), {ranges: [[1, 9, null]]})).toMatchObject({
      kind: "page",
      next: null,
    });
    const halved = {
      kind: "smaller",
      next: {
        ranges: [
          [1, 5, null],
          [6, 9, null],
          [20, 29, null],
        ],
      },
    };
    expect(await step([1, 2], pullOf("ranges"), {ranges})).toMatchObject(halved);
    expect(await step({ids: [1, 2, 3], exceeded: true}, pullOf("ranges"), {ranges})).toMatchObject(halved);
    expect((await step({ids: [1], exceeded: true}, pullOf("ranges"), {ranges: [[4, 4, 9]]})).kind).toBe(
      "page",
    );
  });
});

describe("a page that may be too much", () => {
  const tooMuch = new Fault(true);

  test.each([
    ["an error of the layer", {error: {code: 500}}],
    ["a fault that fewer rows may avoid", tooMuch],
  ])("is requested again with half its rows: %s", async (_, answer) => {
    expect(await step(answer, pullOf("offset"), {good: 3})).toMatchObject({
      kind: "smaller",
      next: {size: 50, good: 0},
    });
  });

  test.each([
    ["another fault", new Fault(false)],
    ["a fault of the program", new TypeError("too slow")],
  ])("is not requested smaller: %s", async (_, answer) => {
    await expect(step(answer, pullOf("offset"))).rejects.toThrow(answer);
  });

  test("is halved down to fifty rows or ids", async () => {
    expect(await step(tooMuch, pullOf("offset"), {size: 51})).toMatchObject({next: {size: 50}});
    expect(await step(tooMuch, pullOf("offset"), {size: 501})).toMatchObject({next: {size: 250}});
    await expect(step(tooMuch, pullOf("offset"), {size: 50})).rejects.toThrow(tooMuch);
    const range = (to: number) =>
      step(tooMuch, pullOf("ranges"), {
        ranges: [
          [1, to, null],
          [90, 99, null],
        ],
      });
    expect(await range(51)).toMatchObject({
      kind: "smaller",
      next: {
        ranges: [
          [1, 26, null],
          [27, 51, null],
          [90, 99, null],
        ],
      },
    });
    await expect(range(50)).rejects.toThrow(tooMuch);
  });

  test("grows again after four good ones, to the size of the layer's pages", async () => {
    const grown = async (size: number, good: number) => {
      const {next} = await step([1], pullOf("keyset"), {size, good});
      return [next!.size, next!.good];
    };
    expect(await grown(30, 0)).toEqual([30, 1]);
    expect(await grown(30, 2)).toEqual([30, 3]);
    expect(await grown(30, 3)).toEqual([60, 0]);
    expect(await grown(60, 3)).toEqual([100, 0]);
    expect(await grown(100, 3)).toEqual([100, 3]);
  });
});

test("re-requests a page by its first and last id, and gives up if it is truncated", async () => {
  const {asker, forms} = answering([4, 6]);
  expect(await samePageAgain(asker, pullOf("keyset"), [4, 6])).toMatchObject({
    rows: 2,
    firstId: 4,
    lastId: 6,
  });
  expect(forms[0]).toMatchObject({
    where: "(A=1) AND OID >= 4 AND OID <= 6",
    orderByFields: "OID",
    outFields: "*",
    returnGeometry: "true",
    f: "json",
  });
  const cut = answering({ids: [4, 6], exceeded: true});
  await expect(samePageAgain(cut.asker, pullOf("keyset"), [4, 6])).rejects.toThrow(Refusal);
});

test.each([
  [undefined, 3, 100],
  [1, 3, 100],
  [2, 3, 50],
  [2, 7, 100],
  [3, 14, 50],
  [40, 1000, 50],
])(
  "a page that was reduced %s times grows again after more and more good ones",
  async (shrunk, good, size) => {
    const point = {size: 50, good, ...(shrunk === undefined ? {} : {shrunk})};
    const {next} = await step(count(50), pullOf("keyset"), point);
    expect(next?.size).toBe(size);
  },
);

test("counts how often a page was reduced", async () => {
  const {kind, next} = await step(new Fault(true), pullOf("keyset"), {shrunk: 2});
  expect([kind, next?.size, next?.shrunk]).toEqual(["smaller", 50, 3]);
});
