import {join} from "node:path";
import {mapFile, openKeyIndex} from "@open-cattle/mapped-index";
import {expect, it} from "vitest";
import {ensureTextFunction} from "../../../../lib/parcels/conform/functions.ts";
import {placeKeys, placeKeysSql} from "../../../../lib/parcels/matching/known-places.ts";
import {openDatabase} from "../../../../lib/sql/duckdb.ts";
import {writeKeyIndex} from "../../../../pipeline/parcels/files/write-keys.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";

it("writes each town and ZIP of a state once, with its first row, under the keys of a row", async () => {
  const db = await openDatabase();
  await db.run(`CREATE TABLE parcels AS SELECT * FROM (VALUES
    (NULL, NULL), ('SAINT PAUL', '55101-1234'), ('St. Paul', '55101'), ('TOWN OF ASHMERE', NULL)) t(city, zip)`);
  const path = join(temporaryFolder(), "addresses.arrow");
  const {entries} = await writeKeyIndex(db, {query: await placeKeysSql(db, "parcels"), path});
  db.close();
  const index = openKeyIndex(mapFile(path).buffer);
  expect(entries).toBe(3);
  for (const {key, form} of placeKeys("Saint Paul", "55101"))
    expect(index.find(key)).toEqual([{row: 1, form}]);
  expect(placeKeys("Ashmere", null).map(({key}) => index.find(key))).toEqual([[{row: 3, form: 8}]]);
  expect(placeKeys(null, "")).toEqual([]);
});

it("works out the key of a town for each spelling of it, not for each row", async () => {
  const db = await openDatabase();
  await db.run("CREATE TABLE parcels AS SELECT 'ASHMERE' AS city, '55101' AS zip FROM range(10_000)");
  let calls = 0;
  await ensureTextFunction(db, "town_key", (city) => {
    calls += 1;
    return city;
  });
  const path = join(temporaryFolder(), "addresses.arrow");
  await writeKeyIndex(db, {query: await placeKeysSql(db, "parcels"), path, unique: true});
  db.close();
  expect(calls).toBeLessThan(10);
});

it.each(["RD", "ST", "PL", "AVE UNIT D"])("takes %s, the end of a street line, for no town", (city) => {
  expect(placeKeys(city, null)).toEqual([]);
});

it.each(["ST PAUL", "CENTER", "PARK CITY", "GROVE"])("takes %s for a town", (city) => {
  expect(placeKeys(city, null)).toHaveLength(1);
});
