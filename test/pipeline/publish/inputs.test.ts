import {describe, expect, test} from "vitest";
import {UserError} from "../../../lib/errors.ts";
import {marketDigest, sortInputs, stateDay, stateDigest} from "../../../pipeline/parts/inputs.ts";
import type {SourceEntry, Stages} from "../../../pipeline/parts/stages.ts";
import type {RawFile} from "../../../pipeline/raw/raw-files.ts";

const entryOf = (id: string, state: string) => ({id, coverage: {country: "US", state}}) as SourceEntry;
const entries = [entryOf("us-tx-a", "TX"), entryOf("us-tx-b", "TX"), entryOf("us-ks-a", "KS")];
const stages = {entries, marketFeeds: ["mars"]} as unknown as Stages;
const asOf = "2026-11-21";

function file(path: string, changes: Partial<RawFile> = {}): RawFile {
  const [kind, feedOrEntryId] = path.split("/");
  return {
    ...{
      path,
      kind,
      feedOrEntryId,
      sha256: "ab",
      meta: null,
      retrievedAt: "2026-11-20T00:00:00Z",
      retrievedAtFrom: "mtime",
    },
    ...changes,
  } as RawFile;
}
const fault = {fault: "cannot be read", sha256: ""};
/** The files of each part, and the status of each file without a part. */
function sorted(files: RawFile[], by: Stages = stages) {
  const {market, states, leftOut, sample} = sortInputs(files, asOf, by);
  const pathsOf = (all: readonly RawFile[]) => all.map(({path}) => path);
  const parts = [...states].map(([state, of]) => [state, of.entries.map(({id}) => id), pathsOf(of.files)]);
  return {market: pathsOf(market), parts, leftOut: leftOut.map(({path, status}) => [path, status]), sample};
}

describe("the raw files of a build", () => {
  test("belong to the market, to the state of their entry, or, without feed or entry, to nothing", () => {
    const paths = [
      "market/mars/a",
      "market/gone/a",
      "parcels/us-ks-a/a",
      "parcels/us-tx-b/a",
      "parcels/us-tx-a/a",
      "parcels/us-tx-b/b",
      "parcels/mars/a",
    ];
    expect(sorted(paths.map((path) => file(path)))).toEqual({
      market: ["market/mars/a"],
      parts: [
        ["KS", ["us-ks-a"], ["parcels/us-ks-a/a"]],
        ["TX", ["us-tx-b", "us-tx-a"], ["parcels/us-tx-b/a", "parcels/us-tx-a/a", "parcels/us-tx-b/b"]],
      ],
      leftOut: [
        ["market/gone/a", "no_reader"],
        ["parcels/mars/a", "no_reader"],
      ],
      sample: false,
    });
  });

  test.each<[string, Partial<RawFile>, string | null]>([
    ["fetched on the as-of date", {retrievedAt: "2026-11-21T23:59:59Z", retrievedAtFrom: "meta"}, null],
    ["fetched after it", {retrievedAt: "2026-11-22T00:00:00Z", retrievedAtFrom: "meta"}, "left_out"],
    ["that is newer by its own time alone", {retrievedAt: "2026-11-22T00:00:00Z"}, null],
    ["of the bytes that its meta says", {meta: {sha256: "ab"} as never}, null],
    ["of other bytes", {meta: {sha256: "cd"} as never}, "failed"],
    ["whose meta says no digest", {meta: {} as never}, null],
    ["that cannot be read", {...fault, meta: {sha256: "cd"} as never}, null],
  ])("may be excluded: one %s", (_, changes, status) => {
    const {market, leftOut} = sorted([file("market/mars/a", changes)]);
    expect([market.length, leftOut[0]?.[1] ?? null]).toEqual([status === null ? 1 : 0, status]);
  });

  test("from one URL are versions, and the newest counts", () => {
    const fetched = (day: string) =>
      file(`parcels/us-tx-a/p_202611${day}T000000Z.csv`, {
        ...{
          meta: {url: "https://county.example/p", complete: true} as never,
          retrievedAt: `2026-11-${day}T00:00:00Z`,
        },
      });
    const {parts, leftOut} = sorted([fetched("01"), fetched("02")]);
    expect([parts[0]![2], leftOut]).toEqual([[fetched("02").path], [[fetched("01").path, "left_out"]]]);
  });

  test("are all of a sample or all real; an unreadable file is neither", () => {
    const sample = file("market/mars/a", {meta: {sample: true} as never});
    const real = file("parcels/us-tx-a/a", {meta: {} as never});
    expect([sorted([sample]).sample, sorted([real]).sample, sorted([]).sample]).toEqual([true, false, false]);
    expect(sorted([sample, {...real, ...fault}]).sample).toBe(true);
    expect(() => sorted([sample, real])).toThrow(UserError);
    expect(() => sorted([sample, file("parcels/us-tx-a/a")])).toThrow(UserError);
  });

  test("of a pulled layer without an entry are read by the entry of its newest pull, or refused for one reason", () => {
    const page = (feedOrEntryId: string, name: string) =>
      file(`parcels/${feedOrEntryId}/${name}`, {pull: {folder: name, layer: {name}} as never});
    const by = {
      ...stages,
      entryOfPull: (id: string, layer: {name: string}) =>
        id === "us-ne-x" ? entryOf(id, layer.name) : id === "us-ne-y" ? `no id in ${layer.name}` : null,
    } as unknown as Stages;
    const files = [
      page("us-ne-x", "NE"),
      page("us-ne-x", "SD"),
      page("us-ne-y", "a"),
      page("us-ne-z", "a"),
      file("parcels/us-ne-q/a"),
      page("us-tx-a", "a"),
    ];
    const {parts, leftOut} = sorted(files, by);
    expect(parts).toEqual([
      ["SD", ["us-ne-x"], [files[0]!.path, files[1]!.path]],
      ["TX", ["us-tx-a"], [files[5]!.path]],
    ]);
    expect(leftOut).toEqual([
      [files[2]!.path, "failed"],
      [files[3]!.path, "no_reader"],
      [files[4]!.path, "no_reader"],
    ]);
    expect(sorted([files[0]!]).leftOut).toEqual([[files[0]!.path, "no_reader"]]);
  });
});

test("dates a state by its newest readable file, but never after the as-of date", () => {
  const of = (...days: string[]) =>
    stateDay(
      days.map((day) => file("parcels/a/a", {retrievedAt: `${day}T05:00:00Z`})),
      asOf,
    );
  expect([of("2026-11-02", "2026-11-10", "2026-11-09"), of("2026-11-22"), of("2026-11-21"), of()]).toEqual([
    "2026-11-10",
    asOf,
    asOf,
    asOf,
  ]);
  expect(stateDay([file("a/b", {...fault, retrievedAt: "2026-11-01T00:00:00Z"})], asOf)).toBe(asOf);
});

describe("the digest of a part", () => {
  const facts = {code: "c", asOf, delta: null};
  const one = file("parcels/us-tx-a/a", {meta: {url: "u", verified_at: "2026-11-20T00:00:00Z"} as never});
  const state = (files: readonly RawFile[] = [one], changes: object = {}, of = entries) =>
    stateDigest(of, files, {...facts, ...changes});

  test("of a state is unchanged by another night or a re-read of the same bytes", () => {
    expect(state([{...one, meta: {url: "u", verified_at: "2026-11-21T00:00:00Z"} as never}])).toBe(state());
    expect(state([one], {asOf: "2026-11-22"})).toBe(state());
    expect(state([one], {accepted: []})).toBe(state());
  });

  test.each<[string, string]>([
    ["bytes", state([{...one, sha256: "cd"}])],
    ["name", state([{...one, path: "parcels/us-tx-a/b"}])],
    ["address", state([{...one, meta: {url: "v"} as never}])],
    ["time", state([{...one, retrievedAt: "2026-11-20T00:00:01Z"}])],
    ["fault", state([{...one, fault: "x"}])],
    ["files", state([])],
    ["entries", state([one], {}, entries.slice(1))],
    ["program", state([one], {code: "d"})],
    ["found parcels", state([one], {delta: "d"})],
    ["acceptances", state([one], {accepted: ["min_rows"]})],
    ["day", state([one], {asOf: "2026-11-19"})],
  ])("of a state changes with its %s", (_, digest) => {
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(digest).not.toBe(state());
  });

  test("of the market changes with the as-of date, the earlier build, looks at files and what is licensed", () => {
    const base = {code: "c", asOf, earlierBuildId: null, futuresLicensed: false};
    const changes = [
      {},
      {asOf: "2026-11-22"},
      {earlierBuildId: "b"},
      {futuresLicensed: true},
      {acceptShrunk: true as const},
      {code: "d"},
    ];
    const digests = changes.map((change) => marketDigest([one], {...base, ...change}));
    const looked = marketDigest([{...one, meta: {url: "u"} as never}], base);
    expect(new Set([...digests, looked, state([one])]).size).toBe(changes.length + 2);
  });
});
