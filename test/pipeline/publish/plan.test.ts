import {mkdirSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {beforeEach, describe, expect, test} from "vitest";
import {UsageError, UserError} from "../../../lib/errors.ts";
import {type DataFolder, dataFolder} from "../../../lib/storage/data-folder.ts";
import {manifestText} from "../../../lib/storage/manifest-file.ts";
import {type BuildPlan, countryOf, planBuild} from "../../../pipeline/parts/build-plan.ts";
import type {DeltaInputs} from "../../../pipeline/parts/delta-inputs.ts";
import type {BuildOptions} from "../../../pipeline/parts/options.ts";
import type {SourceEntry, Stages} from "../../../pipeline/parts/stages.ts";
import type {RawFile} from "../../../pipeline/raw/raw-files.ts";
import {type Manifest, manifestFormat} from "../../../schemas/manifest.ts";
import {silently} from "../../silently.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const entryOf = (id: string, state: string) => ({id, coverage: {country: "US", state}}) as SourceEntry;
const stages = {
  entries: [entryOf("us-tx-a", "TX"), entryOf("us-ks-a", "KS")],
  marketFeeds: ["mars"],
  codeDigest: (part: string) => `code of ${part}`,
  entryOfPull: (id: string) => (id === "us-ne-x" ? entryOf(id, "NE") : null),
} as unknown as Stages;

const file = (path: string, sha256 = "ab", meta: object | null = null) =>
  ({
    ...{path, kind: path.split("/")[0], feedOrEntryId: path.split("/")[1], sha256, meta},
    ...{retrievedAt: "2026-11-20T00:00:00Z", retrievedAtFrom: "mtime"},
  }) as RawFile;
const [tx, ks, market] = ["parcels/us-tx-a/a", "parcels/us-ks-a/a", "market/mars/a"].map((path) =>
  file(path),
) as [RawFile, RawFile, RawFile];

function deltaOf(state: string, records: number): DeltaInputs {
  const record = {record: {country: "CA"}};
  const states = new Map([[state, {sha256: "d".repeat(64), records: Array(records).fill(record)}]]);
  return {states, counts: [], leftOut: [], unclaimedDamage: [], marksOf: () => []} as unknown as DeltaInputs;
}
const noDelta = {
  states: new Map(),
  counts: [],
  leftOut: [],
  unclaimedDamage: [],
  marksOf: () => [],
} as unknown as DeltaInputs;

let data: DataFolder;
beforeEach(() => {
  data = dataFolder(temporaryFolder());
});

type Asked = Partial<BuildOptions> & {isSound?: boolean};
const plan = (files: RawFile[], {isSound = false, ...changes}: Asked = {}): Promise<BuildPlan> =>
  planBuild(
    {
      ...{
        rawDir: "raw",
        data,
        asOf: "2026-11-21",
        only: null,
        noReuse: false,
        acceptances: [],
        stages,
        delta: noDelta,
      },
      ...{
        allowNetworkFs: false,
        now: () => new Date("2026-11-21T05:00:00Z"),
        step: silently,
        listFiles: async () => files,
      },
      ...changes,
    },
    async () => isSound,
  );
const actions = async (...asked: Parameters<typeof plan>) =>
  (await plan(...asked)).parts.map(({name, action}) => `${name} ${action}`);

/** Publishes a build as planned. */
function publish({buildId, asOf, sample, parts}: BuildPlan, changes: Partial<Manifest> = {}): void {
  const made = {
    status: "built" as const,
    built_in: buildId,
    attempted_inputs_sha256: null,
    held_back_because: null,
    delta: [],
    files: [],
    figures: {},
  };
  const states = parts.flatMap(({name, inputsSha256, entries}) => {
    const sources = entries.map(({id}) => ({id, vintage: null, complete: true}));
    const state = {
      country: "US" as const,
      coverage: "live" as const,
      rows: 1,
      point_count: 0,
      counties: [],
      sources,
      fill: {},
    };
    return name === "MARKET" ? [] : [[name, {...made, inputs_sha256: inputsSha256, ...state}] as const];
  });
  const own = parts.find(({name}) => name === "MARKET");
  const inputs = parts.flatMap(({files}) =>
    files.map(({path}) => ({
      path,
      sha256: "a".repeat(64),
      retrieved_at: "2026-11-20T00:00:00Z",
      retrieved_at_from: "mtime" as const,
    })),
  );
  const manifest: Manifest = {
    ...{
      format: manifestFormat,
      build_id: buildId,
      base_build_id: null,
      earlier_build_id: null,
      code_version: "1",
      as_of_date: asOf,
      built_at: "2026-11-21T05:00:00Z",
    },
    ...{
      sample,
      inputs,
      sources: [],
      gates: [],
      acceptances: [],
      files: [],
      states: Object.fromEntries(states),
    },
    market: own === undefined ? null : {...made, inputs_sha256: own.inputsSha256, rows: {}, sources: []},
    ...changes,
  };
  const dir = join(data.builds, buildId);
  mkdirSync(dir, {recursive: true});
  writeFileSync(join(dir, "manifest.json"), manifestText(manifest));
  rmSync(data.current, {force: true});
  symlinkSync(join("builds", buildId), data.current);
}

describe("the parts of a build", () => {
  test("are the market and the states with files, in order, all new if nothing is published", async () => {
    const made = await plan([tx, market, ks]);
    expect(made.parts.map(({name, action, because, base}) => [name, action, because, base])).toEqual([
      ["MARKET", "build", "new", null],
      ["KS", "build", "new", null],
      ["TX", "build", "new", null],
    ]);
    expect(made).toMatchObject({asOf: "2026-11-21", sample: false, base: null, earlier: null, adopts: false});
    expect(made.buildId).toMatch(/^20261121-[0-9a-f]{6}$/);
    expect(await actions([tx])).toEqual(["TX build"]);
  });

  test("are linked if their inputs are those of the published build, and built if they changed or on request", async () => {
    const first = await plan([tx, ks, market]);
    publish(first);
    const all = ["MARKET", "KS", "TX"];
    expect(await actions([tx, ks, market])).toEqual(all.map((name) => `${name} reuse`));
    // The same build is planned as before, against the build that it was based on (none).
    expect(await actions([tx, ks, market], {isSound: true})).toEqual(all.map((name) => `${name} build`));
    const changed = [file(tx.path, "cd"), ks, market];
    const next = await plan(changed);
    expect(next.parts.map(({name, action}) => [name, action])).toEqual([
      ["MARKET", "reuse"],
      ["KS", "reuse"],
      ["TX", "build"],
    ]);
    expect(next.parts[1]!.because).toContain(first.buildId);
    expect(next.base?.manifest.build_id).toBe(first.buildId);
    expect(await actions(changed, {noReuse: true})).toEqual(["MARKET build", "KS build", "TX build"]);
    expect(await actions(changed, {keepModels: true})).toEqual(["MARKET build", "KS reuse", "TX build"]);
  });

  test("are kept if not requested or without files, and left out if there is none to keep", async () => {
    publish(await plan([tx, ks, market]));
    const changed = [file(tx.path, "cd"), file(ks.path, "cd"), market];
    expect(await actions(changed, {only: ["TX"]})).toEqual(["MARKET keep", "KS keep", "TX build"]);
    expect(await actions(changed, {only: ["MARKET"]})).toEqual(["MARKET reuse", "KS keep", "TX keep"]);
    expect(await actions([market])).toEqual(["MARKET reuse", "KS keep", "TX keep"]);
    expect(await actions([file(ks.path, "cd")])).toEqual(["MARKET keep", "KS build", "TX keep"]);
    rmSync(data.current);
    rmSync(data.builds, {recursive: true});
    expect(await actions([tx, ks, market], {only: ["KS"]})).toEqual(["KS build"]);
  });

  test("are built from discovered parcels alone if they never had files", async () => {
    expect(await actions([tx], {delta: deltaOf("NE", 1)})).toEqual(["NE build", "TX build"]);
    expect(await actions([tx], {delta: deltaOf("NE", 0)})).toEqual(["TX build"]);
    publish(await plan([tx, ks]));
    expect(await actions([ks], {delta: deltaOf("TX", 1)})).toEqual(["KS reuse", "TX keep"]);
    expect(await actions([tx, ks], {delta: deltaOf("TX", 1)})).toEqual(["KS reuse", "TX build"]);
  });

  test("of the market are rebuilt for another day, states are not", async () => {
    publish(await plan([tx, market]));
    expect(await actions([tx, market], {asOf: "2026-11-22"})).toEqual(["MARKET build", "TX reuse"]);
  });
});

test("each part says why it is built or linked, and files of no part are listed by path", async () => {
  const reasons = async (...asked: Parameters<typeof plan>) =>
    (await plan(...asked)).parts.map(({because}) => because);
  const first = await plan([tx, file("parcels/zz/b"), file("parcels/zz/a"), file("market/zz/c")]);
  expect(first.leftOut.map(({path}) => path)).toEqual(["market/zz/c", "parcels/zz/a", "parcels/zz/b"]);
  publish(first);
  const [changed, forced] = [
    await reasons([file(tx.path, "cd")]),
    await reasons([file(tx.path, "cd")], {noReuse: true}),
  ];
  expect(new Set([...(await reasons([tx])), ...changed, ...forced, ...(await reasons([ks]))]).size).toBe(5);
  expect(await reasons([ks, tx])).toEqual(["new", `same inputs as in ${first.buildId}`]);
  const market = {acceptances: [{part: "MARKET", gate: "issue-shrank", reason: "x"}]};
  const digest = async (changes: object) =>
    (await plan([file("market/mars/a")], changes)).parts[0]!.inputsSha256;
  expect(await digest(market)).not.toBe(await digest({}));
});

describe("the id of a build", () => {
  test("depends on inputs, day and acceptances, but not on their order", async () => {
    const idOf = async (...asked: Parameters<typeof plan>) => (await plan(...asked)).buildId;
    const id = await idOf([tx, ks]);
    expect(await idOf([ks, tx])).toBe(id);
    const others = [
      await idOf([tx]),
      await idOf([tx, file(ks.path, "cd")]),
      await idOf([tx, ks], {acceptances: [{part: "TX", gate: "rows", reason: "x"}]}),
      await idOf([tx, ks], {asOf: "2026-11-22"}),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
  });

  test("is reused if its build is sound, else the next id of the same inputs is taken", async () => {
    const {buildId} = await plan([tx]);
    mkdirSync(join(data.builds, buildId), {recursive: true});
    expect(await plan([tx], {isSound: true})).toMatchObject({buildId, adopts: true});
    const other = await plan([tx]);
    expect([other.buildId === buildId, other.buildId.slice(0, 9), other.adopts]).toEqual([
      false,
      "20261121-",
      false,
    ]);
    expect((await plan([tx], {isSound: true, noReuse: true})).buildId).toBe(other.buildId);
    expect((await plan([tx], {isSound: true, keepModels: true})).buildId).toBe(other.buildId);
  });
});

describe("a build is refused", () => {
  test.each<[string, RawFile[], Partial<BuildOptions>, new (...args: never[]) => Error]>([
    ["without any file", [], {}, UserError],
    ["of a state without files", [tx], {only: ["NE"]}, UsageError],
    [
      "of sample and found parcels",
      [file(tx.path, "ab", {sample: true})],
      {delta: deltaOf("KS", 1)},
      UserError,
    ],
    ["of other inputs than are expected", [tx], {expectedDigests: new Map([["TX", "x"]])}, UserError],
  ])("%s", async (_, files, changes, kind) => {
    await expect(plan(files, changes)).rejects.toThrow(kind);
  });

  test("if only one of the published and the new build is a sample", async () => {
    const sample = file(tx.path, "ab", {sample: true});
    publish(await plan([tx]));
    await expect(plan([sample])).rejects.toThrow(UserError);
    publish(await plan([tx]), {sample: true});
    await expect(plan([tx])).rejects.toThrow(UserError);
    expect(await actions([sample])).toEqual(["TX build"]);
  });

  test("but not for discovered parcels alone, or with the expected digests", async () => {
    expect(await actions([], {delta: deltaOf("KS", 1)})).toEqual(["KS build"]);
    const {parts} = await plan([tx]);
    const expectedDigests = new Map([["TX", parts[0]!.inputsSha256]]);
    expect(await actions([tx], {expectedDigests})).toEqual(["TX build"]);
  });
});

test("needs digests of files of the requested parts, and of files with an unknown part", async () => {
  const needed = async (only: string[] | null) => {
    let needs: ((file: never) => boolean) | undefined;
    const listFiles: BuildOptions["listFiles"] = async (needsDigest) => {
      needs = needsDigest as never;
      return [tx, ks, market];
    };
    await plan([], {only, listFiles});
    const pulled = {kind: "parcels", feedOrEntryId: "us-ne-x", pull: {layer: {}}};
    return [tx, ks, market, pulled, {...pulled, unit: "us-ne-z"}].map((each) => needs!(each as never));
  };
  expect(await needed(null)).toEqual([true, true, true, true, true]);
  expect(await needed(["TX"])).toEqual([true, false, false, false, false]);
  expect(await needed(["MARKET", "KS"])).toEqual([false, true, true, false, false]);
});

test("takes a state's country from its entries, else its discovered parcels, else the previous build", () => {
  const found = deltaOf("ON", 1).states.get("ON")!;
  const base = {country: "CA"} as never;
  expect(countryOf({entries: stages.entries as SourceEntry[], delta: found, base})).toBe("US");
  expect(countryOf({entries: [], delta: found, base: null})).toBe("CA");
  expect(countryOf({entries: [], delta: null, base})).toBe("CA");
  expect(countryOf({entries: [], delta: null, base: {} as never})).toBe("US");
});
