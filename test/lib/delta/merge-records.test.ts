import {describe, expect, test} from "vitest";
import {baseBox, baseColumns, findBaseRow} from "../../../lib/delta/base-row.ts";
import type {FoundParcel} from "../../../lib/delta/found-parcel.ts";
import {holdsFound, mergeWithBase} from "../../../lib/delta/merge-records.ts";
import type {ProvenanceGroup} from "../../../lib/parcels/conform/file-cells.ts";
import {createMemoryParcels} from "../../../lib/parcels/memory/memory-parcel-set.ts";
import type {ParcelLimitationId} from "../../../lib/parcels/record/parcel-limitations.ts";
import {recordMembersOf, type StoredRecord} from "../../../lib/parcels/record/stored-record.ts";
import type {RowValues} from "../../../lib/storage/arrow-file/memory-table.ts";

type Age = {readonly vintage: string | null; readonly vintageBasis: string};
type Side = {
  readonly members?: Readonly<Record<string, unknown>>;
  readonly columns?: RowValues;
  readonly age?: Age;
  readonly limitations?: readonly ParcelLimitationId[];
  readonly retrievedAt?: string | undefined;
  /** Provenance of members that differ from the usual one. */
  readonly fields?: Readonly<Record<string, object>>;
};

const day = (vintage: string): Age => ({vintage, vintageBasis: "row_date"});
const older = day("2025-03-01");
const newer = day("2026-03-01");
const key = {county_key: "48041", parcel_uid: "48041-R-1", parcel_id: "R-1", parcel_id_std: "R1"};
const ids = {_id: "48041-R-1", parcelUid: "48041-R-1"};
const named = {...ids, parcelId: "R-1"};

function recordOf(source: string, side: Side): StoredRecord {
  const {members = {}, age = older, limitations = [], fields = {}} = side;
  const usual = {
    source,
    ...age,
    confidence: 0.9,
    ...("retrievedAt" in side && {retrievedAt: side.retrievedAt}),
  };
  return {
    facts: Buffer.from(JSON.stringify({...named, ...members}).slice(1, -1)),
    provenance: {
      json: Buffer.from(JSON.stringify({default: usual, fields})),
      urlAt: null,
      limitations,
      sources: [],
    },
    sourceUrl: JSON.stringify(`https://${source}.example/1`),
  };
}

function foundOf({columns = {}, age = older}: Side, ages: Partial<Record<string, Age>> = {}): FoundParcel {
  const usual = {sourceId: "county", retrievedAt: null, authority: "county", proposedMap: false};
  return {
    columns: {...key, situs_status: "blank", owner_withheld: false, owner_source: "county", ...columns},
    provenance: (group: ProvenanceGroup | "default") => ({...usual, ...age, ...ages[group]}),
    observedAt: "2026-11-20T10:00:00.000Z",
  };
}

function baseOf(side: Side) {
  const {set, add} = createMemoryParcels({state: "TX", origin: "dataset"});
  add({columns: {...key, owner_source: "roll", ...side.columns}, record: recordOf("roll", side)});
  return {set, number: 0};
}

/** The members, columns and provenance of a merged parcel; null where the row of the dataset stays. */
function merged(base: Side, found: Side, ages: Partial<Record<string, Age>> = {}) {
  const row = mergeWithBase(foundOf(found, ages), recordOf("county", found), baseOf(base));
  if (row === null) return null;
  const {record, columns} = row;
  const provenance = JSON.parse(record.provenance.json.toString()) as {default: object; fields: object};
  return {
    members: recordMembersOf(record),
    columns,
    record,
    provenance,
    limitations: record.provenance.limitations,
  };
}

const owner = (name: string): Side => ({
  members: {ownerName: name},
  columns: {owner_name: name, owner_kind: "person", owner_tokens: name.split(" ")},
});

test.each<[string, Age, Age, string]>([
  ["the later day counts", older, newer, "NEW"],
  ["the later day counts, also of the dataset", newer, older, "OLD"],
  ["on equal days the county counts", newer, newer, "NEW"],
  ["a year is its first day", day("2026"), day("2026-01-01"), "NEW"],
  ["a year is its first day, also of the county", day("2026-01-01"), day("2026"), "NEW"],
  ["a day behind the first is later than its year", day("2026-01-02"), day("2026"), "OLD"],
  [
    "a day of retrieval comes before all days of its year",
    day("2026"),
    {vintage: "2026-12-31", vintageBasis: "retrieved"},
    "OLD",
  ],
  [
    "a day of retrieval comes behind all days of the year before",
    day("2025-12-31"),
    {vintage: "2026-01-01", vintageBasis: "retrieved"},
    "NEW",
  ],
  ["an unknown day is the first of all", day("1999"), {vintage: null, vintageBasis: "edition"}, "OLD"],
  ["a known day is later than an unknown one", {vintage: null, vintageBasis: "edition"}, day("1999"), "NEW"],
])("of two owners %s", (_, base, found, name) => {
  const row = merged({...owner("OLD"), age: base}, {...owner("NEW"), age: found});
  expect(row?.members["ownerName"] ?? "OLD").toBe(name);
  if (name === "OLD") return expect(row).toBeNull();
  expect(row?.columns).toMatchObject({owner_name: "NEW", owner_tokens: ["NEW"], owner_source: "county"});
  expect(row?.record).toMatchObject({
    observedAt: "2026-11-20T10:00:00.000Z",
    sourceUrl: '"https://county.example/1"',
  });
  expect(row?.provenance).toMatchObject({default: {source: "county"}});
});

describe("each group of facts", () => {
  const situs: Side = {members: {city: "SALEM"}, columns: {city: "SALEM", situs_status: "numbered"}};
  const value: Side = {members: {totalMarketValue: 7}, columns: {market_value: 7}};
  const sides = (...all: Side[]): Side => ({
    members: Object.assign({}, ...all.map(({members}) => members)),
    columns: Object.assign({}, ...all.map(({columns}) => columns)),
  });

  test("comes from the side that has it, whatever its age, with its provenance", () => {
    const row = merged({...sides(owner("OLD"), situs), age: newer}, {...value, age: older});
    expect(row?.members).toEqual({...named, city: "SALEM", ownerName: "OLD", totalMarketValue: 7});
    expect(row?.columns).toMatchObject({
      city: "SALEM",
      owner_name: "OLD",
      market_value: 7,
      owner_source: "roll",
    });
    expect(row?.provenance).toMatchObject({
      default: {source: "roll", vintage: "2026-03-01"},
      fields: {totalMarketValue: {source: "county", vintage: "2025-03-01"}},
    });
    expect(row?.record.sourceUrl).toBe('"https://roll.example/1"');
    expect(row?.record.provenance.sources.map(({id}) => id)).toEqual(["county", "roll"]);
    expect(row?.record.provenance.urlAt).toBeNull();
  });

  test("of land goes by the basis of its area before its age, as in a build", () => {
    const land = (acres: number, basis: string): Side => ({
      members: {acres, acresBasis: basis},
      columns: {acres, acres_basis: basis},
    });
    const base = {...sides(land(40, "deeded"), situs), age: older};
    const found = {...sides(land(41, "assessed"), owner("NEW")), age: newer};
    const row = merged(base, found);
    expect(row?.members).toMatchObject({acres: 40, acresBasis: "deeded", ownerName: "NEW"});
    expect(row?.columns).toMatchObject({acres: 40});
    expect(holdsFound(baseOf(base), foundOf(found), new Set(["land"]))).toBe(true);
    expect(holdsFound(baseOf({...base, ...land(40, "computed")}), foundOf(found), new Set(["land"]))).toBe(
      false,
    );
  });

  test("is chosen by its own age", () => {
    const base = {...sides(owner("OLD"), situs), age: day("2026-01-01")};
    const found = sides(owner("NEW"), {
      members: {city: "ASHMERE"},
      columns: {city: "ASHMERE", situs_status: "numbered"},
    });
    const row = merged(base, {...found, age: older}, {situs: newer});
    expect(row?.members).toMatchObject({city: "ASHMERE", ownerName: "OLD"});
    expect(row?.columns).toMatchObject({city: "ASHMERE", owner_name: "OLD", owner_source: "roll"});
  });

  test("is chosen by the age of its own facts in the dataset", () => {
    const base = {...sides(owner("OLD"), situs), age: older, fields: {ownerName: day("2026-12-01")}};
    const found = sides(owner("NEW"), {
      members: {city: "ASHMERE"},
      columns: {city: "ASHMERE", situs_status: "numbered"},
    });
    expect(merged(base, {...found, age: newer})?.members).toMatchObject({city: "ASHMERE", ownerName: "OLD"});
  });

  test("is not there for columns that always have a value", () => {
    const silent = {situs_status: "blank", owner_withheld: false, geom_acres: 7};
    expect(merged({...sides(owner("OLD"), situs), age: older}, {columns: silent, age: newer})).toBeNull();
  });

  test("an owner that the county withholds replaces an older one, and stays withheld", () => {
    const withheld: Side = {columns: {owner_withheld: true}, limitations: ["P06"]};
    const row = merged({...owner("OLD"), age: older}, {...withheld, age: newer});
    expect(row?.members).not.toHaveProperty("ownerName");
    expect(row?.columns["owner_name"]).toBeNull();
    expect(row?.limitations).toContain("P06");
    expect(merged({...owner("OLD"), age: newer}, {...withheld, age: older})).toBeNull();
  });

  test("an owner that the county gives replaces one that the dataset withholds", () => {
    const row = merged({limitations: ["P06"], age: older}, {...owner("NEW"), age: newer});
    expect(row?.members["ownerName"]).toBe("NEW");
    expect(row?.limitations).not.toContain("P06");
  });

  test("keeps limitation P32 of either side", () => {
    const id: ParcelLimitationId = "P32";
    expect(merged({limitations: [id]}, {...owner("NEW"), age: newer})?.limitations).toContain(id);
    expect(merged({}, {...owner("NEW"), age: newer, limitations: [id]})?.limitations).toContain(id);
    expect(merged({}, {...owner("NEW"), age: newer})?.limitations).not.toContain(id);
  });

  test("takes its cleaning codes along, and those of the parcel come from both sides", () => {
    const flagged = (side: Side, ...flags: string[]): Side => ({...side, members: {...side.members, flags}});
    const base = flagged(
      {...sides(owner("OLD"), value), age: older},
      "duplicate_id",
      "value_parts_contradict",
    );
    const found = flagged({...owner("NEW"), age: newer}, "open_range_possible", "shared_outline");
    const row = merged(base, found);
    expect(row?.members["flags"]).toEqual(["duplicate_id", "shared_outline", "value_parts_contradict"]);
    expect(row?.limitations).toContain("P17");
    expect(row?.limitations).not.toContain("P25");
    const another = merged(base, flagged({...sides(owner("NEW"), value), age: newer}));
    expect(another?.members["flags"]).toEqual(["duplicate_id"]);
  });

  test("is compared with the outline of the other side, as in a build", () => {
    const deeded = {
      members: {acres: 40, acresBasis: "deeded", landArea: 1_742_400},
      columns: {acres: 40, acres_basis: "deeded", geom_acres: null},
    };
    const outline = (acres: number): Side => ({
      members: {state: "TX", latitude: 30.6},
      columns: {lon: -96.3, lat: 30.6, geom_acres: acres},
      age: newer,
    });
    expect(merged(deeded, outline(40.5))?.members).not.toHaveProperty("acresComputed");
    expect(merged(deeded, outline(43))?.members).toMatchObject({acresComputed: 43});
    const contradicted = merged(deeded, outline(50.00006));
    expect(contradicted?.members).toMatchObject({
      acres: 40,
      acresComputed: 50.0001,
      flags: ["area_mismatch"],
    });
    expect(contradicted?.limitations).toContain("P05");
    // The sides' 0.90 is that of a point in their middle; a measured area has 0.90 for 0.97, and both are contradicted.
    expect(contradicted?.provenance).toMatchObject({
      default: {source: "county", confidence: 0.9},
      fields: {acres: {source: "roll", confidence: 0.72}, acresComputed: {confidence: 0.67}},
    });
  });

  test("of the situs is an address before a town alone, whatever their age", () => {
    const town: Side = {
      members: {city: "SALEM"},
      columns: {city: "SALEM", situs_status: "blank"},
      age: newer,
    };
    const address: Side = {
      members: {address: "7 ELM ST"},
      columns: {situs_raw: "7 ELM ST", situs_status: "numbered"},
      age: older,
    };
    expect(merged(town, address)?.members).toMatchObject({address: "7 ELM ST"});
    expect(merged({...address, age: older}, {...town, age: newer})).toBeNull();
  });

  test("tells that an area is computed where the side that gives it says so", () => {
    const land = (basis: string): Side => ({members: {acres: 7, acresBasis: basis}, columns: {acres: 7}});
    expect(merged(land("stated"), {...land("computed"), age: newer})?.limitations).toContain("P04");
    expect(merged(land("computed"), {...land("stated"), age: newer})?.limitations).not.toContain("P04");
  });
});

describe("the parcel's key", () => {
  test("is that of the dataset, and a county's stands where the dataset has none", () => {
    const base: Side = {members: {altParcelIds: ["B", "A"]}, columns: {alt_ids: ["B", "A"]}};
    const found: Side = {
      members: {parcelId: "r1", altParcelIds: ["C", "A"], state_parcelId: "S"},
      columns: {...owner("NEW").columns, parcel_id: "r1", alt_ids: ["C", "A"]},
      age: newer,
    };
    const row = merged(base, found);
    expect(row?.members).toMatchObject({
      parcelId: "R-1",
      state_parcelId: "S",
      altParcelIds: ["A", "B", "C", "r1"],
    });
    expect(row?.columns).toMatchObject({parcel_id: "R-1", alt_ids: ["A", "B", "C", "r1"]});
  });

  test("has no other ids where neither side has", () => {
    const row = merged({}, {...owner("NEW"), age: newer});
    expect(row?.members).not.toHaveProperty("altParcelIds");
    expect(row?.columns["alt_ids"]).toEqual([]);
  });
});

test("the day of retrieval is told where each fact has one, else of none", () => {
  const situs: Side = {members: {city: "SALEM"}, columns: {city: "SALEM"}};
  const at = "2026-11-20T00:00:00.000Z";
  const textOf = (retrievedAt?: string) =>
    merged(
      {...situs, retrievedAt: at},
      {...owner("NEW"), age: newer, ...(retrievedAt && {retrievedAt})},
    )!.record.provenance.json.toString();
  expect(textOf(at)).toContain("retrievedAt");
  expect(textOf()).not.toContain("retrievedAt");
});

test("the page of the parcel is told where one source gave all facts", () => {
  const row = merged({}, {...owner("NEW"), age: newer});
  expect(row?.record.provenance.urlAt).toBeGreaterThan(0);
  expect(row?.record.provenance.sources).toEqual([{id: "county", vintage: "2026-03-01", isRetrieval: false}]);
});

describe("the box", () => {
  const at = (lon: number): Side => ({
    members: {longitude: lon, latitude: 30},
    columns: {lon, lat: 30, xmin: lon - 1, ymin: 29, xmax: lon + 1, ymax: 31},
  });
  test("is that of the side that gives the place", () => {
    expect(merged({...at(-97), age: older}, {...at(-90), age: newer})?.columns).toMatchObject({
      lon: -90,
      xmin: -91,
      ymin: 29,
      xmax: -89,
      ymax: 31,
    });
    const {columns} = merged({...at(-97), age: older}, {...owner("NEW"), age: newer})!;
    expect(columns).toMatchObject({lon: -97, xmin: -98, ymin: 29, xmax: -96, ymax: 31});
  });

  test("of a row is its own, though others hold its point; a row without a point has none", () => {
    const {set, add} = createMemoryParcels({state: "TX", origin: "dataset"});
    for (const each of [at(-97), at(-96.5), {columns: {}}, at(-97.2)])
      add({columns: {...key, ...each.columns}, record: recordOf("roll", {})});
    expect([0, 1, 3].map((number) => baseBox({set, number})["xmin"])).toEqual([-98, -97.5, -98.2]);
    expect(baseBox({set, number: 2})).toEqual({});
    expect(baseBox({set: {...set, points: null}, number: 0})).toEqual({});
  });
});

test("the outline stays that of the dataset, where it has outlines", () => {
  const outlineOf = (outlines: boolean) => {
    const base = baseOf(owner("OLD"));
    const set = outlines ? base.set : {...base.set, outlines: null};
    const found = {...owner("NEW"), age: newer};
    return [
      mergeWithBase(foundOf(found), recordOf("county", found), {set, number: 0})!.outline,
      set.outlines,
    ];
  };
  const [outline, outlines] = outlineOf(true);
  expect(outline).toEqual({outlines, row: 0});
  expect(outlineOf(false)[0]).toBeUndefined();
});

describe("the row of a found parcel", () => {
  const rowOf = (rows: readonly RowValues[], found: RowValues) => {
    const {set, add} = createMemoryParcels({state: "TX", origin: "dataset"});
    for (const columns of rows) add({columns: {...key, ...columns}, record: recordOf("roll", {})});
    return findBaseRow(set, {...key, ...found})?.number ?? null;
  };
  test.each<[string, readonly RowValues[], RowValues, number | null]>([
    ["has its number", [{}], {}, 0],
    ["has the number in another print", [{parcel_id: "r-01"}], {parcel_id: "R-01"}, 0],
    ["has its parts parted alike", [{parcel_id: "1-12", parcel_id_std: "112"}], {parcel_id: "11-2"}, null],
    ["is of its county", [{county_key: "48039"}, {}], {}, 1],
    ["is found by its other id", [{parcel_id: "Q-9", parcel_id_std: "Q9", alt_ids: ["R-1"]}], {}, 0],
    ["is found by another id of the found one", [{}], {parcel_id: "Q-9", alt_ids: ["X", "R-1"]}, 0],
    ["is none for a parcel without a number", [{}], {parcel_id: "", alt_ids: null}, null],
    ["is none for another number", [{}], {parcel_id: "R-2"}, null],
  ])("%s", (_, rows, found, number) => {
    expect(rowOf(rows, found)).toBe(number);
  });

  test("is none without the state", () => {
    expect(findBaseRow(undefined, key)).toBeNull();
  });

  test("has the columns by which it is found", () => {
    const columns = {...owner("OLD").columns, ...key, alt_ids: ["A"], acres: 7.5, market_value: 12};
    const {set, add} = createMemoryParcels({state: "TX", origin: "dataset"});
    add({columns: {...columns, owner_source: "roll"}, record: recordOf("roll", {})});
    expect(baseColumns({set, number: 0})).toMatchObject({...columns, owner_source: "roll", city: null});
  });
});

test.each<[string, Side, Age, boolean]>([
  ["as old", owner("OLD"), older, true],
  ["older", owner("OLD"), newer, false],
  ["newer", {...owner("OLD"), age: day("2027")}, newer, true],
  ["absent", {}, older, false],
])("a dataset holds what was found where its facts of the group are not %s", (_, base, age, holds) => {
  const found = foundOf({age});
  expect(holdsFound(baseOf(base), found, new Set(["owner"]))).toBe(holds);
  expect(holdsFound(baseOf(base), found, new Set())).toBe(true);
});
