import {cpSync, mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {readParcelSource} from "../../../lib/registry/parcel-sources.ts";
import {confirmMap} from "../../../pipeline/commands/confirm-command.ts";
import {addDataFile} from "../../../pipeline/commands/propose-command.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {parquetRows} from "../parcels/parquet-rows.ts";
import {built, csv, invented, rawFiles, row} from "../parcels/raw-folder.ts";

const facts = {
  id: "us-ks-allen",
  name: "Parcels",
  publisher: "Allen County",
  licence: "CC0-1.0",
  county: ["20001"],
};
const table = [
  "PARCEL_NO,SITE_ADDR,OWNER1,ACRES",
  "12-1,12 N MAIN ST,HARLOW DALE,2.5",
  "12-2,14 N MAIN ST,QUISTAD RAY,3.5",
];

test("M09: an entry from a data file is a proposal until a person has seen its rows and says yes", async () => {
  const [dir, raw] = [temporaryFolder(), temporaryFolder()];
  const file = join(temporaryFolder(), "allen.csv");
  writeFileSync(file, table.join("\n"));
  await addDataFile(file, {...facts, write: true}, dir);
  const entry = () => readParcelSource(join(dir, "us-ks-allen.json"));
  const proposed = entry();
  expect(proposed.proposedMap).toBe(true);

  await expect(confirmMap("us-ks-allen", {yes: true, raw}, dir)).rejects.toThrow("no row to look at");
  mkdirSync(join(raw, "parcels", "us-ks-allen"), {recursive: true});
  cpSync(file, join(raw, "parcels", "us-ks-allen", "allen.csv"));
  await confirmMap("us-ks-allen", {raw}, dir);
  expect(entry()).toEqual(proposed);
  await confirmMap("us-ks-allen", {yes: true, raw}, dir);
  const {proposedMap: _, ...confirmed} = proposed;
  expect(entry()).toEqual(confirmed);
  await expect(confirmMap("us-ks-allen", {raw}, dir)).rejects.toThrow("confirmed already");
  await expect(confirmMap("us-ks-other", {raw}, dir)).rejects.toThrow("no entry");
});

test("a build says of each file that its map is a proposal", async () => {
  const state = await built(await rawFiles({"roll.csv": csv([row("1-1")])}), [invented({proposedMap: true})]);
  expect(state.files[0]!.reason).toContain("nobody has confirmed: cattle sources confirm us-tx-invented");
  expect(await parquetRows(state.outDir, "parcel_provenance", "proposed_map")).toEqual([
    {proposed_map: true},
  ]);
});
