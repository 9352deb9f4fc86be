import {afterAll, beforeAll, expect, test} from "vitest";
import {createFindMaker, type FindMaker} from "../../lib/delta/find-maker.ts";
import type {StateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {recordMembersOf} from "../../lib/parcels/record/stored-record.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import {GrowingView} from "../../server/delta/delta-view.ts";
import {generationOfStates} from "../server/parcels/lookup-fixture.ts";
import {writeState} from "../server/parcels/state-fixture.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {discoveryOf} from "./fake-county.ts";

const maker = createFindMaker();
afterAll(() => maker.close());
let state: StateArtifacts;
beforeAll(async () => {
  const parcels = ["777-B", "778-B"].map((id) => ({county: "48453", id, situs: "12 QUILLMERE ST"}));
  state = await writeState(temporaryFolder(), "TX", {parcels});
});

const finds = ["777-B", "778-B", "900-C"].map((id, i): DeltaUpsert => {
  const {upsert} = discoveryOf({id, owner: "OSGARD MAY"});
  return {...upsert, seq: i + 1, observedAt: "2026-11-20T10:00:00.000Z"};
});

/** A view whose merges fail if they have the row, and the errors that it tells. */
function viewThatCannotMerge(row: number | null) {
  const told: unknown[] = [];
  const merge: FindMaker["merge"] = (task) =>
    row !== null && task.rows.some((each) => each.row === row)
      ? Promise.reject(new Error("the table is damaged"))
      : maker.merge(task);
  const onUnmerged = (error: unknown) => void told.push(String(error));
  return {view: new GrowingView(generationOfStates([state]), {...maker, merge}, {onUnmerged}), told};
}

function addresses(view: GrowingView): unknown[] {
  const [set] = view.sets("TX");
  return finds.map(({key}) => {
    const [hit] = set!.ids.find(key.parcelId.replace("-", ""));
    return hit === undefined ? "none" : recordMembersOf(set!.record(hit.row))["address"];
  });
}

test("finds that cannot be merged are shown alone and told, and the others of their batch are merged", async () => {
  const {view, told} = viewThatCannotMerge(0);
  await view.fold(finds.map((record, i) => ({record, segment: "s", end: i + 1})));
  expect(addresses(view)).toEqual([undefined, "12 QUILLMERE ST", undefined]);
  expect([...(view.beside(state).hidden ?? [])]).toEqual([1]);
  expect(told).toEqual(["Error: the table is damaged"]);
});

test("a preview shows what will be merged with a row, before it is stored, and nothing of the others", async () => {
  const {view, told} = viewThatCannotMerge(null);
  const previews = await view.preview(finds);
  const shown = previews.map((row) => row && recordMembersOf(row.record));
  expect(shown).toEqual([
    expect.objectContaining({address: "12 QUILLMERE ST", ownerName: "OSGARD MAY"}),
    expect.objectContaining({address: "12 QUILLMERE ST", ownerName: "OSGARD MAY"}),
    null,
  ]);
  expect([view.sets("TX"), told]).toEqual([[], []]);
});

test("a preview without a database says nothing, and that it failed is told", async () => {
  const told: unknown[] = [];
  const dead = {...maker, make: () => Promise.reject(new Error("gone"))};
  const onUnmerged = (error: unknown) => void told.push(String(error));
  const view = new GrowingView(generationOfStates([state]), dead, {onUnmerged});
  expect([await view.preview(finds), told]).toEqual([[null, null, null], ["Error: gone"]]);
});

test("what is shown of a find changes with a newer one of its parcel, and goes back to the build's row with none", async () => {
  const {view} = viewThatCannotMerge(null);
  await view.fold([{record: finds[0]!, segment: "s", end: 1}]);
  const {upsert} = discoveryOf({id: "777-B"}, "2020-01-01");
  const older = {...upsert, seq: 2, observedAt: "2026-11-20T11:00:00.000Z"};
  expect([...(view.beside(state).hidden ?? [])]).toEqual([0]);
  await view.fold([{record: older, segment: "s", end: 2}]);
  expect([view.beside(state), view.sets("TX"), [...view.counties()]]).toEqual([state, [], []]);
});
