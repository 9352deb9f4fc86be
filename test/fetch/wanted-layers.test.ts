import {mkdirSync, writeFileSync} from "node:fs";
import {expect, test} from "vitest";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import {fetchPlan} from "../../pipeline/commands/fetch-command.ts";
import {registeredSources, wantedLayers} from "../../pipeline/fetch/jobs/known-sources.ts";
import type {FetchState} from "../../schemas/fetch-state.ts";
import {temporaryFolder} from "../temporary-folder.ts";

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

test("found parcels that cannot be read stop no fetching", async () => {
  const data = dataFolder(temporaryFolder());
  mkdirSync(data.root, {recursive: true});
  writeFileSync(data.delta, "a file in place of the folder of segments");
  expect((await fetchPlan(data)).length).toBe(registeredSources().length);
});
