import {expect, test} from "vitest";
import {
  askLayer,
  askPage,
  askQuery,
  LayerError,
  pullAsker,
} from "../../pipeline/fetch/arcgis/layer-question.ts";
import {FetchError} from "../../pipeline/fetch/client/fetch-error.ts";
import {answeringLayer} from "./answering-layer.ts";

test.each<[string, object, string]>([
  [
    "all of its members",
    {code: 400, message: "Invalid query", details: ["No such field"]},
    "error 400 Invalid query",
  ],
  ["a message alone", {message: "Layer not found"}, "error Layer not found"],
  ["a code alone", {code: 500, details: []}, "error 500"],
])("reports an error with %s once, without gaps", async (_, error, told) => {
  const {job} = answeringLayer(() => ({error}));
  await expect(askQuery(job, {})).rejects.toThrow(`layer/0: ${told}`);
  await expect(askLayer(job)).rejects.toThrow(`layer/0: ${told}`);
  await expect(askPage(job, {}, "OID")).rejects.toThrow(`layer/0: ${told}`);
});

test("reports an answer that is neither a page nor an error as such", async () => {
  const {job} = answeringLayer(() => ({count: 3}));
  await expect(askLayer(job)).rejects.toThrow("layer/0: expected the layer, got a count");
  await expect(askPage(job, {}, "OID")).rejects.toThrow("layer/0: expected a page of features");
});

test.each([
  [504, "status", 504],
  [503, "status", 503],
  [400, "refused", null],
])("takes an error %s inside a 200 for a fault of the kind %s", async (code, kind, status) => {
  const {job} = answeringLayer(() => ({error: {code, message: "Gateway"}}));
  for (const asked of [askPage(job, {}, "OID"), askLayer(job), askQuery(job, {})])
    await expect(asked).rejects.toMatchObject({kind, status});
});

test.each<[string, Error, boolean]>([
  ["an error of the layer", new LayerError("x"), true],
  ["status 500", new FetchError("status", "x", {status: 500}), true],
  ["status 504", new FetchError("status", "x", {status: 504}), true],
  ["a time-out", new FetchError("timeout", "x"), true],
  ["too many bytes", new FetchError("too_large", "more than 9 bytes"), true],
  ["status 503", new FetchError("status", "x", {status: 503}), false],
  ["a cut connection", new FetchError("connection", "ECONNRESET"), false],
  ["a fault of the program", new TypeError("too slow"), false],
])("tells a pull whether fewer rows may avoid %s", (_, fault, isTooMuch) => {
  const asker = pullAsker(answeringLayer(() => ({})).job);
  expect([asker.isTooMuch(fault), asker.isRefused(fault)]).toEqual([isTooMuch, fault instanceof LayerError]);
});

test("asks a layer nothing more that it refuses, but tells of faults on the way", async () => {
  const asked = (answer: unknown) => pullAsker(answeringLayer(() => answer).job).query({where: "1=1"});
  expect(await asked({count: 3})).toEqual({kind: "count", count: 3});
  expect(await asked({error: {code: 400}})).toBeNull();
  await expect(asked(new FetchError("status", "x", {status: 503}))).rejects.toThrow(FetchError);
  await expect(asked(new FetchError("limit", "x"))).rejects.toThrow(FetchError);
});
