import {expect, test} from "vitest";
import {askLayer, askPage, askQuery} from "../../pipeline/fetch/arcgis/layer-question.ts";
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
