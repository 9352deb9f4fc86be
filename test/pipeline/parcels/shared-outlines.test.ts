import {expect, test} from "vitest";
import {parcelLimitations} from "../../../lib/parcels/record/parcel-limitations.ts";
import {makeViews} from "../../../lib/sql/build-views.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {parcelEndpoints} from "../../../server/parcels/parcel-endpoints.ts";
import {generationOfBuilt} from "../../server/parcels/lookup-fixture.ts";
import {testServer} from "../../server/server-fixture.ts";
import {parquetRows} from "./parquet-rows.ts";
import {type Built, built, geojson, rawFiles, row, square} from "./raw-folder.ts";

type Row = {parcel_id: string; acres: number; flags: string[]};

/** Acres of the outline of `square`. */
const land = 3.8054;

/** Three undivided interests in one outline, each with its stated acres, and a neighbouring parcel. */
async function interests(acres: readonly (string | null)[]): Promise<Built> {
  const rows = acres.map((stated, i) => ({
    properties: row(`1-${i + 1}`, {ACRES: stated}),
    geometry: square(0, 0),
  }));
  const beside = {properties: row("9-9", {ACRES: String(land)}), geometry: square(2, 0)};
  return built(await rawFiles({"a.geojson": geojson([...rows, beside])}));
}

async function rowsOf({outDir}: Built): Promise<Row[]> {
  const rows = await parquetRows<Row>(outDir, "parcels", "parcel_id, acres, flags");
  return rows.sort((a, b) => (a.parcel_id < b.parcel_id ? -1 : 1));
}

/** Acres of the common owner of all rows, from the daily view. */
async function acresOfOwner({outDir}: Built): Promise<number> {
  const db = await openDatabase();
  try {
    await makeViews(db, outDir);
    const rows = await db.rows<{acres: number; parcels: number}>(
      "SELECT acres::DOUBLE AS acres, parcels::INTEGER AS parcels FROM landowners_by_county",
    );
    expect(rows.map(({parcels}) => parcels)).toEqual([4]);
    return rows[0]!.acres;
  } finally {
    db.close();
  }
}

test("keeps, flags and counts parcels that share an outline, without an area mismatch", async () => {
  const made = await interests(["1.2", "1.2", null]);
  const rows = await rowsOf(made);
  expect(rows.map(({parcel_id, flags}) => [parcel_id, flags])).toEqual([
    ["1-1", ["shared_outline"]],
    ["1-2", ["shared_outline"]],
    ["1-3", ["shared_outline"]],
    ["9-9", []],
  ]);
  expect(made.files[0]).toMatchObject({rowsIn: 4, accepted: 4, notes: {shared_outline: 3}});
});

test("counts the acres of a shared outline once in sums, whether each row states the whole, its share or nothing", async () => {
  expect(await acresOfOwner(await interests([String(land), String(land), String(land)]))).toBeCloseTo(
    2 * land,
    1,
  );
  expect(await acresOfOwner(await interests([null, null, null]))).toBeCloseTo(2 * land, 1);
  expect(await acresOfOwner(await interests(["1", "1", "1"]))).toBeCloseTo(3 + land, 1);
});

test("an answer says that several accounts share the parcel", async () => {
  const generation = generationOfBuilt(await interests(["1.2", "1.2", null]));
  const server = await testServer({endpoints: parcelEndpoints, generation: () => generation});
  const limitationsOf = async (id: string) => {
    const reply = await server.get(`/public/land-agent/property/parcel-id-lookup?parcelId=48453-${id}`);
    return (reply.json() as unknown as {metadata: {limitations: string[]}}).metadata.limitations;
  };
  expect(await limitationsOf("1-1")).toContain(parcelLimitations.P17);
  expect(await limitationsOf("9-9")).not.toContain(parcelLimitations.P17);
  await server.close();
});
