import {afterAll, beforeAll, describe, expect, it, vi} from "vitest";
import {brazos, countyAsker, layerEntry} from "./county-fixture.ts";
import {type FakeArcgis, type FakeRow, isAskedFor, pageOf, startFakeArcgis} from "./fake-arcgis.ts";

// Calls that wait for a place at the county wait as long as they must, whatever else the machine does.
beforeAll(() => void vi.useFakeTimers({toFake: ["setInterval", "clearInterval"]}));
afterAll(() => void vi.useRealTimers());

// What a county prints, and how a person asks for it: all streets are invented.
const spellings: readonly {printed: string; asked: readonly string[]}[] = [
  {printed: "6445 SECOND ST", asked: ["6445 Second St", "6445 2nd Street", "6445 SECOND ST."]},
  {printed: "6447 2ND ST", asked: ["6447 Second St", "6447 2nd St"]},
  {printed: "120 TWENTY-THIRD AVE", asked: ["120 23rd Ave", "120 Twenty Third Avenue"]},
  {printed: "310 ST CLAIR AVE", asked: ["310 Saint Clair Ave", "310 St. Clair Avenue"]},
  {printed: "312 SAINT CLAIR AVE", asked: ["312 St Clair Ave"]},
  {printed: "77 O'BRIEN RD", asked: ["77 OBrien Road", "77 O'Brien Rd", "77 O’Brien Rd"]},
  {printed: "79 OBRIEN RD", asked: ["79 O'Brien Rd"]},
  {printed: "2200 CO RD 120", asked: ["2200 County Road 120", "2200 CR 120"]},
  {printed: "15 MT VERNAL LN", asked: ["15 Mt Vernal Lane"]},
  {printed: "900 MCQUILL DR", asked: ["900 McQuill Drive"]},
  {printed: "44A ELM ST", asked: ["44A Elm St"]},
  {printed: "1820-1824 MARDEN ST", asked: ["1820 Marden St", "1822 Marden St", "1824 Marden St"]},
  {printed: "98-102 QUORN ST", asked: ["100 Quorn St"]},
  {printed: "2101 & 2105 VEX AVE", asked: ["2103 Vex Ave"]},
  {printed: "# 4 55 MARDEN ST", asked: ["55 Marden St #4"]},
  {printed: "0108 SW TAMBER RD", asked: ["108 SW Tamber Rd"]},
  {printed: "18 KING'S CT", asked: ["18 Kings Court"]},
  {printed: "640 STE MARIE ST", asked: ["640 Sainte Marie St"]},
  {printed: "12 1/2 QUELL ST", asked: ["12 1/2 Quell St", "12½ Quell Street"]},
];

/** Layers: a line alone; a number column of text, of numbers; a county of which each number has more rows than it sends. */
const layers = [
  {name: "prints lines", columns: ["SITUS"], others: 3},
  {name: "has a column of numbers as text", columns: ["SITUS", "HOUSE"], others: 3},
  {name: "fills its numbers with blanks", columns: ["SITUS", "HOUSE_FILLED"], others: 3},
  {name: "has a column of numbers", columns: ["SITUS", "HOUSE_NO"], others: 3},
  {name: "sends 200 rows of many more", columns: ["SITUS"], others: 260},
] as const;

type Trouble = {readonly name: string; readonly mend: (feature: Feature) => unknown};
type Feature = {attributes: Record<string, unknown>; geometry: {rings: number[][][]}};

/** What can be wrong with a row beside the one that is asked for. */
const troubles: readonly Trouble[] = [
  {name: "no geometry", mend: ({attributes}) => ({attributes, geometry: null})},
  {
    name: "a ring that is not closed",
    mend: ({attributes, geometry: {rings}}) => ({attributes, geometry: {rings: [rings[0]!.slice(0, -1)]}}),
  },
  {
    name: "a point elsewhere",
    mend: ({attributes, geometry: {rings}}) => ({
      attributes,
      geometry: {rings: rings.map((ring) => ring.map(([x, y]) => [x! + 5, y!]))},
    }),
  },
  {name: "no number", mend: ({attributes, geometry}) => ({attributes: {...attributes, APN: "0"}, geometry})},
  {
    name: "a text that is cut in a letter",
    mend: ({attributes, geometry}) => ({attributes: {...attributes, LEGAL: "LOT \ud800"}, geometry}),
  },
];

function rowsOf(columns: readonly string[], others: number): FakeRow[] {
  return spellings.flatMap(({printed}, i) => {
    const number = printed.split(" ")[0]!;
    const streets = [printed, ...Array.from({length: others}, (_, n) => `${number} ZEBULON ${n} CT`)];
    return streets.map((line, n): FakeRow => {
      const digits = Number.parseInt(number, 10);
      const cells = {
        SITUS: line,
        HOUSE: number,
        HOUSE_NO: digits,
        HOUSE_FILLED: number.padStart(8),
        LEGAL: "LOT 1",
        APN: `P-${i}-${n}`,
      };
      const shown = Object.fromEntries(
        Object.entries(cells).filter(([name]) => ["APN", "LEGAL", ...columns].includes(name)),
      );
      const place = {west: brazos.lon + (i % 9) * 0.004, south: brazos.lat + (n % 40) * 0.002};
      return {attributes: {OBJECTID: i * 1_000 + n, ...shown}, ...place};
    });
  });
}

describe.each(layers)("a county that $name", ({columns, others}) => {
  let fake: FakeArcgis;
  let asked: ReturnType<typeof countyAsker>;
  beforeAll(async () => {
    const rows = rowsOf(columns, others);
    fake = await startFakeArcgis(rows);
    fake.maxRows = 200;
    fake.metadata = {
      fields: Object.keys(rows[0]!.attributes).map((name) => ({
        name,
        type: name === "HOUSE_NO" || name === "OBJECTID" ? "esriFieldTypeInteger" : "esriFieldTypeString",
      })),
    };
    const numberField = columns.find((name) => name !== "SITUS");
    asked = countyAsker([
      layerEntry(fake.url, {
        cadastre: {
          url: fake.url,
          idField: "APN",
          idForms: ["raw"],
          addressField: "SITUS",
          ...(numberField === undefined ? {} : {numberField}),
        },
      }),
    ]);
    // The layer's metadata are read, so that all calls of a question are left for its queries.
    await asked.ask("parcel", {parcelId: "P-0-0", state: "TX", county: "Brazos"});
  });
  afterAll(async () => {
    await asked.close();
    await fake.close();
  });

  const questions = spellings.flatMap(({asked: lines}, i) => lines.map((line) => ({line, i})));
  it.each(questions)("gives the parcel at $line", async ({line, i}) => {
    const {json} = await asked.ask("address", {address: line, state: "TX", county: "Brazos"});
    expect([json.property?.parcelUid, json.error]).toEqual([`48041-P-${i}-0`, undefined]);
  });

  it("says that there is none only where it has seen all rows of the number", async () => {
    const {json} = await asked.ask("address", {address: "900 Nowhere Dr", state: "TX", county: "Brazos"});
    const type = others > 200 ? "cadastre-unavailable" : "parcel-not-found";
    expect(json).toMatchObject({type: `/problems/${type}`});
    // One letter is wrong, so that a word of the street finds nothing in a county that does not send all.
    const near = await asked.ask("address", {address: "900 McQwill Dr", state: "TX", county: "Brazos"});
    if (others > 200) expect(near.json).toMatchObject({type: "/problems/cadastre-unavailable"});
    else expect(near.json.property.match?.notes).toEqual(["street name corrected"]);
  });
});

/** Layers that print streets without the numbers of their houses, and one with both. */
const streetColumns = [
  {columns: {LOW_NUM: "123", HIGH_NUM: "125", ST_NAME: "QUELL ST"}, status: "unsupported"},
  {columns: {P_HOUSE: "123", P_STREET: "QUELL ST"}, status: "unsupported"},
  {columns: {ST_NUM: "123", ST_NAME: "QUELL ST"}, status: undefined},
];

it.each(streetColumns)("asks a layer with the columns $columns only what a row can match", async (given) => {
  const attributes = {
    OBJECTID: 1,
    APN: "P-1",
    LASTUPDATE: Date.parse("2026-09-01T00:00:00Z"),
    ...given.columns,
  };
  const fake = await startFakeArcgis([{attributes, west: brazos.lon, south: brazos.lat}]);
  const asked = countyAsker([layerEntry(fake.url)]);
  const {json} = await asked.ask("address", {address: "123 Quell St", state: "TX", county: "Brazos"});
  await asked.close();
  await fake.close();
  const {lookup} = json as unknown as {lookup?: {cadastreStatus: string}};
  expect([lookup?.cadastreStatus, json.property?.parcelUid]).toEqual([
    given.status,
    given.status === undefined ? "48041-P-1" : undefined,
  ]);
});

it("says neither parcel nor none where the county fails before it was asked for other prints of the number", async () => {
  const row = {
    attributes: {OBJECTID: 1, APN: "P-1", SITUS: "18 ELM ST"},
    west: brazos.lon,
    south: brazos.lat,
  };
  const fake = await startFakeArcgis([row]);
  const asked = countyAsker([layerEntry(fake.url)]);
  fake.misbehave = (response, {isQuery, form}) =>
    isQuery && form.get("where")!.includes(" OR ") && response.writeHead(500).end() !== undefined;
  const question = {address: "18 Oak St", state: "TX", county: "Brazos"};
  expect((await asked.ask("address", question)).json).toMatchObject({lookup: {cadastreStatus: "rejected"}});
  expect((await asked.ask("address", {...question, address: "18 Elm St"})).json.property.parcelUid).toBe(
    "48041-P-1",
  );
  fake.misbehave = null;
  expect((await asked.ask("address", question)).json).toMatchObject({lookup: {cadastreStatus: "empty"}});
  await asked.close();
  await fake.close();
});

describe.each(troubles)("a reply that has a row with $name", ({mend}) => {
  const asking = async (rows: readonly FakeRow[], spoilt: readonly number[], address: string) => {
    const fake = await startFakeArcgis([...rows]);
    fake.misbehave = (response, {isQuery, form}) => {
      if (!isQuery) return false;
      const found = rows.filter((row) => isAskedFor(row, form));
      const {features, ...page} = pageOf(found) as {features: Feature[]};
      const sent = features.map((each, i) => (spoilt.includes(i) ? mend(each) : each));
      return response.end(JSON.stringify({...page, features: sent})) !== undefined;
    };
    const asked = countyAsker([layerEntry(fake.url)]);
    try {
      const {json} = await asked.ask("address", {address, state: "TX", county: "Brazos"});
      const again = await asked.ask("address", {address, state: "TX", county: "Brazos"});
      return {json, again: again.json, queries: fake.queries().length};
    } finally {
      await asked.close();
      await fake.close();
    }
  };
  const line = (n: number, situs: string): FakeRow => ({
    attributes: {OBJECTID: n, APN: `P-${n}`, SITUS: situs, LEGAL: "LOT 1"},
    west: brazos.lon + n * 0.004,
    south: brazos.lat,
  });
  const elm = [line(1, "101 ELM ST"), line(2, "101 ELM ST"), line(3, "101 OAKVALE RD")];

  it("does not say that there is none where the row is the only one that may fit", async () => {
    const {json, queries} = await asking([elm[0]!, elm[2]!], [0], "101 Elm St");
    expect(json).toMatchObject({
      type: "/problems/cadastre-unavailable",
      lookup: {cadastreStatus: "rejected"},
    });
    // A reply that proves nothing is not remembered: both questions are asked by number and by street.
    expect(queries).toBe(4);
  });

  it("does not say that there is only one where the row may be another", async () => {
    const {json} = await asking(elm, [1], "101 Elm St");
    expect(json).toMatchObject({type: "/problems/ambiguous-parcel"});
    expect(json.candidates!.map(({parcelUid}) => parcelUid)).toContain("48041-P-1");
  });
});

/** Bodies that hold the wanted parcel, or nothing, in a form that no sound server sends; `REPLY` stands for the usual one. */
const refused: readonly {name: string; body: (page: string) => string; status: string}[] = [
  {
    name: "a number beyond 2^53",
    body: (page) => page.replace('"OBJECTID":1', '"OBJECTID":9007199254740993'),
    status: "rejected",
  },
  {
    name: "a number of 1e16",
    body: (page) => page.replace('"OBJECTID":1', '"OBJECTID":1e16'),
    status: "rejected",
  },
  {
    name: "a key twice, once escaped",
    body: (page) => page.replace('"LEGAL"', '"\\u0041PN":"P-9","LEGAL"'),
    status: "rejected",
  },
  {
    name: "a key twice, in two cases",
    body: (page) => page.replace('"LEGAL"', '"apn":"P-9","LEGAL"'),
    status: "rejected",
  },
  {name: "a text column of booleans", body: (page) => page.replace('"LOT 1"', "true"), status: "rejected"},
  {name: "a text column of lists", body: (page) => page.replace('"LOT 1"', '["LOT 1"]'), status: "rejected"},
  {
    name: "a number with a dotless i",
    body: (page) => page.replace('"P-I1"', '"P-\u01311"'),
    status: "rejected",
  },
  {
    name: "an error beside empty features",
    body: () => '{"features":[],"error":{"code":500}}',
    status: "unavailable",
  },
  {
    name: "an error as text beside empty features",
    body: () => '{"features":[],"error":"Failed"}',
    status: "unavailable",
  },
];

it.each(refused)("refuses $name, and says neither parcel nor none", async ({body, status}) => {
  const row: FakeRow = {
    attributes: {OBJECTID: 1, APN: "P-I1", LEGAL: "LOT 1"},
    west: brazos.lon,
    south: brazos.lat,
  };
  const fake = await startFakeArcgis([row]);
  const asked = countyAsker([layerEntry(fake.url)]);
  const question = {parcelId: "P-I1", state: "TX", county: "Brazos"};
  try {
    fake.misbehave = (response, {isQuery}) =>
      isQuery && response.end(body(JSON.stringify(pageOf([row])))) !== undefined;
    const {json} = await asked.ask("parcel", question);
    expect(json).toMatchObject({type: "/problems/cadastre-unavailable", lookup: {cadastreStatus: status}});
    fake.misbehave = null;
    expect((await asked.ask("parcel", question)).json.property.parcelUid).toBe("48041-P-I1");
  } finally {
    await asked.close();
    await fake.close();
  }
});
