import {describe, expect, test} from "vitest";
import {buildState} from "../../../pipeline/parcels/build-state.ts";
import type {BaseBuild} from "../../../pipeline/parcels/kept-rows.ts";
import type {DeltaUpsert} from "../../../schemas/delta-record.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {parquetRows} from "./parquet-rows.ts";
import {csv, geojson, invented, inventedMap, rawFiles, row, square} from "./raw-folder.ts";

type Row = {
  parcel_uid: string;
  parcel_id: string;
  alt_ids: string[];
  owner_name: string | null;
  lon: number | null;
  flags: string[];
};

const roll = invented();
const map = inventedMap();

/** The find of a county's layer, with a number and an owner. */
function find(id: string, tok = id): DeltaUpsert {
  return {
    kind: "upsert",
    v: 1,
    seq: 1,
    observedAt: "2026-11-10T00:00:00Z",
    key: {state: "TX", county: "48453", parcelId: tok},
    country: "US",
    parcelUid: `48453-${id}`,
    row: {
      parcel_id: id,
      parcel_id_tok: tok,
      parcel_id_std: tok.replaceAll("-", ""),
      parcel_id_loose: tok.replaceAll("-", ""),
      owner_raw: "QUISTAD JUNE",
      owner_name: "QUISTAD JUNE",
      acres: 3,
    },
    provenance: {
      sourceId: "us-tx-layer",
      vintage: "2026-10-01",
      vintageBasis: "layer_edit",
      retrievedAt: "2026-11-10T00:00:00Z",
      authority: "county",
    },
    proposedMap: false,
    raw: {},
    sourceId: "us-tx-layer",
    vintage: "2026-10-01",
    query: "parcel_id",
  } as DeltaUpsert;
}

async function build(
  {rollIds = [], mapIds = [], finds = []}: {rollIds?: string[]; mapIds?: string[]; finds?: DeltaUpsert[]},
  {
    base = null,
    situs = () => ({}),
  }: {base?: BaseBuild | null; situs?: (i: number) => Record<string, unknown>} = {},
) {
  const files = await rawFiles({
    ...(rollIds.length === 0
      ? {}
      : {"roll.csv": csv(rollIds.map((id, i) => row(id, {SITUS: `${100 + i} OAK ST`, ...situs(i)})))}),
    ...(mapIds.length === 0
      ? {}
      : {
          "us-tx-map/map.geojson": geojson(
            mapIds.map((id, i) => ({properties: {PIN: id}, geometry: square(i % 10, i / 10)})),
          ),
        }),
  });
  const outDir = temporaryFolder();
  const made = await buildState({
    state: "TX",
    country: "US",
    entries: [roll, map],
    files,
    found: finds,
    base,
    outDir,
    asOf: "2026-11-21",
    tempDir: temporaryFolder(),
  });
  const rows = await parquetRows<Row>(outDir);
  const meetings = made.files.flatMap((each) => each.meetings ?? []);
  return {made, outDir, meetings, rows: rows.sort((a, b) => (a.parcel_uid < b.parcel_uid ? -1 : 1))};
}

const base = (outDir: string): BaseBuild => ({buildId: "20261120-ab12cd", dir: outDir, complete: []});
const dashed = (n: number) => `840-${String(n).padStart(5, "0")}-000`;
const plain = (n: number) => dashed(n).replaceAll("-", "");
const sixty = Array.from({length: 60}, (_, n) => n + 1);

describe("a map and a roll whose numbers differ by dashes", () => {
  test("I34, I35: are one parcel each, with point and owner, under the number with dashes", async () => {
    const {rows, meetings} = await build({rollIds: sixty.map(plain), mapIds: sixty.map(dashed)});
    expect(rows).toHaveLength(60);
    expect(rows[0]).toMatchObject({
      parcel_id: dashed(1),
      parcel_uid: `48453-${dashed(1)}`,
      alt_ids: [plain(1)],
      owner_name: "HARLOW DALE M",
    });
    expect(rows.every(({lon, owner_name}) => lon !== null && owner_name !== null)).toBe(true);
    expect(meetings).toEqual([
      {county: "48453", sources: ["us-tx-invented", "us-tx-map"], numbers: 60, equal: 0, byForm: 60},
    ]);
  });

  test("keep the number under which they were served", async () => {
    const first = await build({rollIds: sixty.map(plain)});
    const {rows} = await build(
      {rollIds: sixty.map(plain), mapIds: sixty.map(dashed)},
      {base: base(first.outDir)},
    );
    expect(rows).toHaveLength(60);
    expect(rows[0]).toMatchObject({
      parcel_id: plain(1),
      parcel_uid: `48453-${plain(1)}`,
      alt_ids: [dashed(1)],
    });
  });

  test("I36: stay apart where a number would fit two", async () => {
    const {rows, meetings} = await build({rollIds: ["1436"], mapIds: ["143-6", "14-36"]});
    expect(rows.map(({parcel_id}) => parcel_id)).toEqual(["14-36", "143-6", "1436"]);
    expect(meetings).toMatchObject([{numbers: 1, equal: 0, byForm: 0}]);
  });

  test("I42: bring a warning with numbers of each side where none meets, for twenty or more", async () => {
    const ids = (letter: string, n: number) => Array.from({length: n}, (_, i) => `${letter}-${100 + i}`);
    const {meetings} = await build({rollIds: ids("A", 60), mapIds: ids("B", 60)});
    expect(meetings[0]!.warning).toMatch(
      /^county 48453, us-tx-invented and us-tx-map: 0 of 60 numbers meet \(0 equal, 0 by normal form\): us-tx-invented prints A-100, A-101; us-tx-map prints B-100, B-101\./,
    );
    const few = await build({rollIds: ids("A", 19), mapIds: ids("B", 19)});
    expect(few.meetings[0]!.warning).toBeUndefined();
  });
});

describe("a find whose number a file prints in another form", () => {
  test("I39: is the file's parcel, and keeps its uid", async () => {
    const {rows, meetings} = await build({
      mapIds: sixty.map(dashed),
      finds: sixty.map((n) => find(plain(n))),
    });
    expect(rows).toHaveLength(60);
    expect(rows[0]).toMatchObject({
      parcel_id: plain(1),
      parcel_uid: `48453-${plain(1)}`,
      alt_ids: [dashed(1)],
      owner_name: "QUISTAD JUNE",
    });
    expect(meetings).toMatchObject([
      {sources: ["us-tx-layer (discoveries)", "us-tx-map"], numbers: 60, byForm: 60},
    ]);
  });

  test("I40: is a row of its own with a flag where two numbers would fit", async () => {
    const {rows} = await build({mapIds: ["840-00001-000", "84000-001-000"], finds: [find("84000001000")]});
    expect(rows.map(({parcel_id, flags}) => [parcel_id, flags.includes("same_number_unclear")])).toEqual([
      ["840-00001-000", false],
      ["84000-001-000", false],
      ["84000001000", true],
    ]);
  });
});
