import {beforeAll, describe, expect, it} from "vitest";
import {temporaryFolder} from "../../temporary-folder.ts";
import {asker, generationOfStates} from "./lookup-fixture.ts";
import {writeState} from "./state-fixture.ts";

let ask: ReturnType<typeof asker>;

beforeAll(async () => {
  const root = temporaryFolder();
  const farm = {land_use_category: "agriculture"};
  const tx = await writeState(root, "TX", {
    parcels: [
      {county: "48491", id: "7", owner: "HARLOW DALE M", columns: farm},
      {county: "48453", id: "2", owner: "HARLOW DALE", columns: farm},
      {county: "48453", id: "1", owner: "DALE HARLOW"},
      {county: "48453", id: "3", owner: "HARLOW FAMILY TRUST DALE"},
      {county: "48453", id: "4", owner: "HARLOW DALEY"},
      {county: "48453", id: "5", owner: "HARLOT DALE"},
      {county: "48453", id: "6", owner: "QUISTAD RAY C/O HARLOW DALE", columns: {mail_line1: "1 HARLOW RD"}},
      {county: "48453", id: "8", owner: "HARLOW DALE M & JUNE"},
      {county: "48453", id: "9", owner: "CONFIDENTIAL"},
      {county: "48453", id: "10", owner: "NUÑEZ JOSÉ"},
    ],
  });
  const ok = await writeState(root, "OK", {parcels: [{county: "40001", id: "1", owner: "HARLOW DALE"}]});
  ask = asker(generationOfStates([tx, ok]));
});

const found = async (values: Record<string, string>) => {
  const {json} = await ask("owner", values);
  return json.properties.map(({parcelUid, match}) => [parcelUid, match?.type, match?.score]);
};

describe("owner search", () => {
  it("orders by score, then state, county and number", async () => {
    expect(await found({owner: "harlow dale"})).toEqual([
      ["40001-1", "exact", 1],
      ["48453-2", "exact", 1],
      ["48453-1", "normalized", 0.95],
      ["48453-8", "normalized", 0.9],
      ["48491-7", "normalized", 0.9],
      ["48453-3", "normalized", 0.8],
      ["48453-4", "fuzzy", 0.7],
      ["48453-5", "fuzzy", 0.6],
    ]);
  });

  it("P26: says first that only near spellings were found, and each says what differs", async () => {
    const near = await ask("owner", {owner: "harlos dale"});
    expect(near.json.metadata.limitations[0]).toMatch(/^No owner of that name was found/);
    expect(near.json.properties.map(({match}) => match?.notes)).toEqual(
      near.json.properties.map(() => ["one letter corrected"]),
    );
    const {json} = await ask("owner", {owner: "harlow dale"});
    expect(json.metadata.limitations.join()).not.toContain("No owner of that name");
    expect(json.properties.map(({match}) => match?.notes.join())).toEqual([
      "",
      "",
      "words in another order",
      "further words in the name",
      "further words in the name",
      "words apart in the name",
      "last word completed",
      "one letter corrected",
    ]);
  });

  it("gives equal names alone with exact=true", async () => {
    expect(await found({owner: "harlow dale", exact: "true"})).toEqual([
      ["40001-1", "exact", 1],
      ["48453-2", "exact", 1],
    ]);
    expect(await found({owner: "harlos dale", exact: "true"})).toEqual([]);
    const {json} = await ask("owner", {owner: "harlow dale", exact: "true", use: "agriculture"});
    expect([json.metadata.total, json.metadata.unclassified]).toEqual([1, 1]);
  });

  it("finds the second recorded name by itself", async () => {
    expect(await found({owner: "Harlow June"})).toEqual([["48453-8", "exact", 1]]);
  });

  it("never searches care-of text, mailing addresses or withheld owners", async () => {
    const uids = (await found({owner: "harlow"})).map(([uid]) => uid);
    expect(uids).not.toContain("48453-6");
    expect(await found({owner: "confidential"})).toEqual([]);
  });

  it("P23: says where owners of the place are not published", async () => {
    const nj = await writeState(temporaryFolder(), "NJ", {parcels: [{county: "34001", id: "1"}]});
    const [first] = Object.values(nj.part.counties);
    first!.fill = {acres: 1};
    const askThere = asker(generationOfStates([nj]));
    const {json} = await askThere("owner", {owner: "harlow", state: "NJ"});
    const said = expect.stringMatching(/^Owner names of this area are not/);
    expect(json.metadata.limitations).toContainEqual(said);
    const none = (await ask("owner", {owner: "nobody of that name"})).json.metadata;
    expect(none.total).toBe(0);
    expect(none.limitations).not.toContainEqual(said);
  });

  it("folds accents", async () => {
    expect(await found({nameContains: "Jose Nunez"})).toEqual([["48453-10", "normalized", 0.95]]);
  });

  it("asks for roles with lastName and firstName, the first name by its beginning", async () => {
    expect((await found({lastName: "Harlow", firstName: "D", state: "TX"})).map(([uid]) => uid)).toEqual([
      "48453-2",
      "48453-4",
      "48453-8",
      "48491-7",
    ]);
    // A trust has no last name: its words are compared.
    expect(await found({lastName: "Dale"})).toEqual([
      ["48453-1", "normalized", 0.9],
      ["48453-3", "normalized", 0.8],
    ]);
  });

  it("narrows by state, county and use, and counts what has no category", async () => {
    const {json} = await ask("owner", {
      owner: "harlow dale",
      state: "tx",
      county: "Travis",
      use: "agriculture",
    });
    expect(json.properties.map(({parcelUid}) => parcelUid)).toEqual(["48453-2"]);
    expect(json.metadata).toMatchObject({total: 1, unclassified: 5, coverage: [{state: "TX"}]});
  });

  it("says how much vacant land that may be open range a filter for farms hides, and adds it when asked", async () => {
    const land = (id: string, category: string, acres: number | null, isRange = false) => ({
      county: "30001",
      id,
      owner: "QUISTAD RANCH",
      columns: {
        land_use_category: category,
        acres,
        ...(isRange ? {open_range_possible: true, flags: ["open_range_possible"]} : {}),
      },
    });
    const state = await writeState(temporaryFolder(), "MT", {
      parcels: [
        land("1", "vacant", 640, true),
        land("2", "vacant", null, true),
        land("3", "vacant", 1),
        land("4", "agriculture", 160),
      ],
    });
    const search = async (values: Record<string, string>) => {
      const {json} = await asker(generationOfStates([state]))("owner", {owner: "quistad ranch", ...values});
      const {total, openRangePossible, limitations, query} = json.metadata;
      return {
        total,
        openRangePossible,
        limitations: limitations.filter((each: string) => each.includes("open range")),
        ignored: query.ignored,
      };
    };
    expect(await search({use: "agriculture"})).toEqual({
      total: 1,
      openRangePossible: {parcels: 2, acres: 640, included: false},
      limitations: [
        "2 parcels (640 acres) of vacant land that may be open range were left out by the filter; includeOpenRange=true adds them.",
      ],
      ignored: [],
    });
    expect(await search({use: "agriculture", includeOpenRange: "true"})).toMatchObject({
      total: 3,
      openRangePossible: {parcels: 2, acres: 640, included: true},
      limitations: ["Vacant land of this size in a ranching area may be open range."],
    });
    expect(await search({use: "vacant"})).toMatchObject({
      total: 3,
      openRangePossible: {parcels: 2, included: true},
    });
    expect(await search({use: "residential", includeOpenRange: "true"})).toEqual({
      total: 0,
      limitations: [],
      ignored: ["includeOpenRange"],
    });
    expect(await search({use: "agriculture", minAcres: "1000"})).toEqual({
      total: 0,
      limitations: [],
      ignored: [],
    });
  });

  it("narrows and orders by acres and value, and sums all hits whatever the page", async () => {
    const sized = (county: string, id: string, columns: Record<string, number>) => ({
      county,
      id,
      owner: "QUISTAD RANCH",
      columns,
    });
    const [tx, ok] = [
      await writeState(temporaryFolder(), "TX", {
        parcels: [
          sized("48453", "1", {acres: 40, market_value: 900}),
          sized("48453", "2", {acres: 640.25}),
          sized("48491", "3", {market_value: 5000}),
        ],
      }),
      await writeState(temporaryFolder(), "OK", {
        parcels: [sized("40001", "4", {acres: 160, market_value: 100})],
      }),
    ];
    const askSized = asker(generationOfStates([tx, ok]));
    const uids = async (values: Record<string, string>) => {
      const {json} = await askSized("owner", {owner: "quistad", ...values});
      return [
        json.metadata.total,
        json.metadata.unclassified,
        json.properties.map(({parcelUid}) => parcelUid),
      ];
    };
    expect(await uids({sort: "acres"})).toEqual([4, undefined, ["48453-2", "40001-4", "48453-1", "48491-3"]]);
    expect(await uids({sort: "value", limit: "2", offset: "1"})).toEqual([
      4,
      undefined,
      ["48453-1", "40001-4"],
    ]);
    expect(await uids({minAcres: "160", maxAcres: "640.25"})).toEqual([2, 1, ["40001-4", "48453-2"]]);
    expect(await uids({maxAcres: "40", state: "TX"})).toEqual([1, 1, ["48453-1"]]);
    const {json} = await askSized("owner", {owner: "quistad", limit: "1"});
    expect(json.metadata.totals).toEqual({
      parcels: 4,
      acres: 840.25,
      parcelsWithAcres: 3,
      counties: 3,
      states: 2,
    });
    const {body} = await askSized("owner", {owner: "quistad", minAcres: "1"});
    expect(body).toContain("1 parcels without a land use category or acres were left out");
    const wrong: Record<string, string>[] = [
      {minAcres: "-1"},
      {minAcres: "x"},
      {minAcres: "5", maxAcres: "4"},
      {sort: "distance"},
    ];
    for (const values of wrong) {
      const {ok: answered, json: problem} = await askSized("owner", {owner: "quistad", ...values} as Record<
        string,
        string
      >);
      expect([answered, problem.invalid_params.length], JSON.stringify(values)).toEqual([false, 1]);
    }
  });

  it("answers no hit with an empty page", async () => {
    const {ok, json} = await ask("owner", {owner: "nobody here"});
    expect([ok, json.properties]).toEqual([true, []]);
    expect(json.metadata).toMatchObject({limit: 10, offset: 0, count: 0, total: 0, nextOffset: null});
    expect(json.metadata.lookup).toEqual({origin: "dataset", cadastreStatus: "not_asked"});
  });

  it("may ask a county only where one was named with its state", async () => {
    const {json} = await ask("owner", {owner: "nobody here", state: "TX", county: "48453"});
    expect(json.metadata.lookup.cadastreStatus).toBe("unsupported");
  });
});
