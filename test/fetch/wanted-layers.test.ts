import {expect, test} from "vitest";
import {registeredSources, wantedLayers} from "../../pipeline/fetch/known-sources.ts";
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
    failures: 0,
    bytes: 0,
  },
];

test("fetches an entry that shares its id with a cadastre layer once, and the layer if there is no entry", () => {
  const states = new Map([asked("us-ar-statewide"), asked("us-de-kent"), asked("usdm")]);
  const {sources} = wantedLayers({states: new Map()}, states, registeredSources());
  expect(sources.map(({id}) => id)).toEqual(["us-de-kent"]);
});
