import {beforeAll, expect, test} from "vitest";
import {casesOf} from "../../cases-of.ts";
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
  ...["SPC 24", "SPC 25", "LOT 31", "BLDG 40", "BLDG 50 FL 2", "UNIT 60", "BLDG 60"].map(
    (unit): [string, string] => [unit.replaceAll(" ", "-"), `100 PARK LN ${unit}`],
  ),
  ["WAY-25", "300 BROADWAY APT 25"],
  ["ELM-25", "400 ELM ST APT 25"],
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

test.each(casesOf<[string, string, Record<string, string>, unknown[]]>("address-match.txt"))(
  "%s",
  async (_, address, values, expected) => {
    const {ok, json} = await ask("address", {address, state: "NC", ...values});
    const {parcelUid, match} = ok ? json.property : {parcelUid: null, match: undefined};
    expect(
      ok
        ? [parcelUid, match?.type, match?.score]
        : json.type === "/problems/ambiguous-parcel"
          ? ["ambiguous"]
          : ["none"],
    ).toEqual(expected);
  },
);
