import {beforeAll, expect, it} from "vitest";
import type {StateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import {noCadastre} from "../../../server/parcels/cadastre-port.ts";
import {listAnswer, notAsked} from "../../../server/parcels/list-answer.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {generationOfStates} from "./lookup-fixture.ts";
import {inventedSources, writeState} from "./state-fixture.ts";

let tx: StateArtifacts;

beforeAll(async () => {
  tx = await writeState(temporaryFolder(), "TX", {parcels: [{county: "48453", id: "1"}]});
});

/** The paging of one page of a hit. */
const pageOf = (offset: number, total: number) => {
  const {body} = listAnswer(
    {
      call: {generation: generationOfStates([tx]), ignored: [], oldBuild: false} as never,
      ...{query: {applied: {}, resolution: {}}, page: {offset, limit: 10, reduced: false}, total},
      ...{hits: [{set: tx, row: 0, members: {}}], unclassified: null, coverage: [], states: []},
      ...{openRange: {parcels: 0, acres: 0, included: false} as never, lookup: notAsked},
      ...{metadata: {}, limitations: []},
    },
    {cadastre: noCadastre, sources: inventedSources} as never,
  );
  const {nextOffset, limitations} = JSON.parse(String(body)).metadata;
  return [
    nextOffset,
    limitations.filter((sentence: string) => sentence.includes("narrow the search")).length,
  ];
};

it("leads to no page that is refused, and says so where there are more hits", () => {
  expect(pageOf(0, 2)).toEqual([1, 0]);
  expect(pageOf(9_989, 20_000)).toEqual([9_990, 0]);
  expect(pageOf(9_990, 20_000)).toEqual([null, 1]);
  expect(pageOf(9_990, 9_991)).toEqual([null, 0]);
});
