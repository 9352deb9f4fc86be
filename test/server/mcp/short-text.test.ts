import {expect, test} from "vitest";
import {z} from "zod";
import type {Endpoint} from "../../../server/http/endpoint.ts";
import {helpfulSchema, inputSchema} from "../../../server/mcp/arguments.ts";
import {shortContent, shortTable, shortText} from "../../../server/mcp/short-text.ts";
import {type Tool, tools} from "../../../server/mcp/tool-table.ts";
import {endpoints} from "../../../server/routes/routes.ts";
import {nothing} from "../../../server/text/description.ts";

const table = {title: "Weeks", columns: [{header: "a"}, {header: "b"}], rows: [["1|2", "x\n y"]]};

test("an answer is short Markdown: sentences, three claims, tables, labelled lines", () => {
  const claims = ["One.", "Two.", "Three.", "Four."];
  const answer = {...nothing, headline: ["First."], claims, tables: [table], limitations: ["L."]};
  expect(shortText(answer).split("\n")).toEqual([
    ...["First.", "One.", "Two.", "Three.", "Weeks", "a|b", "-|-", "1/2|x y", "Limitations: L."],
  ]);
  expect(shortTable({...table, title: ""})).toBe("a|b\n-|-\n1/2|x y");
});

test("structured content counts all hits, those of the answer where it is no list", () => {
  const answer = {...nothing, facts: {build_id: "b"}, records: [{id: 1}]};
  expect(shortContent(answer)).toEqual({build_id: "b", rows: [{id: 1}], total: 1, limitations: []});
  expect(shortContent({...answer, records: [{id: 0, vintage: null}]})["rows"]).toEqual([{id: 0}]);
  expect(shortContent({...answer, page: {first: 1, returned: 1, total: 9}})).toMatchObject({total: 9});
});

const endpoint = {
  parameters: z.strictObject({
    zip: z.string().optional().describe("ZIP code"),
    limit: z.string().transform(Number).optional().describe("As HTTP has it"),
    weight: z.string().transform(Number).pipe(z.number()).optional(),
    exact: z.string().transform(Boolean).pipe(z.boolean()).optional(),
    evidence: z.string().optional(),
    county: z.string(),
  }),
} as unknown as Endpoint;
const tool: Tool = {
  name: "t",
  description: "",
  path: "/t",
  requires: "zip",
  omits: ["county"],
  defaultLimit: 3,
};

test("a tool takes its endpoint's parameters as text, number or yes and no, and needs one of them", () => {
  const schema = inputSchema(tool, endpoint);
  const refuses = (given: object) => schema.safeParse(given).error?.issues.map(({path: [name]}) => name);
  expect(Object.keys(schema.shape)).toEqual(["zip", "limit", "weight", "exact"]);
  expect(refuses({zip: "67801", limit: 5, weight: 500, exact: true})).toBeUndefined();
  expect(refuses({zip: 67801, limit: "5", weight: "500", exact: "true"})).toEqual([
    "zip",
    "limit",
    "weight",
    "exact",
  ]);
  expect(refuses({})).toEqual(["zip"]);
  expect(Object.values(schema.shape).map((each) => (each as z.ZodType).description)).toEqual([
    ...["ZIP code", "Records on a page, 3 by default", "weight", "exact"],
  ]);
  const {defaultLimit: _, requires: __, omits: ___, ...plain} = tool;
  const whole = inputSchema(plain, endpoint);
  expect([whole.shape["limit"]?.description, whole.safeParse({county: "x"}).success]).toEqual([
    "As HTTP has it",
    true,
  ]);
  expect(whole.safeParse({}).error?.issues.map(({path: [name]}) => name)).toEqual(["county"]);
});

test("the tools say how many records a page has, fewer where each record is long", () => {
  const said = tools.map((each) => {
    const {shape} = inputSchema(each, endpoints.find(({path}) => path === each.path)!);
    const words = shape["limit"]?.description ?? "";
    return [
      each.name,
      /^Records on a page, (\d+) by default(, 1 with history)?$/.exec(words)?.slice(1).join(""),
    ];
  });
  expect(Object.fromEntries(said)).toMatchObject({
    ...{
      prices_near_zip: "3, 1 with history",
      county_prices: "3, 1 with history",
      state_prices: "5, 1 with history",
    },
    ...{latest_sales: "8", sale_barns: "10", parcels_near: "5", parcels_of_owner: "5"},
    ...{coverage: undefined, parcel_by_address: undefined},
  });
});

const taken = z.strictObject({
  zip: z.string().describe("ZIP code"),
  limit: z.int().min(1).max(5).optional().describe("Most"),
});

test.each([
  [{zip: 5}, "zip must be a text, not 5: ZIP code"],
  [{}, "zip is required: ZIP code"],
  [{zip: "1", limit: 0}, "limit must be 1 or more, not 0: Most"],
  [{zip: "1", limit: 6}, "limit must be 5 or less, not 6: Most"],
  [{zip: "1", limit: 1.5}, "limit must be a whole number, not 1.5: Most"],
  [{zip: "1", zipp: 1}, 'Unknown argument "zipp". Did you mean "zip"? It takes zip, limit.'],
  [{zip: "1", q: 1, xyzzy: 1}, 'Unknown argument "q". Unknown argument "xyzzy". It takes zip, limit.'],
  ["x", 'The arguments must be an object, not "x". It takes zip, limit.'],
])("a wrong call %j gets help", async (given, message) => {
  expect(await helpfulSchema(taken)["~standard"].validate(given)).toEqual({issues: [{message}]});
});

test("a right call passes, and a tool without arguments says so", async () => {
  expect(await helpfulSchema(taken)["~standard"].validate({zip: "1"})).toEqual({value: {zip: "1"}});
  const wrong = await helpfulSchema(z.strictObject({}))["~standard"].validate({q: 1});
  expect(wrong.issues?.[0]?.message).toBe('Unknown argument "q". It takes no arguments.');
});
