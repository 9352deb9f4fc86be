import {expect, test} from "vitest";
import {limitations as L} from "../../../lib/limitations.ts";
import {inputSchema} from "../../../server/mcp/arguments.ts";
import {answerTool} from "../../../server/mcp/mcp-server.ts";
import {tools} from "../../../server/mcp/tool-table.ts";
import {endpoints} from "../../../server/routes/routes.ts";

const weeks = Array.from({length: 12}, (_, i) => ({
  week_end_date: new Date(Date.UTC(2026, 8, 5 + 7 * i)).toISOString().slice(0, 10),
  price_avg: 401.25 + i,
  head_count: 113 + i,
  venues_reporting: 1,
}));
const id = "pc-20057-feeder-steers-ml1-0550-0599-cwt";
const sources = ["derived-aggregates", "mars"];

/** An answer as wide as a real one, with the limitations of most county prices. */
const answer = {
  generated_at: "2026-11-21T06:10:00Z",
  source_date_earliest: "2026-11-11",
  build_id: "20261121-bbbbbb",
  as_of_date: "2026-11-21",
  source_date: "2026-11-18",
  sources,
  limitations: [L.L02, L.L01, L.L16, L.L22],
  result_status: "ok",
  query: {applied: {}, ignored: [], resolution: {}},
  records: [
    {
      county_fips: "20057",
      county_name: "Ford County",
      state: "KS",
      cell_id: "feeder-steers-ml1-0550-0599-cwt",
      class: "steers",
      frame: "medium_and_large",
      muscle_grade: "1",
      weight_bin: "550-599",
      price_unit: "per_cwt",
      price_basis: "observed_in_county",
      price_avg: 412.36,
      price_low: 399.5,
      price_high: 425,
      head_count: 213,
      last_sale_date: "2026-11-18",
      change_week: 3.75,
      change_year: 61.25,
      distance_mi: 4.2,
      history: weeks,
      evidence_id: id,
    },
  ],
  evidence: [
    {
      evidence_id: id,
      claim:
        "Medium and Large 1 feeder steers weighing 550-599 lb averaged 412.36 USD per cwt (pounds-weighted, 213 head) at 1 reporting venue located in Ford County, KS (20057), sales of 2026-11-11 to 2026-11-18.",
      entity_ids: ["county:20057", "report:ams-1280@2026-11-11", "report:ams-1280@2026-11-18"],
      sources,
      source_date: "2026-11-18",
      confidence: {level: "high", score: 0.81, factors: null},
    },
  ],
  context: [],
  source_registry: [],
  page: {returned: 1, total: 9, limit: 1, offset: 0, truncated: true},
};

test.each(["prices_near_zip", "county_prices", "state_prices", "latest_sales"])(
  "what %s names for the next page of past sales is an argument that it takes",
  async (name) => {
    const tool = tools.find((each) => each.name === name)!;
    const endpoint = endpoints.find(({path}) => path === tool.path)!;
    const page = {returned: 1, total: 9, limit: 1, offset: 3, truncated: true, next_cursor: "MyBj"};
    const query = {applied: {to: "2026-11-18"}, ignored: [], resolution: {}};
    const body = JSON.stringify({...answer, page, query});
    const {content} = await answerTool(tool, {}, async () => ({ok: true, body}));
    const [, argument = "", value = ""] = /Next page: (\w+) (\S+)/.exec(JSON.stringify(content)) ?? [];
    expect(Object.keys(inputSchema(tool, endpoint).shape)).toContain(argument);
    expect(value).toMatch(argument === "cursor" ? /^MyBj/ : /^4\b/);
  },
);

test("an agent's whole answer on 550-lb steers near a ZIP, with twelve weeks, is under 3 KB", async () => {
  const tool = tools.find(({name}) => name === "prices_near_zip")!;
  const asked: unknown[] = [];
  const given = {zip: "67801", class: "steers", weight: 550, history: 12};
  const result = await answerTool(tool, given, async (path, values) => {
    asked.push([path, values]);
    return {ok: true, body: JSON.stringify(answer)};
  });
  expect(asked).toEqual([
    ["/price-by-county", {zip: "67801", class: "steers", weight: "550", history: "12", limit: "1"}],
  ]);
  expect(JSON.stringify(result).length).toBeLessThan(3072);
  const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  expect(result.structuredContent).toMatchObject({
    rows: [
      {county_name: "Ford County", state: "KS", class: "steers", weight_bin: "550-599", price_avg: 412.36},
    ],
  });
  expect(text).toContain("2026-11-21|412.25/cwt|124|1");
  expect(text).toMatch(
    /averaged 412.36 USD per cwt.*\n(.*\n)*Sources: .*\nReports: ams-1280.*\nDates: .*\nLimitations: /,
  );
});
