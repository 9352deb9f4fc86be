import {afterAll, describe, expect, test} from "vitest";
import {createFindMaker} from "../../../lib/delta/find-maker.ts";
import type {FindPool} from "../../../lib/delta/find-pool.ts";
import {foundParcel} from "../../../lib/delta/found-parcel.ts";
import {likeRows} from "../../../lib/delta/like-rows.ts";
import {lostFinds} from "../../../lib/delta/merge-finds.ts";
import {recordMembersOf} from "../../../lib/parcels/record/stored-record.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import type {RowValue} from "../../../lib/storage/arrow-file/write.ts";
import type {DeltaUpsert} from "../../../schemas/delta-record.ts";
import {discoveryOf, layerId} from "../../delta/fake-county.ts";
import {type InventedParcel, inventedSource, writeState} from "../../server/parcels/state-fixture.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const maker = createFindMaker();
afterAll(() => maker.close());

const county = "48453";
const id = "777-B";
type Facts = Partial<InventedParcel>;
type Columns = Record<string, RowValue>;

/** Vintage of the row of the build. */
const built = "2025-08-01";
const [older, newer] = ["2024-01-01", "2026-10-01"];

function find(facts: Facts, vintage: string, changes: Partial<DeltaUpsert> = {}): DeltaUpsert {
  const {upsert} = discoveryOf({id, ...facts}, vintage);
  return {...upsert, seq: 1, observedAt: "2026-11-20T10:00:00.000Z", ...changes};
}

/** A pool of parcels of a build and finds. */
async function poolOf(parcels: readonly Facts[], found: readonly DeltaUpsert[]): Promise<FindPool> {
  const rows = parcels.map((each) => ({county, id, ...each}));
  const state = await writeState(temporaryFolder(), "TX", {parcels: rows});
  const numbers = new Set(found.flatMap((record) => likeRows(state, foundParcel(record).columns)));
  return {
    state: "TX",
    table: {path: state.table, origins: state.origins()},
    rows: [...numbers].map((row) => ({row, facts: state.record(row).facts})),
    found,
  };
}

async function merged(parcels: readonly Facts[], ...found: DeltaUpsert[]) {
  const pool = await poolOf(parcels, found);
  const made = await maker.merge({...pool, asOf: "2026-11-21", sources: () => undefined});
  return made.map(({record, ...rest}) => {
    const provenance = JSON.parse(record.provenance.json.toString()) as {
      default: {source: string};
      fields: Record<string, {source?: string}>;
    };
    const sourceOf = (name: string) => provenance.fields[name]?.source ?? provenance.default.source;
    return {...rest, record, members: recordMembersOf(record), sourceOf};
  });
}

const columns = (values: Columns): Facts => ({columns: values});
const roll: Facts = {owner: "QUISTAD JUNE R", situs: "12 QUILLMERE ST", ...columns({acres: 2})};

describe("each group of facts", () => {
  test.each([
    ["older", older, "QUISTAD JUNE R", inventedSource.id],
    ["as old", built, "HARLOW DALE", layerId],
    ["newer", newer, "HARLOW DALE", layerId],
  ])(
    "of two comes from the later vintage, from the find if they are equal: a find that is %s",
    async (_, vintage, owner, source) => {
      const [row] = await merged([roll], find({owner: "HARLOW DALE"}, vintage));
      expect(row!.members).toMatchObject({
        ownerName: owner,
        address: "12 QUILLMERE ST",
        parcelUid: `${county}-${id}`,
      });
      expect([row!.sourceOf("ownerName"), row!.columns["owner_source"]]).toEqual([source, source]);
      expect(row!.sourceOf("address")).toBe(inventedSource.id);
      expect(row!.hasFound).toBe(source === layerId);
    },
  );

  test("has a vintage of its own, of which the find's wins where it is as old", async () => {
    const groups = {owner: {vintage: built, vintageBasis: "row_date"}} as const;
    const found = find({owner: "HARLOW DALE", situs: "7 ELM ST"}, older, {groups});
    const [row] = await merged([roll], found);
    expect(row!.members).toMatchObject({ownerName: "HARLOW DALE", address: "12 QUILLMERE ST"});
  });

  test("is not known by an empty list or by columns that always have a value", async () => {
    const silent = columns({alt_situs: [], owner_withheld: false, situs_status: "blank", geom_acres: 2});
    const [row] = await merged([roll], find({owner: "HARLOW DALE", ...silent}, newer));
    expect(row!.members).toMatchObject({address: "12 QUILLMERE ST", ownerName: "HARLOW DALE"});
  });

  test("of land goes by the basis of its area, and of the situs by an address, before their age", async () => {
    const deeded = columns({acres: 40, acres_basis: "deeded", situs_status: "numbered"});
    const found = find(columns({acres: 41, acres_basis: "assessed", city: "HOLTBY"}), newer);
    const [row] = await merged([{...roll, ...deeded}], found);
    expect(row!.members).toMatchObject({acres: 40, address: "12 QUILLMERE ST"});
  });

  test("an owner that the county withholds replaces an older one", async () => {
    const withheld = columns({owner_withheld: true});
    const [row] = await merged([roll], find(withheld, newer));
    expect(row!.members).not.toHaveProperty("ownerName");
    const [kept] = await merged([roll], find(withheld, older));
    expect(kept!.members["ownerName"]).toBe("QUISTAD JUNE R");
  });

  test("takes its cleaning codes along, and a stated area is compared with the outline that won", async () => {
    const base = columns({acres: 40, acres_basis: "deeded", geom_acres: 40, flags: ["shared_outline"]});
    const place = {lon: -97.8, lat: 30.2};
    const [row] = await merged(
      [{...roll, ...base, lon: -97.9, lat: 30.1}],
      find({...place, columns: {geom_acres: 50}}, newer),
    );
    expect(row!.members).toMatchObject({flags: ["area_mismatch"], acresComputed: 50, longitude: -97.8});
    expect(row!.placedBy).toBeNull();
    const [placed] = await merged([{...roll, ...base, ...place}], find({owner: "HARLOW DALE"}, newer));
    expect([placed!.members["flags"], placed!.placedBy]).toEqual([["shared_outline"], 0]);
  });
});

describe("the parcel of a find", () => {
  test.each<[string, Facts[], Facts, number[]]>([
    ["has its number", [{}], {}, [0]],
    ["has its number in another print", [{id: "0840-00001-000"}], {id: "84000001000"}, [0]],
    ["lists its number", [{id: "R-9", alt: [id]}], {}, [0]],
    ["is listed by it", [{}], {id: "R-9", alt: [id]}, [0]],
    ["is none that is parted elsewhere", [{id: "1-12"}], {id: "11-2"}, []],
    ["is none of two that are alike", [{id: "143-6"}, {id: "14-36"}], {id: "1436"}, []],
    ["is of its county", [{county: "48041"}], {}, []],
  ])("%s", async (_, parcels, found, rows) => {
    const [row] = await merged(parcels, find(found, newer));
    expect(row!.rows).toEqual(rows);
    expect(row!.members["parcelUid"]).toBe(
      `${county}-${rows.length > 0 ? (parcels[0]!.id ?? id) : (found.id ?? id)}`,
    );
  });

  test("is one where several finds of several sources are that parcel", async () => {
    const provenance = {...find({}, older).provenance, sourceId: "us-tx-other"};
    const other = find({situs: "9 ELM ST"}, newer, {provenance: {...provenance, vintage: newer}});
    const found = [find({owner: "HARLOW DALE"}, newer), {...other, observedAt: "2026-11-20T11:00:00.000Z"}];
    const rows = await merged([roll], ...found);
    expect(
      rows.map(({members, rows, found, record}) => [
        members["ownerName"],
        members["address"],
        rows,
        found.length,
        record.observedAt,
      ]),
    ).toEqual([["HARLOW DALE", "9 ELM ST", [0], 2, "2026-11-20T11:00:00.000Z"]]);
  });
});

test("a table that contradicts the record of a row is not merged, and the next merge is not disturbed", async () => {
  const pool = await poolOf([roll], [find({owner: "HARLOW DALE"}, newer)]);
  const context = {asOf: "2026-11-21", sources: () => undefined};
  const wrong = pool.rows.map((each) => ({...each, facts: Buffer.from('"_id":"1"')}));
  await expect(maker.merge({...pool, ...context, rows: wrong})).rejects.toThrow("contradicts its record");
  const none = pool.rows.map((each) => ({...each, row: 7}));
  await expect(maker.merge({...pool, ...context, rows: none})).rejects.toThrow("0 are in the table");
  expect((await maker.merge({...pool, ...context})).length).toBe(1);
});

test.each<[string, Facts[], Facts, string, number[]]>([
  ["as old", [roll], {owner: "HARLOW DALE"}, built, []],
  ["newer", [roll], {owner: "HARLOW DALE"}, older, []],
  ["older", [roll], {owner: "HARLOW DALE"}, newer, [0]],
  ["absent", [{}], {owner: "HARLOW DALE"}, older, [0]],
  ["of another parcel", [{id: "778-B"}], {}, older, [0]],
])("finds are lost where the facts of the build are %s", async (_, parcels, found, vintage, lost) => {
  using db = await openDatabase();
  expect(await lostFinds(db, await poolOf(parcels, [find(found, vintage)]))).toEqual(lost);
});
