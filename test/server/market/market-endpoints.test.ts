import {describe, expect, it} from "vitest";
import {limitations, weightlessLimitation} from "../../../lib/limitations.ts";
import type {PriceSummary} from "../../../schemas/market-answer.ts";
import {lastSaleOf} from "../../../server/market/place-context.ts";
import {generationOf, testServer} from "../server-fixture.ts";
import {servedMarket} from "./served-market.ts";

const served = servedMarket();

const ask = async (path: string) => (await served.server.get(path)).json();
const problem = async (path: string) => {
  const reply = await served.server.get(path);
  return {status: reply.status, ...reply.json()};
};

describe("a county with a price question", () => {
  it("has all cells of that county alone, by code or name, an estimate where nothing was sold there", async () => {
    const all = served.market.counties.keys;
    for (const fips of new Set(all.map(({countyFips}) => countyFips))) {
      const answer = await ask(`/price-by-county?county=${fips}&limit=500`);
      expect(answer.records.length, fips).toBe(all.filter((key) => key.countyFips === fips).length);
      expect(new Set(answer.records.map((record) => record["county_fips"]))).toEqual(new Set([fips]));
    }
    const byName = await ask("/price-by-county?county=canadian&state=OK");
    expect(byName["query"]).toMatchObject({resolution: {counties: ["40017"]}});
    expect(await problem("/price-by-county?county=canadian&state=TX")).toMatchObject({
      status: 400,
      invalid_params: [{name: "county", reason: "unknown_place"}],
    });
    expect(await problem("/price-by-county?county=40017&zip=73036")).toMatchObject({
      status: 400,
      invalid_params: [{name: "county", reason: "cannot be given together with zip"}],
    });
  });
});

describe("one barn by its name", () => {
  it("is found by its id and by the beginnings of words of name and town", async () => {
    const [first] = served.market.barns.keys.filter(({status}) => status !== "closed");
    const ids = async (venue: string) => {
      const {records} = await ask(`/barns?venue=${encodeURIComponent(venue)}&limit=500`);
      return records.map((record) => record["venue_id"]);
    };
    expect(await ids(first!.venueId)).toEqual([first!.venueId]);
    expect(await ids(`tow ${first!.venueName}`)).toContain(first!.venueId);
  });

  it("tells the last sale of the barn that was asked for, and refuses a barn that nobody knows", async () => {
    const keys = served.market.barns.keys.map((key, i) => ({
      ...key,
      lastSaleDate: ["2026-11-18", null][i] ?? null,
    }));
    const [sold, other] = keys;
    expect(lastSaleOf(keys, {venue: sold!.venueId, codes: []})).toBe("2026-11-18");
    expect(lastSaleOf(keys, {venue: other!.venueId, codes: []})).toBeNull();
    for (const path of ["/barns", "/latest-prices"])
      expect(await problem(`${path}?venue=nowhere+at+all`)).toMatchObject({
        status: 400,
        invalid_params: [{name: "venue", value: "nowhere at all", reason: "unknown_place"}],
      });
  });
});

describe("V20: parameters of the market endpoints", () => {
  it("V20: reads state=ok as OK", async () => {
    const answer = await ask("/price-by-state?state=ok");
    expect(answer["query"]).toMatchObject({applied: {state: "OK"}});
    expect(answer.records.map((record) => record["cell_id"])).toEqual(["a", "b"]);
  });

  it("V20: refuses state=ZZ with 400", async () => {
    const answer = await problem("/price-by-state?state=ZZ");
    expect(answer).toMatchObject({status: 400, type: "/problems/invalid-parameter"});
    expect(answer.invalid_params).toEqual([
      {name: "state", value: "ZZ", reason: "is not the code of a state, DC or a territory"},
    ]);
  });

  it("V20: refuses the name of a state with 400, and says its code", async () => {
    const answer = await problem("/price-by-state?state=new+mexico");
    expect(answer).toMatchObject({
      status: 400,
      error: "state is not a two-letter state code; did you mean NM?",
    });
  });

  it("V20: answers 200 no_rows for a state with nothing in the window, with the last known date", async () => {
    const answer = await ask("/price-by-state?state=WY");
    expect(answer).toMatchObject({
      result_status: "no_rows",
      records: [],
      last_known_source_date: "2026-08-01",
    });
    expect(answer.limitations).toContain(limitations.L20);
  });

  it.each([
    ["/price-by-state?state=WY", undefined],
    ["/price-by-state?state=IA", "in Iowa"],
    ["/price-by-state?state=IA&class=cows", "in Iowa"],
    ["/price-by-state?state=OK&class=bulls", undefined],
    ["/price-by-county?state=IA", "in Iowa"],
    ["/price-by-county?county=19153", "in Polk County, IA"],
    ["/price-by-county?zip=10001", "within 150 miles of 10001"],
    ["/latest-prices?state=IA&class=cows", "in Iowa"],
    ["/latest-prices?county=19153", "in Polk County, IA"],
    ["/latest-prices?lat=61.2&lon=-149.9", "within 150 miles"],
    ["/latest-prices?zip=10001&radius=60", "within 60 miles of 10001"],
    ["/latest-prices?venue=ok-el-reno&class=cows", undefined],
  ])("%s: says of which place the build holds no report: %s", async (question, place) => {
    const answer = await ask(question);
    expect([answer["result_status"], answer["no_report_held"]]).toEqual(["no_rows", place]);
  });

  it("says that a weight leaves no cows out", async () => {
    const sentences = async (question: string) => (await ask(question)).limitations.join("\n");
    expect(await sentences("/price-by-state?state=OK&class=cows&weight=550")).toContain(weightlessLimitation);
    expect(await sentences("/price-by-state?state=OK&class=bulls&weight=1800")).toContain(
      weightlessLimitation,
    );
    expect(await sentences("/price-by-state?state=OK&class=bulls&weight=550")).not.toContain(
      weightlessLimitation,
    );
    expect(await sentences("/price-by-state?state=OK&class=cows")).not.toContain(weightlessLimitation);
  });

  it("V20: reads zip=73101-1234 as 73101", async () => {
    const answer = await ask("/price-by-county?zip=73101-1234");
    expect(answer["query"]).toMatchObject({
      applied: {zip: "73101"},
      resolution: {zip: {primary_county_fips: "40109"}},
    });
  });

  it("V20: clamps limit=9999 to 500 and says so (L10)", async () => {
    const answer = await ask("/price-by-county?limit=9999");
    expect(answer["page"]).toMatchObject({limit: 500});
    expect(answer.limitations).toContain(limitations.L10);
  });

  it.each([
    "limit=0",
    "limit=-1",
    "limit=1.5",
    "limit=ten",
    "zip=1234",
    "zip=ABCDE",
    "state=Texas",
    "state=T",
  ])("V20: refuses %s with 400", async (query) => {
    expect(await problem(`/price-by-county?${query}`)).toMatchObject({status: 400});
  });

  it.each(["lat=35.4", "lon=-97.5", "lat=91&lon=0", "lat=0&lon=181", "lat=NaN&lon=1", "lat=1e1&lon=1"])(
    "V20: refuses %s with 400 and repeats no coordinate",
    async (query) => {
      const answer = await problem(`/latest-prices?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.invalid_params.every((entry) => entry.value === undefined)).toBe(true);
    },
  );

  it("V20: refuses status=open with the five allowed words", async () => {
    const answer = await problem("/barns?status=open");
    expect(answer.status).toBe(400);
    expect(answer.invalid_params[0]?.allowed).toEqual([
      "active",
      "seasonal",
      "inactive",
      "closed",
      "unverified",
    ]);
  });

  it("V20: answers 403 to limit=0 without a key: access comes first", async () => {
    expect((await served.server.get("/price-by-county?limit=0", {headers: {}})).status).toBe(403);
  });

  it("refuses a repeated parameter, counts an empty one as absent, and lists unknown ones", async () => {
    expect(await problem("/price-by-state?state=OK&state=KS")).toMatchObject({status: 400});
    const answer = await ask("/price-by-state?state=&zebra=1&colour=red");
    expect(answer["query"]).toMatchObject({applied: {limit: 25}, ignored: ["colour", "zebra"]});
  });

  it("refuses a county number that has not five digits", async () => {
    expect(await problem("/barns?county=4001")).toMatchObject({status: 400});
    expect(await problem("/barns?county=400177")).toMatchObject({status: 400});
  });
});

describe("the answer envelope", () => {
  it("has the four contract fields, the build, and L22 last", async () => {
    const answer = await ask("/price-by-state");
    expect(answer).toMatchObject({
      generated_at: "2026-11-21T06:10:00Z",
      source_date: "2026-11-19",
      source_date_earliest: "2026-11-18",
      sources: ["ams-lmr-datamart", "derived-aggregates"],
      build_id: "20261121-3f9c1a",
      as_of_date: "2026-11-21",
      result_status: "ok",
      page: {returned: 2, total: 2, limit: 25, offset: 0, truncated: false},
    });
    expect(answer.limitations.at(-1)).toBe(limitations.L22);
  });

  it("holds each evidence object once, in the order of first use", async () => {
    const answer = await ask("/price-by-county");
    expect((answer["evidence"] as {evidence_id: string}[]).map((item) => item.evidence_id)).toEqual([
      "e-ks",
      "e-ok",
    ]);
  });

  it("adds the sources of its context", async () => {
    const answer = await ask("/price-by-state?state=OK");
    expect(answer["context"]).toEqual([{signal: "diesel", source_id: "diesel"}]);
    expect(answer["sources"]).toContain("diesel");
  });

  it("names signals that are out of date with their ages (L24), and a value without a licence (L12)", async () => {
    const answer = await ask("/price-by-county?zip=67801");
    expect(answer["context"]).toEqual([]);
    expect(answer.limitations).toContain(
      "Left out because out of date: drought (16 days), diesel (40 days).",
    );
    expect(answer.limitations).toContain(limitations.L12);
    expect(answer.limitations.at(-1)).toBe(limitations.L22);
    const current = await ask("/price-by-state?state=OK");
    expect(current.limitations.join(" ")).not.toContain("out of date");
  });

  it("says L23 first on every answer of a sample build", async () => {
    const sample = await testServer({generation: () => generationOf(served.market, {sample: true})});
    const answer = (await sample.get("/dealers/stats")).json();
    expect(answer.limitations[0]).toBe(limitations.L23);
    expect(answer.limitations.at(-1)).toBe(limitations.L22);
    await sample.close();
  });
});

describe("/price-by-county", () => {
  it("puts the ZIP's primary county first, then counties by distance, all cells", async () => {
    const answer = await ask("/price-by-county?zip=73101");
    expect(answer.records.map((record) => record["county_fips"])).toEqual([
      "40109",
      "40027",
      "40027",
      "40017",
    ]);
    expect(answer.records[0]).toMatchObject({distance_method: "great_circle"});
    expect(answer.limitations).toContain(limitations.L16);
  });

  it("shows headline cells of counties with an observation when no parameter is given", async () => {
    const answer = await ask("/price-by-county");
    expect(answer.records.map((record) => record["county_fips"])).toEqual(["20057", "40017", "40027"]);
    expect(answer.records[0]).toMatchObject({distance_mi: null});
  });

  it("counts the limit in records and says that the page is cut", async () => {
    const answer = await ask("/price-by-county?limit=1");
    expect(answer["page"]).toEqual({returned: 1, total: 3, limit: 1, offset: 0, truncated: true});
  });

  it("names the ZIP's state where zip and state disagree", async () => {
    const answer = await ask("/price-by-county?zip=73101&state=KS");
    expect(answer.limitations).toContain("ZIP 73101 lies in OK, not in KS; both filters were applied.");
    expect(answer["result_status"]).toBe("no_rows");
  });

  it("answers unresolved_location to a ZIP without an area", async () => {
    expect(await ask("/price-by-county?zip=00001")).toMatchObject({
      result_status: "unresolved_location",
      records: [],
    });
  });
});

describe("/latest-prices", () => {
  const scopes = (answer: {records: readonly Record<string, unknown>[]}) =>
    answer.records.map((record) => record["report_scope"] ?? record["venue_id"]);

  it("shows headline cells of every venue, newest sale first, and then video and direct trades", async () => {
    const answer = await ask("/latest-prices");
    expect(scopes(answer)).toEqual(["ks-dodge", "ok-el-reno", "ok-unlocated", "direct", "video_internet"]);
    expect(answer.records[3]).toMatchObject({
      ...{
        venue_id: null,
        city: null,
        county_fips: null,
        state: null,
        distance_mi: null,
        distance_method: null,
      },
      ...{region: "Southeast (AL/FL)", delivery: "oct-nov", freight: "fob"},
    });
  });

  it("shows all rows of venues within the radius of a point, nearest first, 150 miles when none is named, and then trades", async () => {
    const venuesOf = async (question: string) =>
      new Set((await ask(question)).records.flatMap((record) => record["venue_id"] ?? []));
    expect(await venuesOf("/latest-prices?lat=35.4525&lon=-97.5560")).toEqual(new Set(["ok-el-reno"]));
    expect(await venuesOf("/latest-prices?lat=35.4525&lon=-97.5560&radius=10")).toEqual(new Set());
    const answer = await ask("/latest-prices?lat=35.4525&lon=-97.5560&radius=300");
    expect(answer.records.slice(0, 3).map((record) => [record["venue_id"], record["row_ordinal"]])).toEqual([
      ["ok-el-reno", 1],
      ["ok-el-reno", 2],
      ["ks-dodge", 1],
    ]);
    expect(answer.records[0]?.["distance_mi"]).toBeCloseTo(22.8, 0);
    expect(scopes(answer).slice(3)).toEqual(["direct", "video_internet"]);
  });

  it("shows trades of regions that name the point's state first, and alone where no venue is in reach", async () => {
    const inIowa = await ask("/latest-prices?lat=42.0&lon=-93.5");
    expect(scopes(inIowa)).toEqual(["video_internet"]);
    expect(inIowa.records[0]?.["distance_mi"]).toBeNull();
    const inNebraska = await ask("/latest-prices?lat=40.3&lon=-99.5&radius=300");
    expect(scopes(inNebraska)).toEqual(["ks-dodge", "video_internet", "direct"]);
    const bulls = await ask("/latest-prices?lat=42.0&lon=-93.5&class=bulls");
    expect(bulls["result_status"]).toBe("no_rows");
  });

  it("shows all rows of the venues of a county or a name, headline cells of those of a state, and no trade of elsewhere", async () => {
    const rowsOf = async (question: string) =>
      (await ask(`/latest-prices?${question}`)).records.map((record) => [
        record["venue_id"] ?? record["region"],
        record["row_ordinal"],
      ]);
    const [first, second] = [1, 2].map((ordinal) => ["ok-el-reno", ordinal]);
    expect(await rowsOf("venue=ok-el-reno")).toEqual([first, second]);
    expect(await rowsOf("county=40017")).toEqual([first, second]);
    expect(await rowsOf("state=OK")).toEqual([first, ["ok-unlocated", 1]]);
    expect((await rowsOf("state=NE")).map(([place]) => place)).toEqual(["North Central (IA, NE)"]);
  });

  it("measures from a ZIP as from its point, and says that one is not known", async () => {
    const near = await ask("/latest-prices?zip=73101&radius=60");
    expect(near.records.map((record) => record["venue_id"]).slice(0, 2)).toEqual([
      "ok-el-reno",
      "ok-el-reno",
    ]);
    expect(near.records[0]?.["distance_mi"]).toBeGreaterThan(0);
    expect(await ask("/latest-prices?zip=00000")).toMatchObject({
      result_status: "unresolved_location",
      records: [],
    });
    expect((await problem("/latest-prices?zip=73101&lat=35.4&lon=-97.5")).status).toBe(400);
  });

  it("answers no_rows beyond the radius, with the nearest market", async () => {
    const answer = await ask("/latest-prices?lat=61.2&lon=-149.9&radius=300");
    expect(answer).toMatchObject({result_status: "no_rows", nearest_market: {venue_id: "ks-dodge"}});
    expect(answer.limitations.join("\n")).toMatch(
      /^Nothing reported within 300 miles in the last 60 days; nearest venue Yard ks-dodge, Town, KS, [\d.]+ miles, last sale 2026-11-19\.$/m,
    );
  });
});

/** The members of an answer that a summary adds. */
type Summarized = {summary: PriceSummary; evidence: {evidence_id: string; claim: string}[]};

describe("the summary", () => {
  it("is null with its reason for two classes", async () => {
    expect(await ask("/price-by-county?state=OK&class=steers,heifers&weight=520")).toMatchObject({
      summary: null,
      summary_reason: "No summary: one class at a time: steers and heifers are never one price.",
    });
  });

  it("is absent without a class, and of two weights without a weight", async () => {
    expect(await ask("/price-by-county?zip=73036&weight=520")).not.toHaveProperty("summary");
    const answer = await ask("/price-by-county?zip=73036&class=steers");
    expect(answer).not.toHaveProperty("summary");
    expect(answer.summaries).toMatchObject([{weight_lb: 550}, {weight_lb: 750, price_avg: null}]);
  });

  it.each([
    ["/price-by-county?zip=73036&class=steers&weight=550", "within 150 miles of 73036", 2],
    ["/price-by-county?zip=73036&radius=20&class=steers&weight=550", "within 20 miles of 73036", 1],
    ["/price-by-county?county=40017&class=steers&weight=550", "in Canadian County, OK", 2],
    ["/price-by-state?state=OK&class=steers&weight=550", "in Oklahoma", 2],
  ])("is of the venues of the place: %s", async (question, words, venues) => {
    const {summary, evidence} = (await ask(question)) as unknown as Summarized;
    expect(summary).toMatchObject({venues, price_avg: 399.75});
    expect(summary.sentence).toMatch(new RegExp(` ${words} by the prices at (one sale|2 sales) (on|from) `));
    const own = evidence.find(({evidence_id: id}) => id === summary.evidence_id);
    expect(own?.claim).toBe(summary.sentence);
  });

  it("has no figure where no such cattle sold, and says so", async () => {
    const {summary} = (await ask(
      "/price-by-state?state=KS&class=steers&weight=550",
    )) as unknown as Summarized;
    expect(summary).toMatchObject({price_avg: null, reason: "too_few_pens", evidence_id: null});
    expect(summary.sentence).toBe(
      "No sale of such cattle in the window: Medium and Large 1 steers of 550 lb in Kansas, last 21 days; no report of a sale there is held.",
    );
  });

  it("needs a place: the nation has indicators, beside those of a state", async () => {
    const answer = await ask("/price-by-state?class=steers&weight=550");
    expect(answer).toMatchObject({
      summary: null,
      summary_reason: expect.stringMatching(/name a ZIP, a county or a state/),
    });
    expect(answer.indicators).toMatchObject([{area: "US", price_avg: null}]);
    const ofState = await ask("/price-by-state?state=OK&limit=1");
    expect(ofState.indicators).toMatchObject([{area: "US"}, {area: "OK", price_avg: 400}]);
    expect(ofState).not.toHaveProperty("summary");
  });
});

describe("/barns, the directory and the dealers", () => {
  it.each(["/barns", "/cattle-sale-barn-directory"])(
    "%s finds venues around a ZIP or a point, nearest first",
    async (path) => {
      const found = async (question: string) =>
        (await ask(`${path}?${question}`)).records.map((record) => [
          record["venue_id"],
          record["distance_mi"],
        ]);
      expect(await found("zip=73036")).toEqual([
        ["ok-el-reno", 1.3],
        ["ok-norman", 37.2],
      ]);
      expect(await found("lat=35.53&lon=-97.95&radius=10")).toEqual([["ok-el-reno", 0]]);
      expect(await found("lat=40&lon=-80&radius=300")).toEqual([]);
      expect(await ask(`${path}?zip=99999`)).toMatchObject({
        result_status: "unresolved_location",
        records: [],
      });
    },
  );

  it.each([
    ["/barns?radius=50", "radius", "needs a place to measure from"],
    ["/barns?zip=73036&lat=35&lon=-97", "zip", "is a second place beside lat and lon"],
    ["/cattle-sale-barn-directory?lat=35", "lon", "is required with the other coordinate"],
    ["/price-by-county?zip=73036&radius=9", "radius", "is not from 10 to 300 miles"],
    ["/price-by-county?zip=73036&radius=301", "radius", "is not from 10 to 300 miles"],
    ["/price-by-county?state=OK&radius=50", "radius", "needs a place to measure from"],
    ["/price-by-county?zip=73036&miles=50", "miles", "is not a parameter of this endpoint"],
  ])("%s is refused", async (question, name, reason) => {
    const reply = await served.server.get(question);
    expect([reply.status, reply.json().invalid_params[0]]).toMatchObject([400, {name, reason}]);
  });

  it("leaves closed barns out unless `status` names them", async () => {
    expect((await ask("/barns")).records).toHaveLength(2);
    expect((await ask("/barns?status=CLOSED,active")).records.map((record) => record["venue_id"])).toEqual([
      "ks-dodge",
      "ok-el-reno",
    ]);
  });

  it("finds a county by code and by name in any form", async () => {
    for (const county of ["40017", "canadian", "Canadian%20County"]) {
      expect((await ask(`/barns?county=${county}&state=ok`)).records).toHaveLength(1);
    }
  });

  it("lists every county that a name without a state may mean", async () => {
    const answer = await ask("/barns?county=cleveland");
    const {resolution} = answer["query"] as {resolution: {counties: string[]}};
    expect(resolution.counties).toEqual(expect.arrayContaining(["05025", "37045", "40027"]));
    expect(answer.records).toHaveLength(1);
  });

  it("exports the directory in the order state, city, name, without closed venues", async () => {
    const answer = await ask("/cattle-sale-barn-directory");
    expect(answer.records.map((record) => record["venue_id"])).toEqual(["ok-el-reno", "ok-norman"]);
  });

  it("sums dealers as a lower bound", async () => {
    const answer = await ask("/dealers/stats");
    expect(answer["summary"]).toEqual({
      states_with_list: 1,
      states_without_list: 49,
      total_entities: 214,
      total_is_lower_bound: true,
    });
    expect(answer.limitations).toContain(limitations.L15);
  });

  it("tells of one state whether it has a list, and gives no count where it has none", async () => {
    const counted = async (state: string) => {
      const {records, ...answer} = await ask(`/dealers/stats?state=${state}`);
      const summary = answer["summary"] as Record<string, unknown>;
      return [records.length, answer["result_status"], ...Object.values(summary).slice(0, 3)];
    };
    expect([await counted("OK"), await counted("WY")]).toEqual([
      [1, "ok", 1, 0, 214],
      [0, "no_rows", 0, 1, null],
    ]);
  });
});
