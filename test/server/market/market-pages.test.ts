import {describe, expect, it} from "vitest";
import {limitationId} from "../../../lib/limitations.ts";
import {servedMarket} from "./served-market.ts";

const served = servedMarket();

const ask = async (path: string) => (await served.server.get(path)).json();
const problem = async (path: string) => {
  const reply = await served.server.get(path);
  return {status: reply.status, ...reply.json()};
};
const lists = [
  "/price-by-county",
  "/price-by-county?zip=73101",
  "/price-by-state",
  "/price-by-state?state=OK",
  "/latest-prices",
  "/latest-prices?lat=35.4525&lon=-97.5560",
  "/barns",
  "/cattle-sale-barn-directory",
  "/dealers/stats",
];

describe("pages", () => {
  it.each(lists)("of one record of %s together are the whole, with nothing twice", async (path) => {
    const whole = await ask(path);
    const sign = path.includes("?") ? "&" : "?";
    const pages = [];
    for (let offset = 0; offset < whole.records.length; offset++) {
      const page = await ask(`${path}${sign}limit=1&offset=${offset}`);
      expect(page["page"]).toEqual({
        returned: 1,
        total: whole.records.length,
        limit: 1,
        offset,
        truncated: offset < whole.records.length - 1,
      });
      pages.push(...page.records);
    }
    expect(pages).toEqual(whole.records);
  });

  it("after the last record are empty and still ok", async () => {
    expect(await ask("/barns?offset=10000")).toMatchObject({
      result_status: "ok",
      records: [],
      page: {total: 2},
    });
  });

  it.each(["offset=10001", "offset=-1", "offset=x", "offset=1.5", "evidence=some", "evidence=FULL"])(
    "are refused with 400 for %s",
    async (query) => {
      for (const path of lists.filter((list) => !list.includes("?")))
        expect(await problem(`${path}?${query}`)).toMatchObject({status: 400});
    },
  );

  it("leave the evidence out with evidence=none and keep its ids, sources and dates", async () => {
    const [full, none] = [await ask("/price-by-county"), await ask("/price-by-county?evidence=none")];
    expect(none).not.toHaveProperty("evidence");
    expect(none.records).toEqual(full.records);
    expect([none["sources"], none["source_date"], none.limitations]).toEqual([
      full["sources"],
      full["source_date"],
      full.limitations,
    ]);
  });

  it("have the registry entries of exactly their sources, those of the context among them", async () => {
    const answer = await ask("/price-by-state?state=OK");
    const entries = answer["source_registry"] as {id: string; citationBoundary: string}[];
    expect(entries.map(({id}) => id)).toEqual(answer["sources"]);
    expect(entries.map(({id}) => id)).toContain("diesel");
    expect(entries.every(({citationBoundary}) => citationBoundary !== "")).toBe(true);
  });
});

describe("kinds of cattle", () => {
  it("are chosen by commodity, class and weight, also beyond the headline cells", async () => {
    const cells = async (query: string) =>
      (await ask(`/price-by-county?zip=73101&${query}`)).records.map((record) => record["cell_id"]);
    expect(await cells("class=heifers")).toEqual(["feeder-heifers-ml1-0500-0549-cwt"]);
    expect(await cells("commodity=Slaughter_Cattle")).toEqual(["slaughter-x"]);
    // Cows of no weight are not left out by that of the heifers.
    expect(await cells("class=heifers,cows&weight=549")).toEqual([
      "feeder-heifers-ml1-0500-0549-cwt",
      "slaughter-x",
    ]);
    expect(await cells("class=heifers&weight=549")).toEqual(["feeder-heifers-ml1-0500-0549-cwt"]);
    expect(await cells("weight=550")).toEqual([]);
    expect((await ask("/price-by-county?commodity=slaughter_cattle")).records).toHaveLength(1);
    expect((await ask("/latest-prices?class=steers&weight=500")).records).toHaveLength(6);
    expect((await ask("/price-by-state?class=bulls"))["result_status"]).toBe("no_rows");
  });

  it.each(["class=steer", "class=steers,", "commodity=hogs"])(
    "are refused with the allowed words for %s",
    async (query) => {
      const answer = await problem(`/price-by-state?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.invalid_params[0]?.allowed).toContain(
        query.startsWith("class") ? "steers" : "feeder_cattle",
      );
    },
  );

  it.each(["weight=49", "weight=3001", "weight=5e2", "history=0", "history=157", "history=all"])(
    "are refused with 400 for %s",
    async (query) => expect(await problem(`/price-by-county?${query}`)).toMatchObject({status: 400}),
  );
});

describe("history", () => {
  it("has so many weeks up to the record's last sale, oldest first", async () => {
    const answer = await ask("/price-by-county?state=OK&class=steers&history=4");
    expect(answer.records[0]).toMatchObject({
      county_fips: "40017",
      history: [
        {week_end_date: "2026-10-31", price_avg: 300, head_count: 40, venues_reporting: 1},
        {week_end_date: "2026-11-14"},
        {week_end_date: "2026-11-21"},
      ],
    });
    const [short] = (await ask("/price-by-county?state=OK&class=steers&history=2")).records;
    expect(short?.["history"]).toMatchObject([{week_end_date: "2026-11-14"}, {week_end_date: "2026-11-21"}]);
  });

  it("of an official summary is that of its own report, and empty where nothing is known", async () => {
    const [kansas, oklahoma] = (await ask("/price-by-state?history=156")).records;
    expect(kansas?.["history"]).toHaveLength(2);
    expect(oklahoma?.["history"]).toEqual([]);
  });

  it("is absent unless it is wanted", async () => {
    expect((await ask("/price-by-state")).records[0]).not.toHaveProperty("history");
  });
});

describe("a ZIP with nothing near", () => {
  it("is told the nearest market and its last sale (L25)", async () => {
    const answer = await ask("/price-by-county?zip=10001");
    expect(answer).toMatchObject({
      result_status: "no_rows",
      records: [],
      last_known_source_date: "2026-11-18",
      nearest_market: {venue_id: "ok-el-reno", venue_name: "Yard ok-el-reno", last_sale_date: "2026-11-18"},
    });
    expect(answer["nearest_market"]).toHaveProperty("distance_mi");
    expect(answer.limitations.map(limitationId)).toContain("L25");
  });

  it("is told the nearest market of the kinds that the question names, or none", async () => {
    expect(await ask("/price-by-county?zip=10001&class=bulls")).not.toHaveProperty("nearest_market");
    expect(await ask("/price-by-county?zip=73101")).not.toHaveProperty("nearest_market");
  });
});

it("points to a state summary that is fresher than every county record of the ZIP's state", async () => {
  expect((await ask("/price-by-county?zip=67801"))["state_summary"]).toEqual({
    state: "KS",
    week_end_date: "2026-11-20",
    report_slug: "ams-1",
  });
  expect(await ask("/price-by-county?zip=73101")).not.toHaveProperty("state_summary");
});

it("calls the primary county alone in_county, and the others by their distance", async () => {
  const answer = await ask("/price-by-county?zip=73036");
  expect(answer.records.map((record) => [record["county_fips"], record["distance_band"]])).toEqual([
    ["40017", "in_county"],
    ["40027", "local"],
    ["40027", "local"],
  ]);
  expect((await ask("/price-by-county")).records[0]).toMatchObject({distance_band: null});
});

describe("a mistyped parameter name", () => {
  it.each([
    ["/latest-prices?latitude=35&lon=-97", "latitude", ["lat"]],
    ["/price-by-county?state[]=OK", "state[]", ["state"]],
    ["/barns?statue=active", "statue", ["state", "status"]],
    ["/price-by-county?ZIP=73101", "ZIP", ["zip"]],
    ["/price-by-state?clas=steers", "clas", ["class"]],
    ["/price-by-county?zip_code=73101", "zip_code", ["zip"]],
  ])("in %s is 400 and told the name that was meant", async (path, name, allowed) => {
    const answer = await problem(path);
    expect(answer.status).toBe(400);
    expect(answer.invalid_params).toMatchObject([{name, allowed}]);
    for (const each of allowed) expect(answer.error).toContain(`"${each}"`);
  });

  it("that is near no parameter of the endpoint is ignored and listed", async () => {
    expect((await ask("/dealers/stats?county=40017&zebra=1"))["query"]).toMatchObject({
      ignored: ["county", "zebra"],
    });
  });
});
