import {mkdir, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {type Database, openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {stateServing, stateTablePath} from "../../../lib/storage/build-layout.ts";
import {countyShares, rowsOf, shownSource} from "../../../pipeline/parts/county-shares.ts";
import type {SourceEntry} from "../../../pipeline/parts/stages.ts";
import {stateFigures, stateGates} from "../../../pipeline/parts/state-gates.ts";
import type {ManifestCounty, ManifestFile, StatePart} from "../../../schemas/manifest.ts";
import type {StateStageResult} from "../../../schemas/part-file.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

let db: Database;
let dir: string;
beforeAll(async () => {
  db = await openDatabase({threads: 1});
  dir = temporaryFolder();
  await put("parcel_provenance", "SELECT unnest(['us-tx-one', 'us-tx-two']) AS source_id");
});
afterAll(() => db.close());

async function put(table: "parcels" | "parcel_provenance", rows: string, state = "TX"): Promise<void> {
  const path = join(dir, stateTablePath(table, state));
  await mkdir(dirname(path), {recursive: true});
  await db.run(`COPY (${rows}) TO ${sqlText(path)} (FORMAT parquet)`);
}

/**
 * Presence patterns of up to four of nine facts of a row: fewer rows have a fact than lack it, so that no share equals its
 * complement.
 */
const attributes = ["owner_raw", "situs_raw", "situs_name", "acres", "use_code", "use_description"] as const;
type Row = Record<(typeof attributes)[number] | "category" | "withheld" | "outside", boolean>;
const rows = Array.from({length: 2 ** 9}, (_, bits) =>
  [...attributes, "category", "withheld", "outside"].map(
    (name, i) => [name, (bits & (1 << i)) !== 0] as const,
  ),
)
  .filter((facts) => facts.filter(([, isThere]) => isThere).length <= 4)
  .map((facts) => Object.fromEntries(facts) as Row);
const share = (is: (row: Row) => boolean) => Math.round((rows.filter(is).length / rows.length) * 1e6) / 1e6;

test("the figures of a state equal a count of its rows by county and by each row's leading source", async () => {
  const bit = (i: number) => `(bits & ${1 << i}) <> 0`;
  const values = attributes.map((name, i) => `CASE WHEN ${bit(i)} THEN '1' END AS ${name}`);
  await put(
    "parcels",
    `SELECT '4800' || place AS county_key, 'u' || CASE WHEN bits < 2 THEN 0 ELSE bits END AS parcel_uid, ${values.join(", ")},
      CASE WHEN bits = 7 THEN 'castle' WHEN ${bit(6)} THEN 'agriculture' END AS land_use_category, ${bit(7)} AS owner_withheld,
      CASE WHEN ${bit(8)} THEN ['point_outside', 'x'] ELSE ['x'] END AS flags, place AS prov_default
     FROM range(512) AS b(bits), range(1, 4) AS p(place) WHERE bit_count(bits) <= 4`,
    "OK",
  );
  await put(
    "parcel_provenance",
    "SELECT * FROM (VALUES (1, 'us-ok-one'), (2, 'us-ok-two'), (3, 'us-ok-layer')) AS t(provenance_id, source_id)",
    "OK",
  );
  const figures = await stateFigures(db, dir, {state: "OK", filed: ["us-ok-one", "us-ok-two"]});
  const ofPair = {
    rows: rows.length,
    null_owner: share((row) => !row.owner_raw && !row.withheld),
    null_address: share((row) => !row.situs_raw && !row.situs_name),
    null_acres: share((row) => !row.acres),
    null_use: share((row) => !row.use_code && !row.use_description),
    // Row 7 has a category that the last gate does not count as one.
    unmapped_use: share((row) => !row.category && (row.use_code || row.use_description)),
  };
  const pairs = ["48001:us-ok-one", "48002:us-ok-two"].flatMap((pair) =>
    Object.entries(ofPair).map(([name, figure]) => [`${name}:${pair}`, figure] as const),
  );
  expect(figures).toEqual({
    rows: 3 * rows.length,
    duplicates: 3,
    outside_county: expect.closeTo(
      share((row) => row.outside),
      5,
    ),
    wrong_category: 3,
    ...Object.fromEntries(pairs),
  });
  expect(await stateFigures(db, dir, {state: "OK", filed: []})).not.toHaveProperty("rows:48001:us-ok-one");
});

const county = (key: string, count: number, more: Partial<ManifestCounty> = {}): ManifestCounty => ({
  ...{county_key: key, county_name: `County ${key}`, rows: count, complete: true, vintage: null},
  sources: ["us-tx-one"],
  ...more,
});
const part = (counties: ManifestCounty[], figures: Record<string, number> = {}) =>
  ({counties, figures, rows: counties.reduce((sum, each) => sum + each.rows, 0)}) as StatePart;
const entry = (id: string, more: Partial<SourceEntry> = {}): SourceEntry => ({
  ...{id, name: id, licence: "CC0-1.0", coverage: {country: "US", state: "TX"}},
  ...more,
});
const read = (unit: string, path: string, counties?: string[]) =>
  ({unit, path: `parcels/${unit}/${path}`, ...(counties && {counties})}) as StateStageResult["files"][number];

type Case = {
  counties?: ManifestCounty[];
  base?: StatePart | null;
  figures?: Record<string, number>;
  made?: Partial<StateStageResult>;
  files?: Record<string, number>;
  entries?: SourceEntry[];
};

/** Gates that did not pass or were not skipped, with their messages, for a state that is valid except for a case's changes. */
async function judged({counties = [county("48001", 1000)], base = null, ...changes}: Case) {
  const {entries = [entry("us-tx-one"), entry("us-tx-two")], figures = {}} = changes;
  const {rows: count} = part(counties);
  const made = {
    files: [read("us-tx-one", "a.csv")],
    rows: count,
    pointCount: 900,
    counties,
    sources: [],
    fill: {},
  };
  const written = {"columns.arrow": count, "records.arrow": count, "parcels.flatbush": 900, ...changes.files};
  const files = Object.entries(written).map(
    ([name, of]) => ({path: `${stateServing("TX")}/${name}`, rows: of}) as ManifestFile,
  );
  const sound = {rows: count, duplicates: 0, outside_county: 0, wrong_category: 0};
  const staged = {state: "TX", dir, made: {...made, ...changes.made}, files, entries, base};
  const results = await stateGates(db, staged, {...sound, ...figures});
  expect(results.every((result) => result.part === "TX")).toBe(true);
  return results
    .filter(({status}) => status !== "pass")
    .map(({gate, status, figure, detail}) => [
      gate,
      status,
      figure ?? detail,
      ...(figure === null ? [] : [detail]),
    ]);
}

describe("the gates of a state", () => {
  test("pass a valid state, and compare a first one with nothing", async () => {
    expect(await judged({})).toEqual(
      ["rows", "county-rows", "county-growth", "null-share", "unmapped-use"].map((gate) => [
        ...[gate, "skipped", "first build of this state"],
      ]),
    );
    expect(await judged({base: part([county("48001", 1000)])})).toEqual([
      ["null-share", "skipped", "no county has enough rows of a source that was there before"],
      ["unmapped-use", "skipped", "no county has enough rows of a source that was there before"],
    ]);
  });

  const ofFaults: [string, Case, unknown[]][] = [
    ["a key that comes twice", {figures: {duplicates: 1}}, ["duplicates", "fail", 1, "keys that come twice"]],
    ["a land use that is none", {figures: {wrong_category: 2}}, ["land-use-values", "fail", 2, null]],
    ["few points outside", {figures: {outside_county: 0.002}}, ["outside-county", "warn", 0.002, null]],
    ["many points outside", {figures: {outside_county: 0.051}}, ["outside-county", "fail", 0.051, null]],
    [
      "files and a table of other lengths",
      {figures: {rows: 999}, files: {"columns.arrow": 998, "parcels.flatbush": 899}},
      [
        ...["read-back", "fail", 3],
        "parcels.parquet: 999 rows, expected 1000; columns.arrow: 998 rows, expected 1000; parcels.flatbush: 899 rows, expected 900",
      ],
    ],
    [
      "records that are not there and counties that do not add up",
      {files: {"records.arrow": 0}, made: {counties: [county("48001", 400), county("48003", 500)]}},
      [
        ...["read-back", "fail", 2],
        "records.arrow: 0 rows, expected 1000; counties: 900 rows, expected 1000",
      ],
    ],
    ["no rows at all", {counties: [], made: {pointCount: 0}}, ["read-back", "fail", 1, "no rows"]],
    [
      "rows of a source without a licence, and of one that is not registered",
      {entries: [entry("us-tx-one", {licence: ""})]},
      ["sources-registered", "fail", 2, "us-tx-one, us-tx-two"],
    ],
  ];
  test.each(ofFaults)("stop at %s", async (_, changes, expected) => {
    const found = await judged(changes);
    expect(found.filter(([, status]) => status !== "skipped")).toEqual([expected]);
  });

  test("stop at points without a row that has one", async () => {
    const path = join(dir, stateServing("TX"), "parcels.flatbush");
    expect(await judged({made: {pointCount: 0}})).toHaveLength(5);
    await mkdir(dirname(path), {recursive: true});
    await writeFile(path, "");
    const [fault] = await judged({made: {pointCount: 0}});
    expect(fault).toEqual(["read-back", "fail", 1, "parcels.flatbush without points"]);
  });

  const before = [county("48001", 10_000), county("48003", 1000), county("48005", 100)];
  const ofLosses: [string, ManifestCounty[], Case, unknown[][]][] = [
    ["half a percent of the state", [county("48001", 9945), ...before.slice(1)], {}, []],
    [
      "more than that",
      [county("48001", 9944), ...before.slice(1)],
      {},
      [["rows", "warn", 0.005045, "11100 rows before, 11044 now; 48001 County 48001 lost 56"]],
    ],
    [
      "two counties in part and one whole",
      [county("48001", 9000), county("48003", 899)],
      {},
      [
        [
          ...["rows", "fail", 0.108198],
          "11100 rows before, 9899 now; 48001 County 48001 lost 1000; 48003 County 48003 lost 101; 48005 County 48005 lost 100",
        ],
        [
          ...["county-rows", "fail", 1],
          "48005 County 48005, 100 rows before, 0 now; us-tx-one (parcels/us-tx-one/a.csv)",
        ],
      ],
    ],
    [
      "a tenth of a county",
      [county("48001", 10_000), county("48003", 900), county("48005", 100)],
      {},
      [
        ["rows", "warn", 0.009009, "11100 rows before, 11000 now; 48003 County 48003 lost 100"],
        [
          ...["county-rows", "warn", 0.1],
          "48003 County 48003, 1000 rows before, 900 now; us-tx-one (parcels/us-tx-one/a.csv)",
        ],
      ],
    ],
    [
      "more of a county than its source allows",
      [county("48001", 10_000), county("48003", 989), county("48005", 100)],
      {entries: [entry("us-tx-one", {accept: {maxDropShare: 0.01}}), entry("us-tx-two")]},
      [
        [
          ...["county-rows", "fail", 0.011],
          "48003 County 48003, 1000 rows before, 989 now; us-tx-one (parcels/us-tx-one/a.csv)",
        ],
      ],
    ],
  ];
  test.each(ofLosses)("measure the loss of %s", async (_, counties, changes, expected) => {
    const found = await judged({counties, base: part(before), ...changes});
    expect(found.filter(([, status]) => status !== "skipped")).toEqual(expected);
  });

  test("measure the growth of the fastest-growing county, without the rows of a new source", async () => {
    const grown = (more: Partial<ManifestCounty>[], figures = {}) =>
      judged({
        base: part([county("48001", 1000), county("48003", 1000, more[0])]),
        counties: [county("48001", 1100), county("48003", 1600, more[1])],
        figures,
      });
    const growth = (found: unknown[][]) => found.find(([gate]) => gate === "county-growth");
    expect(growth(await grown([]))).toEqual([
      ...["county-growth", "fail", 0.6],
      "48003 County 48003, 1000 rows before, 1600 now; us-tx-one (parcels/us-tx-one/a.csv)",
    ]);
    // An extract may grow to the complete county; the other county is at the threshold.
    expect(growth(await grown([{complete: false}]))).toBeUndefined();
    const joined = [{}, {sources: ["us-tx-one", "us-tx-two"]}];
    expect(growth(await grown(joined, {"rows:48003:us-tx-two": 450}))).toEqual([
      ...["county-growth", "warn", 0.15],
      "48003 County 48003, 1000 rows before, 1150 now; us-tx-one (parcels/us-tx-one/a.csv)",
    ]);
    expect(growth(await grown(joined, {"rows:48003:us-tx-two": 600}))).toBeUndefined();
  });
});

describe("the shares of a county and source", () => {
  const pair = "48001:us-tx-one";
  const figuresOf = (more: Record<string, number>, count = 100, of = pair) => ({
    [`rows:${of}`]: count,
    ...Object.fromEntries(
      ["null_owner", "null_address", "null_acres", "null_use", "unmapped_use"].map((name) => [
        ...[`${name}:${of}`, more[name] ?? 0],
      ]),
    ),
  });
  const compared = (now: object, was: object, entries = [entry("us-tx-one")]) =>
    countyShares(
      {state: "TX", made: {files: [read("us-tx-one", "a.csv")]}, base: part([], {...was}), entries},
      {...now},
    ).map(({gate, status, figure, detail}) => [gate, status, figure, detail]);
  const same = [
    ["null-share", "pass", 0, null],
    ["unmapped-use", "pass", 0, null],
  ];
  const told = "county 48001, us-tx-one (parcels/us-tx-one/a.csv)";

  test("are judged by the largest increase, naming county, files and both shares", () => {
    const was = figuresOf({null_owner: 0.1, null_acres: 0.05, unmapped_use: 0.001});
    expect(compared(was, was)).toEqual(same);
    expect(compared(figuresOf({null_use: 0.02}), was)[0]).toEqual(["null-share", "pass", 0.02, null]);
    expect(compared(figuresOf({null_owner: 0.13, null_acres: 0.2, unmapped_use: 0.0531}), was)).toEqual([
      ["null-share", "fail", 0.15, `${told}: rows without an acreage went from 5 % to 20 %`],
      [
        "unmapped-use",
        "fail",
        0.0521,
        `${told}: rows whose use code no table knows went from 0.1 % to 5.3 %`,
      ],
    ]);
    expect(compared(figuresOf({null_use: 0.09, unmapped_use: 0.04}), was)).toEqual([
      ["null-share", "warn", 0.09, `${told}: rows without a land use went from 0 % to 9 %`],
      ["unmapped-use", "warn", 0.039, `${told}: rows whose use code no table knows went from 0.1 % to 4 %`],
    ]);
    expect(compared(figuresOf({null_address: 0.03}), was)[0]).toEqual([
      ...["null-share", "warn", 0.03, `${told}: rows without an address went from 0 % to 3 %`],
    ]);
  });

  test("are compared only with twenty rows before and now, for a source that existed before", () => {
    const lost = {null_acres: 1};
    const statuses = (now: object, was: object) => compared(now, was).map(([, status]) => status);
    expect(statuses(figuresOf(lost, 20), figuresOf({}, 20))).toEqual(["fail", "pass"]);
    for (const [now, was] of [
      [19, 20],
      [20, 19],
    ] as const)
      expect(statuses(figuresOf(lost, now), figuresOf({}, was))).toEqual(["skipped", "skipped"]);
    expect(statuses(figuresOf(lost, 100, "48003:us-tx-one"), figuresOf({}))).toEqual(["skipped", "skipped"]);
  });

  test("ignore a column that no row had, and owners withheld by their terms", () => {
    expect(compared(figuresOf({null_owner: 1}), figuresOf({null_owner: 1}))).toEqual(same);
    const owners = figuresOf({null_owner: 0.9, unmapped_use: 0.9});
    const withheld = [
      {terms: {store: true, redistributeOwners: false, bulk: true} as SourceEntry["terms"]},
      {owners: {published: false} as SourceEntry["owners"]},
    ];
    for (const more of withheld)
      expect(compared(owners, figuresOf({}), [entry("us-tx-one", more)]).map(([, status]) => status)).toEqual(
        [...["pass", "fail"]],
      );
    expect(compared(owners, figuresOf({}))[0]![1]).toBe("fail");
  });

  test("adds rows of several sources of a county, and shows at most three files of a source", () => {
    expect(rowsOf({"rows:48001:a": 3, "rows:48001:b": 4, "rows:48003:a": 9}, "48001", ["a", "b", "c"])).toBe(
      7,
    );
    const files = [1, 2, 3, 4, 5].map((n) => read("us-tx-one", `${n}.csv`, n === 2 ? ["48003"] : ["48001"]));
    const shown = (source: string, key: string, of = files) => shownSource(of, {county: key, source});
    expect(shown("us-tx-one", "48001")).toBe(
      "us-tx-one (parcels/us-tx-one/1.csv, parcels/us-tx-one/3.csv, parcels/us-tx-one/4.csv and 1 more)",
    );
    expect(shown("us-tx-one", "48003")).toBe("us-tx-one (parcels/us-tx-one/2.csv)");
    expect(shown("us-tx-one", "48001", files.slice(0, 4))).not.toContain("more");
    expect(shown("us-tx-two", "48001")).toBe("us-tx-two (no file with rows of this county)");
  });
});
