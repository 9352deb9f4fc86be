import {expect, test} from "vitest";
import {registeredSources, wantedLayers} from "../../pipeline/fetch/jobs/known-sources.ts";
import type {FetchState} from "../../schemas/fetch-state.ts";

const asked = (source: string): [string, FetchState] => [
  source,
  {
    source,
    last_asked: "2026-11-20T05:30:00.000Z",
    last_good: null,
    last_new: null,
    status: "failed",
    reason: "x",
    losses: [],
    failures: 0,
    nights_without_progress: 0,
    bytes: 0,
  },
];

test("fetches an entry that shares its id with a cadastre layer once, and the layer if there is no entry", () => {
  const states = new Map([asked("us-ar-statewide"), asked("us-de-kent"), asked("usdm")]);
  const {sources} = wantedLayers({states: new Map()}, states, registeredSources());
  expect(sources.map(({id}) => id)).toEqual(["us-de-kent"]);
});

test("a source of the registry that was asked before is wanted for that no more than one that never was: CATTLE_FETCH_STATES holds for it", () => {
  const states = new Map([asked("us-ar-statewide"), asked("us-de-kent")]);
  const {reasons} = wantedLayers({states: new Map()}, states, registeredSources());
  expect([...reasons]).toEqual([["us-de-kent", "asked before"]]);
});
