import {beforeAll, describe, expect, it} from "vitest";
import {casesOf} from "../../cases-of.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {asker, generationOfStates} from "./lookup-fixture.ts";
import {writeState} from "./state-fixture.ts";

let ask: ReturnType<typeof asker>;
/** Asks a build in which the addresses of Manitoba cannot be read. */
let askBesideDamage: ReturnType<typeof asker>;

beforeAll(async () => {
  const root = temporaryFolder();
  const tx = await writeState(root, "TX", {
    parcels: [
      {county: "48453", id: "1", situs: "12500 FM 1826", owner: "HARLOW DALE M", lon: -97.8, lat: 30.25},
      {county: "48453", id: "2", situs: "100 LORIMAR RD, AUSTIN, TX 78737"},
      {county: "48453", id: "3", situs: "100 LORIMAR RD, DRIPPING SPRINGS, TX 78620"},
      {county: "48453", id: "4", situs: "200 OCEAN LANE DR"},
      {county: "48453", id: "4-1", situs: "200 OCEAN LANE DR APT 1", columns: {parent_id: "4"}},
      {county: "48453", id: "4-2", situs: "200 OCEAN LANE DR APT 2", columns: {parent_id: "4"}},
      {county: "48453", id: "5-1", situs: "300 OCEAN LANE DR APT 1", columns: {parent_id: "5"}},
      {county: "48453", id: "5-2", situs: "300 OCEAN LANE DR APT 2", columns: {parent_id: "5"}},
      {county: "48453", id: "6", situs: "1820-1824 MARKET ST"},
      {county: "48453", id: "7", situs: "SUNSET"},
      {county: "48453", id: "8", situs: "NEWPORT RD"},
      {county: "48491", id: "9", situs: "310 STATE HIGHWAY 16 N, GEORGETOWN, TX 78633"},
      {county: "48491", id: "10", situs: "77 WHITTAKER ST"},
      {county: "48491", id: "14", situs: "78 WHITTAKER ST"},
      {county: "48491", id: "15", situs: "79 WHITTAKIR AVE"},
      {county: "48491", id: "16", situs: "20 MARDEN RD"},
      {county: "48491", id: "17", situs: "20 MARLEN ST"},
      {
        county: "48453",
        id: "12",
        situs: "311 LOUDRIDGE RD RR",
        columns: {city: "AUSTIN"},
      },
      {county: "48453", id: "13", situs: "980 MEADOWVALE DR & MONTANA"},
      {county: "48453", id: "11", situs: "500 TEXARKANA AVE, TEXARKANA, TX 71854"},
    ],
  });
  const mb = await writeState(root, "MB", {
    parcels: [
      {county: "MB601", id: "54500.000", situs: "SE17-19-10W"},
      {county: "MB738", id: "100.000", situs: "1-2-7542"},
      {county: "MB601", id: "101.000", situs: "1-2-7542"},
      {county: "MB601", id: "102.000", situs: "111119 PTH 50"},
    ],
  });
  for (const county of mb.part.counties) {
    county.county_name = county.county_key === "MB601" ? "QUILLBURG (RM)" : "CITY OF HOLTBY";
  }
  const idaho = await writeState(root, "ID", {
    parcels: [{county: "16019", id: "1", situs: "123 N QUILL ST, IDAHO FALLS 83401"}],
  });
  ask = asker(generationOfStates([tx, mb, idaho]));
  const unreadable = {
    get(): never {
      throw new Error("the addresses of MB are read");
    },
  };
  askBesideDamage = asker(generationOfStates([tx, Object.create(mb, {addresses: unreadable})]));
});

const match = async (address: string, values: Record<string, string> = {state: "TX"}) => {
  const {ok, json} = await ask("address", {address, ...values});
  return ok
    ? [json.property.parcelUid, json.property.match?.type, json.property.match?.score]
    : [json.type, json.candidateTotal];
};

describe("address lookup", () => {
  it("reads the addresses of no other state", async () => {
    for (const address of ["77 WHITTAKER ST", "980 MEADOWVALE DR AUSTIN TX", "20 MARDIN RD"]) {
      expect((await askBesideDamage("address", {address, state: "TX"})).ok).toBe(true);
    }
    await expect(askBesideDamage("address", {address: "1-2-7542", state: "MB"})).rejects.toThrow("are read");
  });

  it.each([
    ["several lines", "100 LORIMAR RD\nAUSTIN, TX 78737\nUSA", "48453-2"],
    [
      "a county beside the city",
      "100 Lorimar Road, Austin, Travis County, Texas, 78737, United States",
      "48453-2",
    ],
  ])("reads %s", async (_, address, uid) => {
    expect(await match(address, {})).toEqual([uid, "normalized", 1]);
  });

  it.each([
    ["123 N Quill St", {zipCode: "83401"}],
    ["123 N Quill St", {zipCode: "83401", county: "Bonneville"}],
    ["123 North Quill St, Idaho Falls 83401", {}],
    ["123 N Quill St Idaho Falls Idaho 83401", {}],
  ])("knows the state of a ZIP by more than its beginning: %s %j", async (address, values) => {
    expect(await match(address, values)).toEqual(["16019-1", "normalized", 1]);
  });

  it("gives no parcel of another county than the line names", async () => {
    const {json} = await ask("address", {address: "100 LORIMAR RD, AUSTIN, HAYS COUNTY, TX 78737"});
    expect(json.type).toBe("/problems/parcel-not-covered");
  });

  it("finds the very line, exact", async () => {
    const {json} = await ask("address", {address: "12500 FM 1826", state: "TX"});
    expect(json).toMatchObject({
      property: {parcelUid: "48453-1", match: {type: "exact", score: 1, notes: []}},
      metadata: {
        query: {
          applied: {address: "12500 FM 1826", state: "TX"},
          ignored: [],
          resolution: {number: "12500", street: "FM 1826", state: "TX", stateFrom: "parameter"},
        },
        coverage: [
          {state: "TX", county: "COUNTY 48453", countyKey: "48453", status: "live", vintage: "2025-08-01"},
        ],
        sources: [
          {
            id: "us-zz-invented",
            name: "Invented land parcels",
            publisher: "Office of Inventions",
            licence: "CC0-1.0",
            vintage: "2025",
          },
        ],
        lookup: {origin: "dataset", cadastreStatus: "not_asked"},
        generatedAt: "2026-11-21T04:00:00Z",
        buildId: "20261121-7be2d4",
      },
    });
    expect(json.metadata.limitations.map((sentence) => sentence.slice(0, 11))).toEqual([
      "Parcel data",
      "Owner names",
      "The point i",
    ]);
  });

  it.each(casesOf<[string, string, Record<string, string>, [string, string, number]]>("address-lookup.txt"))(
    "finds %s",
    async (_, address, values, expected) => {
      expect(await match(address, values)).toEqual(expected);
    },
  );

  it("finds the very line of a record, and counts a word of it that found no part", async () => {
    expect(await match("311 Loudridge Rd RR")).toEqual(["48453-12", "fuzzy", 0.95]);
    expect(await match("980 Meadowvale Dr & Montana")).toEqual(["48453-13", "exact", 1]);
  });

  it("never corrects a house number, and never answers with a street", async () => {
    expect(await match("12501 FM 1826")).toEqual(["/problems/parcel-not-covered", undefined]);
    expect(await match("1823 Market St")).toEqual(["/problems/parcel-not-covered", undefined]);
    expect(await match("Newport Rd")).toEqual(["/problems/parcel-not-covered", undefined]);
  });

  it("P24 is said of a line without a number, P27 of a town that could not be checked", async () => {
    const said = async (address: string) => {
      const {json} = await ask("address", {address, state: "TX"});
      return JSON.stringify(json);
    };
    const without = "streets are not looked up, only numbered addresses";
    expect(await said("Newport Rd")).toContain(without);
    expect(await said("12501 FM 1826")).not.toContain(without);
    const unchecked = "could not be checked against this parcel";
    expect(await said("12500 FM 1826, Quillburg, TX")).toContain(unchecked);
    expect(await said("12500 FM 1826, Austin, TX 78704")).not.toContain(unchecked);
  });

  it("leaves several that fit alike to the caller", async () => {
    expect(await match("100 Lorimar Rd")).toEqual(["/problems/ambiguous-parcel", 2]);
    expect(await match("300 Ocean Lane Dr")).toEqual(["/problems/ambiguous-parcel", 2]);
    expect(await match("1-2-7542", {state: "MB"})).toEqual(["/problems/ambiguous-parcel", 2]);
  });

  it("says that a stack is shared and that an address was corrected", async () => {
    const stack = await ask("address", {address: "200 Ocean Lane Dr", state: "TX"});
    expect(stack.json.metadata.limitations).toContain("Several accounts or units share this parcel.");
    const corrected = await ask("address", {address: "77 Whitaker St", state: "TX"});
    expect(corrected.json.metadata.limitations).toContain(
      "Address matched after correction; check the notes.",
    );
    expect(corrected.json.property.match?.notes).toEqual(["street name corrected"]);
  });
});

describe("an address of another county", () => {
  it("is no answer where the row has neither city nor ZIP", async () => {
    for (const place of ["Houston, TX 77002", "Houston, TX", "TX 77002"]) {
      const {ok, json} = await ask("address", {address: `12500 FM 1826, ${place}`});
      expect([ok, json.type]).toEqual([false, "/problems/parcel-not-covered"]);
    }
    expect(await match("12500 FM 1826", {state: "TX", city: "Houston"})).toEqual([
      "/problems/parcel-not-covered",
      undefined,
    ]);
  });

  it("is found by a city of its county, by the county, and by a misspelt or unknown city with a note", async () => {
    const notes = async (place: string) =>
      (await ask("address", {address: `12500 FM 1826, ${place}`})).json.property.match?.notes;
    expect(await notes("Austin, TX 78704")).toEqual([]);
    expect(await notes("Travis County, TX")).toEqual(["city_corrected"]);
    expect(await notes("Pfluegerville, TX")).toEqual(["city_corrected"]);
    expect(await notes("Quillburg, TX")).toEqual(["city_unknown"]);
  });

  it("is told from another municipality of Manitoba by its name", async () => {
    const found = async (city: string) => match("111119 PTH 50", {state: "MB", city});
    expect(await found("Quillburg")).toEqual(["MB601-102.000", "exact", 1]);
    expect(await found("Holtby")).toEqual(["/problems/parcel-not-covered", undefined]);
  });
});

describe("a corrected street", () => {
  it("never stands beside the street as written", async () => {
    expect(await match("20 Marden St")).toEqual(["48491-16", "fuzzy", 0.92]);
    expect(await match("20 Marlen Rd")).toEqual(["48491-17", "fuzzy", 0.92]);
  });

  it("of another type is no match while the street as written is in that county", async () => {
    expect(await match("79 Whittaker St")).toEqual(["/problems/parcel-not-covered", undefined]);
  });
});

describe("the state of an address", () => {
  it.each<[string, Record<string, string>, string]>([
    ["line", {address: "100 Lorimar Rd, Austin, TX"}, "line"],
    ["ZIP", {address: "100 Lorimar Rd, 78737"}, "zip"],
    ["ZIP parameter", {address: "100 Lorimar Rd", zipCode: "78737"}, "zip"],
    ["county", {address: "310 State Highway 16 N", county: "48491"}, "county"],
    ["only state with the city", {address: "100 Lorimar Rd, Dripping Springs"}, "city"],
  ])("comes from its %s", async (_, values, from) => {
    const {json} = await ask("address", values);
    expect(json.metadata.query.resolution).toMatchObject({state: "TX", stateFrom: from});
  });

  it("from its ZIP gives three county digits their meaning", async () => {
    expect(await match("100 Lorimar Rd", {zipCode: "78737", county: "453"})).toEqual([
      "48453-2",
      "normalized",
      1,
    ]);
  });

  it("is required where nothing says it", async () => {
    const {json} = await ask("address", {address: "12500 FM 1826"});
    expect([json.type, json.invalid_params[0]?.name]).toEqual(["/problems/state-required", "state"]);
  });

  it.each(casesOf<[string, Record<string, string>, string]>("address-contradictions.txt"))(
    "contradicting %s are refused without repeating the address",
    async (_, values, name) => {
      const {ok, json} = await ask("address", values);
      expect([ok, json.type, json.invalid_params[0]?.name]).toEqual([
        false,
        "/problems/invalid-parameter",
        name,
      ]);
      expect(JSON.stringify(json)).not.toMatch(/Lorimar|78737/i);
    },
  );

  it("takes a ZIP that crosses the state line where parcels of the state have it", async () => {
    expect(await match("500 Texarkana Ave", {state: "TX", zipCode: "71854"})).toEqual([
      "48453-11",
      "normalized",
      1,
    ]);
  });

  it("suggests counties that are spelt alike", async () => {
    const {json} = await ask("address", {address: "12500 FM 1826", state: "TX", county: "Trvis"});
    expect(json.invalid_params[0]).toMatchObject({
      name: "county",
      value: "Trvis",
      reason: "is not a county in TX",
    });
    expect(json.invalid_params[0]?.allowed?.[0]).toBe("Travis, TX");
  });
});
