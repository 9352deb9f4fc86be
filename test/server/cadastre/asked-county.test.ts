import {parseAddress} from "@open-cattle/us-address";
import {describe, expect, it} from "vitest";
import {askedCounty} from "../../../server/cadastre/asked-county.ts";
import type {Generation} from "../../../server/generation/generation.ts";
import type {CadastreQuestion} from "../../../server/parcels/cadastre-port.ts";
import type {MarketArtifacts} from "../../../server/tables/market-set.ts";
import {generationOfStates} from "../parcels/lookup-fixture.ts";

const shares: Record<string, {county_fips: string; share: number}[]> = {
  "77801": [{county_fips: "48041", share: 0.98}],
  // The market leaves out small shares; the table of places has all counties that the area touches.
  "77807": [{county_fips: "48041", share: 0.96}],
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

/** Key of the county to ask and, after `|`, those in which the parcel may lie as well. */
function asked(line: string, place?: Partial<CadastreQuestion>): string {
  const {county, others} = askedCounty(address(line, place), generation);
  return [county?.key ?? "none", ...(others.length === 0 ? [] : ["|", ...others])].join(" ");
}

describe("the county of a question", () => {
  it("is the named one, or none when state and county contradict each other", () => {
    const named = {kind: "parcel_id", readings: [], counties: new Set(["48041"])} as const;
    expect(askedCounty({...named, state: null}, generation)).toEqual({
      county: {country: "US", state: "TX", key: "48041"},
      others: [],
    });
    expect(askedCounty({...named, state: "OK"}, generation).county).toBeNull();
    expect(
      askedCounty({...named, state: "MB", counties: new Set(["MB601"])}, generation).county,
    ).toMatchObject({country: "CA", state: "MB"});
  });

  it("is none where a name fits two, unless ZIP or city tell which", () => {
    const counties = new Set(["24005", "24510"]);
    const named = {kind: "parcel_id", readings: [], state: "MD", counties} as const;
    expect(askedCounty(named, generation)).toEqual({county: null, others: ["24005", "24510"]});
    const inMaryland = (line: string) => asked(line, {state: "MD", counties});
    expect(inMaryland("12 Oakvale Rd")).toBe("none | 24005 24510");
    expect(inMaryland("12 Oakvale Rd, Towson, MD")).toBe("24005");
    expect(inMaryland("12 Oakvale Rd, Baltimore, MD 21202")).toBe("24510");
    expect(inMaryland("12 Oakvale Rd, Baltimore, MD")).toBe("none | 24005 24510");
  });

  it("is that of the ZIP when it has at least half of the ZIP's land", () => {
    expect(asked("12 Oakvale Rd, Bryan, TX 77801")).toBe("48041");
    expect(asked("12 Oakvale Rd, Ashmere, TX 77856")).toBe("none | 48289 48395");
    expect(asked("12 Oakvale Rd, Bryan, TX 77801", {counties: new Set(["48001", "48003"])})).toBe(
      "none | 48001 48003",
    );
  });

  it("may be another where the ZIP crosses a county line, however little of it does", () => {
    expect(asked("12 Oakvale Rd, Bryan, TX 77807")).toBe("48041 | 48395");
    expect(asked("12 Oakvale Rd, TX 77807", {counties: new Set(["48041", "48001"])})).toBe("48041");
    expect(asked("12 Oakvale Rd, TX 77807", {counties: new Set(["48395", "48001"])})).toBe("48395");
  });

  it("is the only one that the area of a ZIP touches, where the market has no shares", () => {
    expect(asked("12 Oakvale Rd, TX 78702")).toBe("48453");
    expect(asked("12 Oakvale Rd, TX 78737")).toBe("none | 48209 48453");
    expect(asked("12 Oakvale Rd, Bryan, TX 77808")).toBe("48041 | 48395");
  });

  it("is that of a city in one county, and may be another where its deliveries cross the line", () => {
    expect(asked("12 Oakvale Rd, College Station, TX")).toBe("48041");
    expect(asked("12 Oakvale Rd, Austin, TX")).toMatch(/^none \| 48\d{3} 48\d{3}/);
    expect(asked("12 Oakvale Rd, Bryan, TX")).toBe("48041 | 48395");
    expect(asked("12 Oakvale Rd, Ashmere, TX")).toBe("none");
  });

  it("does not follow from a state of many counties", () => {
    expect(asked("12 Oakvale Rd")).toBe("none");
    expect(asked("12 Oakvale Rd", {state: "DC"})).toBe("11001");
  });
});
