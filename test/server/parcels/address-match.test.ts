import {beforeAll, expect, test} from "vitest";
import {temporaryFolder} from "../../temporary-folder.ts";
import {asker, generationOfStates} from "./lookup-fixture.ts";
import {writeState} from "./state-fixture.ts";

/** The vectors of docs/design/parcels.md section 7 that need rows beside the one that is asked for. */

let ask: ReturnType<typeof asker>;

const durham = {city: "DURHAM", zip: "27705"};
const rows: [id: string, situs: string, columns?: Record<string, string>][] = [
  ["B-3", "200 MAIN ST BLDG 3 UNIT 12"],
  ["B-4", "200 MAIN ST BLDG 4 UNIT 12"],
  ...Array.from({length: 59}, (_, i): [string, string] => [`O-${i}`, `101 OCEAN AVE UNIT ${i + 1}`]),
  ["O-WAY", "101 OCEAN WAY"],
  ["US-70A", "220 US HWY 70 A E"],
  ["GREEN", "2181/2 GREEN LN"],
  ["US-15-501", "11098 US 15-501 HWY N", durham],
  ["US-15", "11098 US 15 HWY N", durham],
  ["WEST-VIEW", "12 WEST VIEW RD", durham],
  ["UNREAD", "311 LOUDRIDGE RD RR QQ", durham],
  ["2419B", "2419B W GREENSBORO-CHAPEL HILL RD"],
  ["2419", "2419 W GREENSBORO-CHAPEL HILL RD"],
  ["0108", "0108 SW PALATINE HILL RD"],
  ["108", "108 SW PALATINE HILL RD"],
  ["ZIP-ALONE", "900 QUILLBURG LN", {zip: "27587"}],
  ["CLARKS-1", "3737 CLARKS LANE UNIT#: P 1"],
  ["CLARKS-24", "3737 CLARKS LANE UNIT#: P-24"],
];

beforeAll(async () => {
  const root = temporaryFolder();
  const nc = await writeState(root, "NC", {
    parcels: rows.map(([id, situs, columns = {}]) => ({county: "37063", id, situs, columns})),
  });
  const tx = await writeState(root, "TX", {
    parcels: [
      {county: "48453", id: "FM-620", situs: "3601 FM 620 RD N", columns: {city: "AUSTIN", zip: "78732"}},
    ],
  });
  ask = asker(generationOfStates([nc, tx]));
});

test.each<[string, string, Record<string, string>, unknown[]]>([
  [
    "S16: a unit of a letter and a number",
    "3737 Clarks Lane Unit P 24",
    {},
    ["37063-CLARKS-24", "normalized", 1],
  ],
  [
    "S18: the building in full beside another",
    "200 Main Street Building 4 Unit 12",
    {},
    ["37063-B-4", "normalized", 1],
  ],
  ["S19: a unit that is not there, beside another street", "101 Ocean Ave Unit 9Z9", {}, ["none"]],
  ["S20: a highway beside the one with a letter", "220 US Hwy 70", {}, ["none"]],
  ["S21: a number beside one with a fraction", "2181 Green Ln", {}, ["none"]],
  ["S21: a number with its fraction", "218 1/2 Green Ln", {}, ["37063-GREEN", "normalized", 1]],
  [
    "S22: a highway of two numbers",
    "11098 US Hwy 15 501 N",
    {city: "Durham"},
    ["37063-US-15-501", "normalized", 1],
  ],
  [
    "S23: a ranch road for a farm road",
    "3601 RM 620 N",
    {state: "TX", city: "Austin", zipCode: "78732"},
    ["48453-FM-620", "normalized", 1],
  ],
  [
    "S24: a highway for a farm road",
    "3601 Highway 620",
    {state: "TX", city: "Austin", zipCode: "78732"},
    ["48453-FM-620", "fuzzy", 0.89],
  ],
  ["S25: a name in one word", "12 Westview Rd", {city: "Durham"}, ["37063-WEST-VIEW", "fuzzy", 0.98]],
  [
    "S26: a row with two words left over",
    "311 Loudridge Rd",
    {city: "Durham"},
    ["37063-UNREAD", "fuzzy", 0.9],
  ],
  [
    "S27: a letter beside the number without it",
    "2419B W Greensboro Chapel Hill Rd",
    {},
    ["37063-2419B", "normalized", 1],
  ],
  ["S28: a zero in front", "0108 SW Palatine Hill Rd", {}, ["37063-0108", "exact", 1]],
  ["S28: no zero in front", "108 SW Palatine Hill Rd", {}, ["37063-108", "exact", 1]],
  ["S29: a town that a ZIP of the row belongs to no part of", "900 Quillburg Ln", {city: "Cary"}, ["none"]],
])("%s", async (_, address, values, expected) => {
  const {ok, json} = await ask("address", {address, state: "NC", ...values});
  const {parcelUid, match} = ok ? json.property : {parcelUid: null, match: undefined};
  expect(
    ok
      ? [parcelUid, match?.type, match?.score]
      : json.type === "/problems/ambiguous-parcel"
        ? ["ambiguous"]
        : ["none"],
  ).toEqual(expected);
});
