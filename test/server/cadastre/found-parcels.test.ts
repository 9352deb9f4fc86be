import type {ArcgisLayer, ArcgisPage} from "@open-cattle/arcgis-layers";
import {readAnswer} from "@open-cattle/arcgis-layers";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {landUseColumns} from "../../../lib/parcels/conform/parsed-use.ts";
import type {MemoryRow} from "../../../lib/parcels/memory/memory-parcel-set.ts";
import {recordMembersOf} from "../../../lib/parcels/record/stored-record.ts";
import {type LayerMap, layerMap} from "../../../server/cadastre/county-layer-map.ts";
import {foundParcels} from "../../../server/cadastre/found-parcels.ts";
import {createReplyReader, type ReplyRow, type UnreadRow} from "../../../server/cadastre/reply-reader.ts";
import type {Discovery} from "../../../server/delta/delta-view.ts";
import {brazos, inventedRows, layerEntry} from "./county-fixture.ts";
import {pageOf, side} from "./fake-arcgis.ts";

const source = layerEntry("https://gis.example.org/0");
const layer = {source, statewide: false};
const county = {country: "US", state: "TX", key: brazos.key} as const;
const retrievedAt = "2026-11-20T10:00:00.000Z";
const reader = createReplyReader();
let rows: readonly ReplyRow[];
let map: LayerMap;
beforeAll(async () => {
  const features = inventedRows().map((row) => ({
    ...row,
    attributes: {...row.attributes, USE_DESC: "SINGLE FAMILY", COLOUR: "green"},
  }));
  const page = readAnswer(JSON.stringify(pageOf(features))) as ArcgisPage;
  const fields = Object.keys(features[0]!.attributes).map((name) => ({name, type: "esriFieldTypeString"}));
  const facts = {fields, lastEditDate: "2026-10-05", maxRecordCount: null} as unknown as ArcgisLayer;
  map = layerMap(layer, facts, county)!;
  ({rows} = await reader.read({
    ...{entry: map.entry, features: page.features, layerEdit: "2026-10-05", retrievedAt},
  }));
});
afterAll(() => reader.close());

type Given = Parameters<typeof foundParcels>[0];
type Kept = {persisted: boolean; sourceAdded: boolean};

type Options = {
  outcomes?: Kept[];
  terms?: object;
  fields?: LayerMap["entry"]["fields"];
  /** What the delta makes of each row. */
  merged?: (MemoryRow | null)[];
};

/** The parcels of rows, with what was stored of them; each append gives the next outcome. */
async function found(given: Given, {outcomes = [], terms = {}, fields = {}, merged = []}: Options = {}) {
  const stored: Discovery[] = [];
  const discoveries = {
    async append(discovery: Discovery) {
      stored.push(discovery);
      return outcomes[stored.length - 1] ?? {persisted: true, sourceAdded: false};
    },
    preview: () => Promise.resolve(merged),
  };
  const origin = {
    layer: {...layer, source: {...source, terms: {...source.terms, ...terms}}},
    ...{county, retrievedAt, asOf: "2026-11-21", query: "parcel_id" as const},
    map: {...map, entry: {...map.entry, fields: {...map.entry.fields, ...fields}}},
  };
  return {...(await foundParcels(given, origin, discoveries)), stored};
}

const upsertOf = async (row: ReplyRow, options: Options = {}) => {
  const {keep, stored} = await found({rows: [row]}, options);
  await keep([0]);
  return stored[0]!.upsert;
};

describe("what is found at a county", () => {
  test("is a set in which its numbers and its outlines are found", async () => {
    const {set} = await found({rows});
    expect(set.ids.find("R2001").map(({row}) => row)).toEqual([2]);
    expect([set.state, set.origin, set.parcels.rows]).toEqual(["TX", "cadastre", 3]);
    const inside = {lon: brazos.lon + side / 2, lat: brazos.lat + side / 2};
    expect([0, 1, 2].map((row) => set.outlines!.holds(row, inside))).toEqual([true, false, false]);
    expect([0, 2, 3].map((row) => set.outlines!.has(row))).toEqual([true, true, false]);
    expect(set.outlines!.holds(3, inside)).toBe(false);
    const bare = {...rows[0]!, geometry: {...rows[0]!.geometry, wkb: null}};
    expect((await found({rows: [bare]})).set.outlines!.has(0)).toBe(false);
  });

  test("shows what the delta will show of it, and is found by what the county says", async () => {
    const own = (await found({rows})).set.record(0);
    const record = {...own, facts: Buffer.from('"parcelId":"R-100"')};
    const merged = [{columns: {situs_number: "7", owner_source: "roll"}, record}, null];
    const {set} = await found({rows}, {merged});
    expect(recordMembersOf(set.record(0))).toEqual({parcelId: "R-100"});
    expect(set.record(1)).toEqual((await found({rows})).set.record(1));
    expect([0, 1].map((row) => set.parcels.string("owner_source").at(row))).toEqual(["roll", source.id]);
    expect(set.parcels.text("situs_number").at(0)).toBe("101");
  });

  test("says where its facts come from, and a group its own date", async () => {
    const groups = {owner: {vintage: "2024", vintageBasis: "roll_year"}, acres: rows[0]!.vintage} as const;
    const {set} = await found({rows: [{...rows[0]!, groups}, rows[1]!]});
    const [own, plain] = [0, 1].map((row) => JSON.parse(String(set.record(row).provenance.json)));
    expect(plain.default).toMatchObject({
      source: source.id,
      vintage: "2026-10-05",
      vintageBasis: "layer_edit",
    });
    expect(own.default).toEqual(plain.default);
    expect(set.record(0).observedAt).toBe(retrievedAt);
    const flagged = {...rows[1]!, columns: {...rows[1]!.columns, flags: ["duplicate_id"]}};
    const limitationsOf = async (row: ReplyRow) => [
      ...(await found({rows: [row]})).set.record(0).provenance.limitations,
    ];
    expect(await limitationsOf(flagged)).toEqual([...(await limitationsOf(rows[1]!)), "P17"]);
  });
});

describe("what is kept", () => {
  const [stored, added, refused] = [
    {persisted: true, sourceAdded: false},
    {persisted: true, sourceAdded: true},
    {persisted: false, sourceAdded: false},
  ];

  test.each<[Kept[], Kept]>([
    [[stored, stored], stored],
    [[stored, added], added],
    [[stored, refused], refused],
    [[refused, added], {persisted: false, sourceAdded: true}],
  ])("of two rows whose storing gives %j is %j", async (outcomes, expected) => {
    const {keep, stored: all} = await found({rows}, {outcomes});
    expect(await keep([0, 2])).toEqual(expected);
    expect(all.map(({upsert}) => upsert.key.parcelId)).toEqual([rows[0]!.key, rows[2]!.key]);
  });

  test("is stored once for all callers", async () => {
    const {keep, stored: all} = await found({rows}, {outcomes: [added]});
    expect(await Promise.all([keep([0]), keep([0]), keep([0, 1])])).toEqual([added, added, added]);
    expect(all.length).toBe(2);
  });

  test("is nothing where nothing is given or the terms forbid it", async () => {
    const {keep, stored: all} = await found({rows});
    expect([await keep([]), all]).toEqual([refused, []]);
    const bound = await found({rows}, {terms: {store: false}});
    expect([await bound.keep([0]), bound.stored]).toEqual([refused, []]);
  });

  test("has the key, the dates and the layer of the row", async () => {
    const {keep, stored: all} = await found({rows});
    await keep([0]);
    expect(all[0]).toMatchObject({
      source: {
        sourceId: source.id,
        countyKey: brazos.key,
        entryDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      upsert: {
        ...{kind: "upsert", v: 1, country: "US", parcelUid: "48041-R-100-1", sourceId: source.id},
        ...{
          key: {state: "TX", county: brazos.key, parcelId: "R-100-1"},
          proposedMap: true,
          query: "parcel_id",
        },
        ...{
          vintage: "2026-10-05",
          provenance: {retrievedAt, authority: "county", vintageBasis: "layer_edit"},
        },
      },
    });
    expect(all[0]!.upsert).not.toHaveProperty("groups");
  });

  test("has the date of a group where it is another one than that of the row", async () => {
    const {vintage} = rows[0]!;
    const groups = {
      situs: vintage,
      owner: {...vintage, vintage: "2024"},
      value: {...vintage, vintageBasis: "roll_year"},
    } as unknown as ReplyRow["groups"];
    const upsert = await upsertOf({...rows[0]!, groups});
    expect(upsert.groups).toEqual({owner: groups.owner, value: (groups as Record<string, object>)["value"]});
  });

  test("has the published facts of the land use without those that are unknown, and nothing that follows from them", async () => {
    const upsert = await upsertOf(rows[0]!);
    expect(upsert.landUse!.facts).toMatchObject({codes: {}, description: "SINGLE FAMILY"});
    expect(Object.values(upsert.landUse!.facts)).not.toContain(null);
    expect(Object.keys(upsert.row).filter((name) => landUseColumns.has(name))).toEqual([]);
    expect(Object.keys(rows[0]!.columns).some((name) => landUseColumns.has(name))).toBe(true);
    expect(await upsertOf({...rows[0]!, use: null})).not.toHaveProperty("landUse");
  });

  test("has its point for its extent, and the mapped attributes but those of a withheld owner", async () => {
    const upsert = await upsertOf(rows[0]!);
    const {lon, lat} = upsert.row as {lon: number; lat: number};
    expect(upsert.row).toMatchObject({xmin: lon, xmax: lon, ymin: lat, ymax: lat});
    expect([lon, lat]).toEqual([
      expect.closeTo(brazos.lon + side / 2),
      expect.closeTo(brazos.lat + side / 2),
    ]);
    expect(upsert.raw).toMatchObject({APN: "R-100-1", SITUS: "101 OAKVALE RD", USE_DESC: "SINGLE FAMILY"});
    expect(upsert.raw).not.toHaveProperty("COLOUR");
    const owned = {fields: {owner_raw: {from: "OWNER"}}};
    expect((await upsertOf(rows[0]!, owned)).raw).toHaveProperty("OWNER", "QUISTAD HELGA");
    const withheld = {...rows[0]!, columns: {...rows[0]!.columns, owner_withheld: true}};
    const {raw} = await upsertOf(withheld, owned);
    expect([raw!["OWNER"], raw!["APN"]]).toEqual([undefined, "R-100-1"]);
  });
});

describe("rows that could not be read", () => {
  const unreadOf = (...ids: (string | null)[]): UnreadRow[] =>
    ids.map((id) => ({
      ...{record: rows[0]!.record, isOutside: false},
      columns: {
        ...rows[0]!.columns,
        parcel_uid: id,
        parcel_id_std: id === null ? null : "X1",
        parcel_id_tok: "X1",
      },
    }));

  test.each<[string, () => Given, [number, number] | null]>([
    ["none", () => ({rows}), null],
    ["none beside none", () => ({rows: [], unread: [], unreadable: 0}), null],
    ["some beside no row", () => ({rows: [], unread: unreadOf("48041-X-1"), unreadable: 2}), null],
    ["one with a number", () => ({rows, unread: unreadOf("48041-X-1")}), [1, 0]],
    ["two without", () => ({rows, unread: unreadOf(null, null)}), [0, 2]],
    [
      "one of each, and one of which nothing is known",
      () => ({rows, unread: unreadOf("48041-X-1", null), unreadable: 1}),
      [1, 2],
    ],
    ["two of which nothing is known", () => ({rows, unreadable: 2}), [0, 2]],
  ])("are doubts as far as they have a name: %s", async (_, given, expected) => {
    const {unreadable: doubts} = await found(given());
    expect(doubts === undefined ? null : [doubts.set.parcels.rows, doubts.unnamedCount]).toEqual(expected);
  });
});
