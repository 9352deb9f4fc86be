import {parseAddress} from "@open-cattle/us-address";
import {describe, expect, it} from "vitest";
import {askedCounty} from "../../../server/cadastre/county-layers.ts";
import type {Generation} from "../../../server/generation/generation.ts";
import type {CadastreQuestion} from "../../../server/parcels/cadastre-port.ts";
import type {MarketArtifacts} from "../../../server/tables/market-set.ts";
import {generationOfStates} from "../parcels/lookup-fixture.ts";

const shares: Record<string, {county_fips: string; share: number}[]> = {
  "77801": [{county_fips: "48041", share: 0.98}],
  "77856": [
    {county_fips: "48395", share: 0.49},
    {county_fips: "48289", share: 0.3},
  ],
};
const zip = (code: string) => ({
  zip: code,
  point: null,
  countyFips: null,
  method: "",
  counties: shares[code] ?? [],
});
const generation: Generation = generationOfStates([], {market: {zip} as unknown as MarketArtifacts});

function address(line: string, place: Partial<CadastreQuestion> = {}): CadastreQuestion {
  const parsed = parseAddress(line, {state: "TX"});
  return {
    kind: "address",
    state: "TX",
    counties: null,
    ...place,
    address: {...parsed, raw: line},
  } as CadastreQuestion;
}

describe("the county of a question", () => {
  it("is the named one, or null when state and county contradict each other", () => {
    const named = {kind: "parcel_id", readings: [], counties: new Set(["48041"])} as const;
    expect(askedCounty({...named, state: null}, generation)).toEqual({
      country: "US",
      state: "TX",
      key: "48041",
    });
    expect(askedCounty({...named, state: "OK"}, generation)).toBeNull();
    expect(askedCounty({...named, state: "MB", counties: new Set(["MB601"])}, generation)).toMatchObject({
      country: "CA",
      state: "MB",
    });
  });

  it("is that of the ZIP when it has at least half of the ZIP's land", () => {
    expect(askedCounty(address("12 Oakvale Rd, Bryan, TX 77801"), generation)?.key).toBe("48041");
    expect(askedCounty(address("12 Oakvale Rd, Ashmere, TX 77856"), generation)).toBeNull();
    expect(
      askedCounty(
        address("12 Oakvale Rd, Bryan, TX 77801", {counties: new Set(["48001", "48003"])}),
        generation,
      ),
    ).toBeNull();
  });

  it("is the only one that the area of a ZIP touches, where the market has no shares", () => {
    expect(askedCounty(address("12 Oakvale Rd, TX 78702"), generation)?.key).toBe("48453");
    expect(askedCounty(address("12 Oakvale Rd, TX 78737"), generation)).toBeNull();
  });

  it("is that of a city which is in one county with all its ZIPs", () => {
    expect(askedCounty(address("12 Oakvale Rd, College Station, TX"), generation)?.key).toBe("48041");
    expect(askedCounty(address("12 Oakvale Rd, Austin, TX"), generation)).toBeNull();
    expect(askedCounty(address("12 Oakvale Rd, Bryan, TX"), generation)).toBeNull();
    expect(askedCounty(address("12 Oakvale Rd, Ashmere, TX"), generation)).toBeNull();
  });

  it("does not follow from a state of many counties", () => {
    expect(askedCounty(address("12 Oakvale Rd"), generation)).toBeNull();
    expect(askedCounty({...address("12 Oakvale Rd"), state: "DC"}, generation)?.key).toBe("11001");
  });
});
