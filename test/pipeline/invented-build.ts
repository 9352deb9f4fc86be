import type {BuildPlan, PlannedPart} from "../../pipeline/parts/build-plan.ts";
import {judge, skipped} from "../../pipeline/parts/gate.ts";
import type {PartOutcome} from "../../pipeline/parts/part-outcome.ts";
import type {Published} from "../../pipeline/parts/published-builds.ts";
import type {BuildResult} from "../../pipeline/publish/build.ts";
import type {RawFile} from "../../pipeline/raw/raw-files.ts";
import {type FileReport, fileWithoutRows} from "../../schemas/build-report.ts";
import type {ManifestCounty, MarketPart, StatePart} from "../../schemas/manifest.ts";

// A build of four parts, one of each kind: the market is linked because it was not requested, one state was built, one is held
// back with the rows of the previous build, and one has nothing to fall back on. It never existed on disk.

const sha256 = (letter: string) => letter.repeat(64);

const completeness = {owner: 0.99, address: 1, point: 0.97, use: 0.5, value: 0};

function county(key: string, rows: number, more: Partial<ManifestCounty> = {}): ManifestCounty {
  const known = {county_name: `County ${key}`, complete: true, vintage: "2026-05-01", sources: ["us-az-one"]};
  return {
    county_key: key,
    rows,
    ...known,
    fill: {parcel_id: 1, owner_name: 0.996, acres: 0.004},
    completeness,
    ...more,
  };
}

const partFacts = {
  ...{status: "built" as const, built_in: "20260823-aaaaaa", inputs_sha256: sha256("a")},
  ...{attempted_inputs_sha256: null, held_back_because: null, delta: [], files: []},
};

const arizona: StatePart = {
  ...partFacts,
  ...{country: "US", coverage: "live", rows: 12_345, point_count: 12_000},
  counties: [
    county("04013", 12_000),
    county("04019", 345, {
      complete: false,
      vintage: null,
      places: ["Tucson"],
      sources: ["us-az-one", "us-az-two"],
    }),
  ],
  sources: [
    {id: "us-az-one", vintage: "2026-05-01", complete: true},
    {id: "us-az-two", vintage: "2025-12-31", complete: false},
    {id: "us-az-layer", vintage: null, complete: false},
  ],
  fill: {parcel_id: 1, owner_name: 0.996, acres: 0.25, lon: 0},
  figures: {rows: 12_345},
};

const utah: StatePart = {
  ...partFacts,
  ...{status: "held_back", built_in: "20260801-bbbbbb", attempted_inputs_sha256: sha256("c")},
  held_back_because: "UT rows: 0.6 (fails above 0.02)",
  ...{country: "US", coverage: "partial", rows: 50, point_count: 0},
  counties: [{...county("49011", 50, {complete: false, sources: ["us-ut-one"]}), fill: {}}],
  sources: [{id: "us-ut-one", vintage: null, complete: false}],
  ...{fill: {}, figures: {}},
};

const market: MarketPart = {
  ...partFacts,
  status: "reused",
  rows: {price_rows: 900, barns: 5},
  sources: [
    {id: "mars", source_date: "2026-08-20", retrieved_at: "2026-08-21T05:00:00Z"},
    {id: "usdm", source_date: "2026-08-11", retrieved_at: "2026-08-21T05:00:00Z"},
    {id: "nass", source_date: null, retrieved_at: null},
  ],
  figures: {},
};

function file(path: string, more: Partial<RawFile> = {}): RawFile {
  const [kind, feedOrEntryId] = path.split("/") as ["market" | "parcels", string];
  const origin = {retrievedAt: "2026-08-21T05:00:00Z", retrievedAtFrom: "meta", meta: null} as const;
  return {
    path,
    absolutePath: `/raw/${path}`,
    kind,
    feedOrEntryId,
    sizeBytes: 1500,
    sha256: sha256("f"),
    ...origin,
    ...more,
  };
}

const planned = (name: string, more: Partial<PlannedPart> = {}): PlannedPart => ({
  ...{
    name,
    action: "build",
    because: "files changed",
    files: [],
    entries: [],
    delta: null,
    marks: [],
    base: null,
  },
  ...{inputsSha256: sha256("a"), digestOf: () => sha256("a")},
  ...more,
});

const read = (path: string, counts: Partial<FileReport>): FileReport => ({
  ...fileWithoutRows(path, path.split("/")[1]!, "read", null),
  ...counts,
});

const files = {
  market: [
    file("market/mars/a.json"),
    file("market/nass/b.csv", {sha256: "", fault: "market/nass/b.csv: cannot be read"}),
  ],
  arizona: [
    file("parcels/us-az-two/b.csv", {retrievedAt: "2026-08-22T00:00:00Z"}),
    file("parcels/us-az-one/a.csv", {retrievedAtFrom: "assumed"}),
  ],
  utah: [file("parcels/us-ut-one/a.csv")],
};

const outcomes: PartOutcome[] = [
  {
    planned: planned("MARKET", {action: "reuse", because: "same inputs", files: files.market, base: market}),
    part: market,
    reports: [
      read("market/mars/a.json", {
        rowsIn: 1000,
        accepted: 900,
        rejected: {not_cattle: 60, unknown_class: 39},
        merged: 1,
      }),
      read("market/mars/b.json", {
        status: "failed",
        reason: `market/mars/b.json: no JSON:\n ${"long ".repeat(60)}end`,
      }),
    ],
    gates: [
      judge("MARKET", "source-age", 3, {warnAt: 2, failAt: null, detail: "mars is 3 days old"}),
      skipped("MARKET", "price-drift", "first build of the market"),
    ],
    heldBack: null,
    models: [
      {
        ...{name: "raw_rows", file: "pipeline/market/staging/staged-models.ts", kind: "input", reads: []},
        ...{rows: 1000, sql: null},
      },
      {
        ...{name: "cells", file: "pipeline/market/normalise/cell-rows.ts", kind: "view", reads: ["raw_rows"]},
        ...{rows: null, sql: "SELECT * FROM raw_rows WHERE head < 9"},
      },
    ],
  },
  {
    planned: planned("AZ", {files: files.arizona, because: "first build", base: {...arizona, rows: 12_400}}),
    part: arizona,
    reports: [
      read("parcels/us-az-one/a.csv", {
        rowsIn: 12_500,
        accepted: 12_345,
        rejected: {no_id: 155},
        notes: {point_outside: 3},
      }),
      read("parcels/us-az-two/b.csv", {
        rowsIn: 9,
        accepted: 8,
        merged: 1,
        reason: "county 04019: <one> column is not there",
      }),
    ],
    gates: [
      judge("AZ", "rows", 0.0044, {warnAt: 0.005, failAt: 0.02}),
      {
        ...judge("AZ", "null-share", 0.3, {warnAt: 0.02, failAt: 0.1, detail: "county 04013"}),
        status: "accepted",
      },
    ],
    heldBack: null,
    models: [],
  },
  {
    planned: planned("UT", {files: files.utah, base: utah}),
    part: utah,
    reports: [read("parcels/us-ut-one/a.csv", {rowsIn: 20, accepted: 20})],
    gates: [
      judge("UT", "rows", 0.6, {warnAt: 0.005, failAt: 0.02, detail: "50 rows before, 20 now"}),
      judge("UT", "duplicates", 2, {warnAt: null, failAt: 0, detail: "keys that come twice"}),
    ],
    heldBack: "UT rows: 0.6 (fails above 0.02)\nand more",
    models: [],
  },
  {
    planned: planned("NV", {action: "keep", because: "no raw files any more"}),
    part: null,
    reports: [],
    gates: [],
    heldBack: "no raw files any more",
    models: [],
  },
];

const leftOut = [
  read("parcels/us-zz-none/x.csv", {
    status: "no_reader",
    reason: "no entry data/sources/parcels/us-zz-none.json",
  }),
  read("parcels/us-az-one/old.csv", {status: "left_out", reason: "replaced by parcels/us-az-one/a.csv"}),
];

const base = {
  dir: "/builds/20260801-bbbbbb",
  manifest: {
    build_id: "20260801-bbbbbb",
    inputs: ["market/mars/a.json", "parcels/us-ut-one/old.csv", "parcels/us-az-one/old.csv"].map((path) => ({
      ...{path, sha256: sha256("e"), retrieved_at: "2026-07-31T00:00:00Z", retrieved_at_from: "meta"},
    })),
    sources: [
      {id: "us-ut-one", retrieved_at: "2026-07-31T00:00:00Z"},
      {id: "nass", retrieved_at: null},
    ],
  },
} as unknown as Published;

const plan: BuildPlan = {
  ...{
    buildId: "20260823-aaaaaa",
    asOf: "2026-08-23",
    sample: false,
    base,
    earlier: null,
    leftOut,
    adopts: false,
  },
  parts: outcomes.map((outcome) => outcome.planned),
  gates: [],
  delta: [
    {folder: "delta", segments: 1, rowsIn: 1200, accepted: 1000, rejected: 5, fromTheFuture: 0, merged: 195},
    {folder: "other", segments: 2, rowsIn: 4, accepted: 1, rejected: 3, fromTheFuture: 2, merged: 0},
  ],
};

/** The invented build: its plan, the outcome of its parts, and its report. */
export const inventedBuild = {
  plan,
  outcomes,
  report: {
    as_of_date: plan.asOf,
    sample: false,
    parts: Object.fromEntries(outcomes.map((outcome) => [outcome.planned.name, outcome.reports])),
    left_out: leftOut,
    models: outcomes.flatMap(({models}) => models),
  },
};

/** Its result as a command receives it. */
export const inventedResult: BuildResult = {
  ...{buildId: plan.buildId, outcome: "published", report: inventedBuild.report, delta: plan.delta},
  heldBack: outcomes.flatMap(({planned: {name: part}, heldBack}) =>
    heldBack === null ? [] : [{part, because: heldBack.split("\n")[0]!}],
  ),
  gates: outcomes.flatMap(({gates}) => gates),
};
