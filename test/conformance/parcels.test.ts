import {existsSync} from "node:fs";
import {join} from "node:path";
import {beforeAll, describe, expect, test} from "vitest";
import {openStateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {stateServing} from "../../lib/storage/build-layout.ts";
import {buildState} from "../../pipeline/parcels/build-state.ts";
import {listRawFiles, type RawFile} from "../../pipeline/raw/raw-files.ts";
import {addsUp, type FileReport} from "../../schemas/build-report.ts";
import type {StatePart} from "../../schemas/manifest.ts";
import type {StateStageResult} from "../../schemas/part-file.ts";
import {parcelEndpoints} from "../../server/parcels/parcel-endpoints.ts";
import {parquetRows} from "../pipeline/parcels/parquet-rows.ts";
import {generationOfBuilt} from "../server/parcels/lookup-fixture.ts";
import {testServer} from "../server/server-fixture.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type AskedRow, missedKinds} from "./asked-back.ts";
import {corpus} from "./corpus.ts";
import {differences, type ScanKind} from "./scan-oracle.ts";

type Figures = {rows: bigint; points: bigint; ids: bigint; uids: bigint; outside: bigint};

const figures = `count(*) AS rows, count(lon) AS points, count(parcel_id) AS ids, count(DISTINCT parcel_uid) AS uids,
  count(*) FILTER (list_contains(flags, 'point_outside')) AS outside`;

describe.skipIf(corpus === null)("real parcel files", {timeout: 900_000}, () => {
  let files: RawFile[] = [];

  beforeAll(async () => {
    files = (await listRawFiles(corpus!)).filter(({kind}) => kind === "parcels");
  });

  type Made = StateStageResult & {outDir: string; serving: string; state: string};
  const made = new Map<string, Promise<Made>>();

  /** A state built from one entry alone, once for each. */
  function build(id: string): Promise<Made> {
    const known = made.get(id) ?? buildOnce(id);
    made.set(id, known);
    return known;
  }

  async function buildOnce(id: string): Promise<Made> {
    const entry = loadParcelSources().find((each) => each.id === id)!;
    const {country, state} = entry.coverage;
    const outDir = temporaryFolder();
    const facts = await buildState({
      state,
      country,
      entries: [entry],
      files,
      outDir,
      asOf: "2026-11-21",
      tempDir: temporaryFolder(),
    });
    return {...facts, outDir, state, serving: join(outDir, stateServing(state))};
  }

  test.each([
    ["us-tx-stratmap", {rows: 3n, points: 0n, ids: 3n}],
    ["us-az-maricopa", {rows: 422n, points: 422n, ids: 422n}],
    ["us-ut-davis", {rows: 1000n, points: 1000n, ids: 1000n}],
    ["us-nc-wake", {rows: 11352n, points: 0n, ids: 11352n}],
    ["us-mt-cadastral", {rows: 6062n, points: 6062n, ids: 0n}],
    ["us-ny-onondaga", {rows: 128888n, points: 0n, ids: 0n}],
  ])(
    "%s: all of them are read, every row is accounted for, and the acceptance rows hold",
    async (id, expected) => {
      const {files: reports, rows, pointCount, outDir, serving} = await build(id);
      expect(reports.map(({reason}) => reason).filter((reason) => reason !== null)).toEqual([]);
      expect(reports.every(addsUp)).toBe(true);
      expect(reports.reduce((sum, {accepted}) => sum + accepted, 0)).toBe(rows);
      const [found] = await parquetRows<Figures>(outDir, "parcels", figures);
      expect(found).toMatchObject({...expected, uids: expected.rows, outside: 0n});
      expect(BigInt(pointCount)).toBe(expected.points);
      expect(existsSync(join(serving, "parcels.flatbush"))).toBe(pointCount > 0);
    },
  );

  test.each([
    "us-tx-stratmap",
    "us-az-maricopa",
    "us-ut-davis",
    "us-nc-wake",
    "us-mt-cadastral",
    "us-ny-onondaga",
  ])(
    "%s: parcels are found over HTTP by number, address, owner and place, as far as they have them",
    async (id) => {
      const made = await build(id);
      const {outDir, state, rows} = made;
      const generation = generationOfBuilt(made);
      const server = await testServer({endpoints: parcelEndpoints, generation: () => generation});
      // All of them with CORPUS_ALL=1; else some, spread over the whole file.
      const step = process.env.CORPUS_ALL === "1" ? 1 : Math.max(1, Math.floor(rows / 150));
      const line =
        "coalesce(situs_raw, concat_ws(' ', situs_number, situs_pre, situs_name, situs_type, situs_post))";
      const columns = `parcel_uid, parcel_id, ${line} AS line, situs_status, owner_name, lat, lon, county_key`;
      const asked = (await parquetRows<AskedRow>(outDir, "parcels", columns)).filter(
        (_, row) => row % step === 0,
      );
      const missed: string[] = [];
      for (const row of asked)
        for (const kind of await missedKinds(server, state, row)) missed.push(`${kind} ${row.parcel_uid}`);
      await server.close();
      expect(missed).toEqual([]);
    },
  );

  test.each<[string, ScanKind]>([
    ["us-nc-wake", "id"],
    ["us-nc-wake", "address"],
    ["us-nc-wake", "owner"],
    ["us-ut-davis", "place"],
  ])("%s: the index answers 1,000 questions by %s like a plain DuckDB scan", async (id, kind) => {
    const {outDir, serving, counties, sources, rows, pointCount} = await build(id);
    const part = {country: "US", counties, sources, rows, point_count: pointCount, files: []};
    const set = openStateArtifacts(serving, part as unknown as StatePart);
    expect(await differences(set, outDir, kind, 1000)).toEqual({asked: 1000, differences: []});
  });

  test("the CSV and the GeoJSON of one county are the same parcels", async () => {
    const {files: reports} = await build("us-az-maricopa");
    const [csv, geojson] = [".csv", "2023.geojson"].map(
      (end) => reports.find(({path}) => path.endsWith(end))!,
    );
    expect(csv).toMatchObject({rowsIn: 412, accepted: 412});
    expect(geojson).toMatchObject({rowsIn: 412, accepted: 0});
  });

  test("Miami-Dade: condominiums keep their stack, and their lot size of 0 is no area", async () => {
    const {outDir} = await build("us-fl-miami-dade");
    const [found] = await parquetRows<Record<string, bigint>>(
      outDir,
      "parcels",
      `count(parent_id) AS units, count(DISTINCT parent_id) AS stacks, count(*) FILTER (parent_id IS NOT NULL AND acres IS NOT NULL) AS measured,
       min(length(parcel_id)) AS shortest, count(*) FILTER (zip = '33149') AS zips`,
    );
    expect(Number(found!.units) / 7431).toBeGreaterThan(0.75);
    expect(found).toMatchObject({measured: 0n, shortest: 13n});
    expect(Number(found!.stacks)).toBeGreaterThan(50);
    expect(Number(found!.zips)).toBeGreaterThan(7400);
  });

  test("Easthampton: water and ways are no parcels, and NA of the export is no value", async () => {
    const {files: reports, outDir} = await build("us-ma-massgis-l3");
    expect(reports.find(({status}) => status === "read")).toMatchObject({
      rowsIn: 5948,
      accepted: 5921,
      rejected: {non_parcel: 23, null_id: 4},
    });
    const [found] = await parquetRows<Record<string, bigint>>(
      outDir,
      "parcels",
      "count(*) FILTER (use_code = 'NA') AS n",
    );
    expect(found!.n).toBe(0n);
  });

  test("Hillsboro: the accounts of a lot are found by each number, and their values add up once each", async () => {
    const {files: reports, outDir} = await build("us-or-washington");
    expect(reports.find(({status}) => status === "joined")).toMatchObject({rowsIn: 3158, merged: 3158});
    const [found] = await parquetRows<Record<string, unknown>>(
      outDir,
      "parcels",
      `count(*) FILTER (len(alt_ids) > 1) AS several, max(len(alt_ids)) AS most,
       max(market_value) FILTER (parcel_id = '1N202DA00100') AS one_account, max(market_value) FILTER (parcel_id = '1N2010003700') AS eleven`,
    );
    expect(found).toMatchObject({several: 64n, most: 11n, one_account: 994940, eleven: 990240});
  });

  test("all files together: rows in are rows out, rejected or merged, by a reason for each", async () => {
    // The largest is left to the long run.
    const some = files.filter(
      ({feedOrEntryId}) => process.env.CORPUS_ALL === "1" || feedOrEntryId !== "us-de-new-castle",
    );
    const ids = new Set(some.map(({feedOrEntryId}) => feedOrEntryId));
    const reports: FileReport[] = [];
    for (const id of ids) reports.push(...(await build(id)).files);
    expect(reports.filter((report) => !addsUp(report))).toEqual([]);
    expect(reports.map(({path}) => path).sort()).toEqual(some.map(({path}) => path).sort());
    const silent = reports.filter(({status, reason, rowsIn}) =>
      status === "read" || status === "joined" ? rowsIn === 0 : reason === null,
    );
    expect(silent).toEqual([]);
    const refused = reports
      .filter(({status}) => status === "failed")
      .map(({path, rowsIn, rejected}) => [path.split("/").at(-1), rowsIn, rejected]);
    expect(refused).toEqual([
      ["M087_parcels_CY25_FY25_sde.gdb.zip", 0, {}],
      ["albany-city-parcels-attrs.dbf", 30_410, {column_missing: 30_410}],
    ]);
  });

  test("parcel numbers keep their leading zeros, and the joined owners are there", async () => {
    const {files: reports, outDir} = await build("us-nc-wake");
    const [found] = await parquetRows<Record<string, bigint>>(
      outDir,
      "parcels",
      `count(*) FILTER (parcel_id LIKE '0%') AS zeros, count(owner_name) AS owners, count(mail_city) AS cities,
       count(*) FILTER (situs_status = 'numbered') AS numbered, min(length(parcel_id)) AS shortest`,
    );
    expect(Number(found!.zeros) / 11352).toBeCloseTo(0.49, 2);
    expect(found).toMatchObject({owners: 11352n, shortest: 10n});
    expect(Number(found!.cities)).toBeGreaterThan(11_300);
    expect(Number(found!.numbered)).toBeGreaterThan(11_340);
    expect(reports.find(({status}) => status === "joined")).toMatchObject({rowsIn: 11352, merged: 11352});
  });
});
