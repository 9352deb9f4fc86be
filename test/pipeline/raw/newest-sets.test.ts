import {expect, test} from "vitest";
import {newestSets, type RawFile} from "../../../pipeline/raw/raw-files.ts";

const url = "https://county.example/parcels";

/** A page of a pulled layer, or a fetched file, with only what distinguishes versions. */
function version(path: string, changes: Record<string, unknown> = {}): RawFile {
  const [, feedOrEntryId] = path.split("/");
  return {
    ...{
      path,
      feedOrEntryId,
      kind: "parcels",
      retrievedAt: "2026-11-01T00:00:00Z",
      meta: {url, complete: true},
    },
    ...changes,
  } as RawFile;
}
const page = (folder: string, number: number, complete: boolean, retrievedAt: string) =>
  version(`${folder}/page-${number}.json`, {meta: {url, complete}, pull: {folder}, retrievedAt});
const fetched = (day: string, changes = {}) =>
  version(`parcels/us-tx-a/p_202611${day}T000000Z.csv`, {
    retrievedAt: `2026-11-${day}T00:00:00Z`,
    ...changes,
  });
const paths = (files: readonly RawFile[]) => newestSets(files).current.map(({path}) => path);

test("counts a pull as complete only if each page is, so that a broken one does not replace the last complete one", () => {
  const whole = [1, 2].map((n) => page("parcels/us-tx-a/old", n, true, "2026-11-01T00:00:00Z"));
  const broken = [1, 2].map((n) => page("parcels/us-tx-a/new", n, n === 1, "2026-11-02T00:00:00Z"));
  expect(newestSets([...whole, ...broken])).toEqual({
    current: whole,
    replaced: [{path: "parcels/us-tx-a/new", feedOrEntryId: "us-tx-a", by: "parcels/us-tx-a/old"}],
  });
});

test("takes a pull from a corrected address for a newer one of the same layer, once it is complete", () => {
  const pull = (day: string, at: string, complete = true) =>
    version(`parcels/us-tx-a/${day}/page-1.json`, {
      ...{meta: {url: at, complete}, pull: {folder: `parcels/us-tx-a/${day}`}},
      retrievedAt: `2026-11-${day}T00:00:00Z`,
    });
  const old = pull("01", `${url}_for_2026`);
  expect(paths([old, pull("02", `${url}_for_2027`)])).toEqual([pull("02", `${url}_for_2027`).path]);
  expect(paths([old, pull("02", `${url}_for_2027`, false)])).toEqual([old.path]);
});

test("uses the newest of broken pulls until one is complete", () => {
  const [old, young] = ["01", "02"].map((day) =>
    page(`parcels/us-tx-a/${day}`, 1, false, `2026-11-${day}T00:00:00Z`),
  );
  expect(paths([old!, young!])).toEqual([young!.path]);
});

test("uses the newest file fetched from a URL; of two from one second, the one whose path sorts last", () => {
  expect(paths([fetched("03"), fetched("01"), fetched("02")])).toEqual([fetched("03").path]);
  const twins = [fetched("01"), fetched("02", {retrievedAt: "2026-11-01T00:00:00Z"})];
  expect(paths(twins.toReversed())).toEqual([twins[1]!.path]);
});

test("keeps a broken file, rather than as a version of a whole one, so that the build names it", () => {
  const broken = fetched("02", {meta: {url, complete: false}});
  expect(paths([broken])).toEqual([broken.path]);
  expect(paths([fetched("01"), broken])).toEqual([fetched("01").path]);
});

test("uses the newest list of weather alerts, and each edition of a report and of a page of a series", () => {
  const alerts = ["01", "02"].map((day) =>
    version(`market/nws/alerts_TX_202611${day}T000000Z.json`, {
      kind: "market",
      retrievedAt: `2026-11-${day}T00:00:00Z`,
    }),
  );
  const reports = ["01", "02"].map((day) =>
    version(`market/mars/a_202611${day}T000000Z.csv`, {kind: "market", meta: {url}}),
  );
  // Until 1.1.0 pages of a series were marked complete, although rows move from page to page.
  const series = [true, true, false].map((complete, day) =>
    version(`market/diesel/series_2026110${day + 1}T000000Z.json`, {
      ...{kind: "market", meta: {url, complete}},
      retrievedAt: `2026-11-0${day + 1}T00:00:00Z`,
    }),
  );
  const kept = [...reports, ...series];
  expect(paths([...alerts, ...kept])).toEqual([alerts[1]!.path, ...kept.map(({path}) => path)]);
});

test("keeps files of different URLs, names and entries side by side", () => {
  const files = [
    fetched("01"),
    version("parcels/us-tx-a/other_20261101T000000Z.csv"),
    version("parcels/us-tx-b/p_20261101T000000Z.csv"),
    fetched("02", {meta: {url: `${url}/2`, complete: true}}),
    version("parcels/us-tx-a/by-hand.csv"),
    version("parcels/us-tx-a/p_20261103T000000Z.csv", {meta: null}),
  ];
  expect(newestSets(files)).toEqual({current: files, replaced: []});
});
