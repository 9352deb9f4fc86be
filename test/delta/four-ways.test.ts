import {describe, expect, it} from "vitest";
import {countyBox} from "../../lib/geography/county-box.ts";
import type {LayerSource} from "../../lib/registry/layers-on-miss.ts";
import {loadCadastreSources, loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {type FakeRow, pageOf} from "../server/cadastre/fake-arcgis.ts";
import {seededRandom} from "../server/parcels/invented-state.ts";
import {differences, fourWays, ways} from "./four-ways.ts";
import {inventedReply} from "./invented-replies.ts";

const seed = Number(process.env["SEED"] ?? 20261123);

/** A layer of a state with a map that a person wrote, and layers of counties whose map is proposed. */
const states = [{state: "WI", key: "55137", written: ["us-wi-statewide"]}] as const;

describe(`one parcel, four ways, one record (SEED=${seed})`, () => {
  it.each(states)(
    "in answers of $written, and of layers whose map is proposed",
    async ({state, key, written}) => {
      const random = seededRandom(seed);
      const county = {country: "US", state, key} as const;
      const registered = loadParcelSources().filter(({id}) =>
        written.some((each) => each === id),
      ) as LayerSource[];
      const own = loadCadastreSources()
        .of("US", state)
        .filter(({coverage: {counties, places}}) => counties.length === 1 && places === undefined)
        .slice(0, 3);
      const replies = [...registered, ...own].map((source, i) => {
        const {counties} = source.coverage;
        const asked = counties === "all" ? county : {...county, key: counties[0]!};
        return inventedReply(random, source, {
          county: asked,
          statewide: counties === "all",
          prefix: `R${i}`,
          rows: 40,
        });
      });
      const found = await fourWays(replies);
      // Random data includes a few rows that a file's checks reject.
      expect(found.size).toBeGreaterThan(150);
      for (const said of found.values()) expect(Object.keys(said)).toEqual([...ways]);
      expect(differences(found)).toEqual([]);
    },
  );

  it("in an answer that has parcels in several rows: of years, of parts, of accounts, and twice the same", async () => {
    const county = {country: "US", state: "TX", key: "48041"} as const;
    const [source] = loadCadastreSources()
      .of("US", "TX")
      .filter(({coverage}) => coverage.counties.includes(county.key));
    const number = source!.cadastre.idField ?? "APN";
    const {west, south, east, north} = countyBox(county.key)!;
    const row = (n: number, attributes: object, at: number): FakeRow => ({
      attributes: {
        OBJECTID: n,
        [number]: "",
        TAX_YEAR: 2026,
        SITUS: "101 OAKVALE RD",
        LEGAL_DESC: "LOT 1",
        ...attributes,
      },
      west: (west + east) / 2 + at * 0.002,
      south: (south + north) / 2,
    });
    const named = (apn: string) => ({[number]: apn});
    const rows = [
      row(1, {...named("R-1"), TAX_YEAR: 2024, MARKET_VALUE: 90_000, LEGAL_DESC: "LOT 1 OLD"}, 0),
      row(2, {...named("R-1"), TAX_YEAR: 2026, MARKET_VALUE: 120_000, LEGAL_DESC: "LOT 1 NEW"}, 0),
      row(3, {...named("R-2"), MARKET_VALUE: 50_000}, 2),
      row(4, {...named("R-2"), MARKET_VALUE: 50_000}, 4),
      row(5, {...named("R-3"), MARKET_VALUE: 60_000, LEGAL_DESC: "LOT 3"}, 6),
      row(6, {...named("R-3"), MARKET_VALUE: 70_000, LEGAL_DESC: "LOT 4"}, 6),
      row(7, {...named("R-4"), MARKET_VALUE: 80_000}, 8),
      row(8, {...named("R-4"), MARKET_VALUE: 80_000}, 8),
    ];
    const fields = ["OBJECTID", number, "TAX_YEAR", "SITUS", "LEGAL_DESC", "MARKET_VALUE"].map((name) => ({
      name,
      type: ["TAX_YEAR", "MARKET_VALUE"].includes(name) ? "esriFieldTypeDouble" : "esriFieldTypeString",
    }));
    const page = JSON.stringify({...pageOf(rows), fields});
    const found = await fourWays([{source: source!, county, fields, page}]);
    expect(differences(found)).toEqual([]);
    const facts = (uid: string) =>
      found.get(`${county.key}-${uid}`)?.answer?.facts as Record<string, unknown>;
    expect(facts("R-1")).toMatchObject({legalDesc: "LOT 1 NEW", totalMarketValue: 120_000});
    expect(facts("R-1")["flags"]).toBeUndefined();
    const one = Number(facts("R-4")["acres"]);
    expect(facts("R-4")["flags"]).toBeUndefined();
    expect(Number(facts("R-2")["acres"]) / one).toBeCloseTo(2, 2);
    expect(facts("R-2")["flags"]).toBeUndefined();
    expect(facts("R-3")["flags"]).toEqual(["duplicate_id"]);
  });
});
