import {afterAll, beforeAll, describe, expect, it, vi} from "vitest";
import {brazos, countyAsker, layerEntry} from "./county-fixture.ts";
import {type FakeArcgis, type FakeRow, startFakeArcgis} from "./fake-arcgis.ts";

// Calls that wait for a place at the county wait as long as they must, whatever else the machine does.
beforeAll(() => void vi.useFakeTimers({toFake: ["setInterval", "clearInterval"]}));
afterAll(() => void vi.useRealTimers());

// What a county prints, and what a person asks for: all owners are invented.
const spellings: readonly {printed: string; asked: readonly string[]}[] = [
  {printed: "O'SHEAN TESS", asked: ["O'Shean Tess", "OShean Tess", "o shean tess", "O’Shean"]},
  {printed: "OSHEAN NILS", asked: ["O'Shean Nils", "O Shean Nils"]},
  {printed: "O SHEAN RUTH", asked: ["O'Shean Ruth", "OSHEAN RUTH"]},
  {printed: "MC ALDER TESS", asked: ["McAlder Tess", "Mc Alder Tess"]},
  {printed: "MCALDER KAI", asked: ["Mc Alder Kai", "McAlder Kai"]},
  {printed: "D'AMBERLY JO ANN", asked: ["DAmberly Jo", "D'Amberly"]},
  {
    printed: "HOLTBY FARMER'S UNION ASSOCIATION",
    asked: ["Holtby Farmers Union", "Holtby Farmers Union Assn"],
  },
  {printed: "J P PLAINSTEAD LIMITED", asked: ["Plainstead Ltd"]},
  {printed: "SMITHE-JONESON ANA", asked: ["Smithe Joneson Ana", "Smithe-Joneson"]},
  {printed: "LUNDEBY KAI TRUSTEE", asked: ["Lundeby Kai Trust"]},
  {printed: "NUÑARBEZ INEZ", asked: ["Nuñarbez Inez", "NUNARBEZ INEZ", "nun\u0303arbez"]},
  {printed: "NUNARBEZ OLA", asked: ["Nuñarbez Ola", "Nunarbez Ola"]},
];

describe.each([
  {name: "sends all of its rows", others: 0},
  {name: "sends 200 rows of many more", others: 260},
])("a county that $name", ({others}) => {
  let fake: FakeArcgis;
  let asked: ReturnType<typeof countyAsker>;
  beforeAll(async () => {
    // Names that hold the part of a name by which its forms are asked for.
    const more = Array.from({length: others}, (_, n) => `NISHEANDA ${n} TESSA`);
    const rows = [...spellings.map(({printed}) => printed), ...more].map((owner, i): FakeRow => {
      const attributes = {OBJECTID: i + 1, APN: `P-${i}`, OWNER: owner};
      return {
        attributes,
        west: brazos.lon + (i % 20) * 0.002,
        south: brazos.lat + Math.floor(i / 20) * 0.002,
      };
    });
    fake = await startFakeArcgis(rows);
    fake.maxRows = 200;
    asked = countyAsker([
      layerEntry(fake.url, {
        terms: {store: true, redistributeOwners: true, bulk: false},
        owners: {published: true, order: "last_first"},
        cadastre: {url: fake.url, idField: "APN", idForms: ["raw"], ownerField: "OWNER"},
      }),
    ]);
  });
  afterAll(async () => {
    await asked.close();
    await fake.close();
  });

  const questions = spellings.flatMap(({asked: lines}, i) => lines.map((owner) => ({owner, i})));
  it.each(questions)(
    "gives the parcel of $owner, or says that the answer may be incomplete",
    async ({owner, i}) => {
      const {json} = await asked.ask("owner", {owner, state: "TX", county: "48041"});
      const uids = json.properties.map(({parcelUid}) => parcelUid);
      if (others > 0 && !uids.includes(`48041-P-${i}`))
        expect(json.metadata.limitations.join(" ")).toContain("The county service could not be asked");
      else expect(uids).toContain(`48041-P-${i}`);
    },
  );

  it("says that nobody has a name only where it has seen all rows", async () => {
    const {json} = await asked.ask("owner", {owner: "Sheanquist", state: "TX", county: "48041"});
    expect([json.properties, json.metadata.lookup.cadastreStatus]).toEqual([[], "empty"]);
    const parted = await asked.ask("owner", {owner: "OSHEAN BO", state: "TX", county: "48041"});
    expect(parted.json.metadata.lookup.cadastreStatus).toBe(others > 0 ? "rejected" : "empty");
  });
});
