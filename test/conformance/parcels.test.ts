import {existsSync} from "node:fs";
import {join} from "node:path";
import {beforeAll, describe, expect, test} from "vitest";
import {openStateArtifacts} from "../../lib/parcel-artifacts.ts";
import {loadParcelSources} from "../../lib/parcel-sources.ts";
import {listRawFiles, type RawFile} from "../../lib/raw-files.ts";
import {buildState} from "../../pipeline/parcels/build-state.ts";
import {addsUp} from "../../schemas/build-report.ts";
import type {StatePart} from "../../schemas/manifest.ts";
import type {StateMade} from "../../schemas/part-file.ts";
import {parcelEndpoints} from "../../server/parcels/routes.ts";
import {generationOfStates} from "../parcels/lookups/lookup-fixture.ts";
import {parquetRows} from "../parcels/parquet-rows.ts";
import {testServer} from "../server/server-fixture.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type AskedRow, missedKinds} from "./asked-back.ts";
import {corpus} from "./corpus.ts";
import {differences, type ScanKind} from "./scan-oracle.ts";

type Figures = {rows: bigint; points: bigint; ids: bigint; uids: bigint; outside: bigint};

const figures = `count(*) AS rows, count(lon) AS points, count(parcel_id) AS ids, count(DISTINCT parcel_uid) AS uids,
  count(*) FILTER (list_contains(flags, 'point_outside')) AS outside`;

describe.skipIf(corpus === null)("real parcel files", {timeout: 240_000}, () => {
  let files: RawFile[] = [];

  beforeAll(async () => {
    files = (await listRawFiles(corpus!)).filter(({side}) => side === "parcels");
  });

  type Made = StateMade & {outDir: string};
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
    const outDir = join(temporaryFolder(), `state=${state}`);
    const facts = await buildState({
      state,
      country,
      entries: [entry],
      files,
      outDir,
      asOf: "2026-11-21",
      tempDir: temporaryFolder(),
    });
    return {...facts, outDir};
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
      const {files: reports, rows, pointCount, outDir} = await build(id);
      expect(reports.map(({reason}) => reason).filter((reason) => reason !== null)).toEqual([]);
      expect(reports.every(addsUp)).toBe(true);
      expect(reports.reduce((sum, {accepted}) => sum + accepted, 0)).toBe(rows);
      const [found] = await parquetRows<Figures>(outDir, "parcels", figures);
      expect(found).toMatchObject({...expected, uids: expected.rows, outside: 0n});
      expect(BigInt(pointCount)).toBe(expected.points);
      expect(existsSync(join(outDir, "parcels.flatbush"))).toBe(pointCount > 0);
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
      const {outDir, counties, sources, rows, pointCount} = await build(id);
      const state = outDir.slice(-2);
      const part = {
        country: "US",
        counties,
        sources,
        rows,
        point_count: pointCount,
        files: [],
        coverage: "partial",
      };
      const generation = generationOfStates([openStateArtifacts(outDir, part as unknown as StatePart)]);
      const server = await testServer({endpoints: parcelEndpoints, generation: () => generation});
      // All of them where asked for; else some, spread over the whole file.
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
    const {outDir, counties, sources, rows, pointCount} = await build(id);
    const part = {country: "US", counties, sources, rows, point_count: pointCount, files: []};
    const set = openStateArtifacts(outDir, part as unknown as StatePart);
    expect(await differences(set, outDir, kind, 1000)).toEqual({asked: 1000, differences: []});
  });

  test("the CSV and the GeoJSON of one county are the same parcels", async () => {
    const {files: reports} = await build("us-az-maricopa");
    const csv = reports.find(({path}) => path.endsWith(".csv"));
    expect(csv).toMatchObject({rowsIn: 412, accepted: 0, rejected: {duplicate_id: 412}});
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
