import {join} from "node:path";
import {parseAddress} from "@open-cattle/us-address";
import {describe, expect, test} from "vitest";
import {findAddress} from "../../../lib/parcels/matching/address-match.ts";
import {openStateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import {recordMembersOf} from "../../../lib/parcels/record/stored-record.ts";
import {stateServing} from "../../../lib/storage/build-layout.ts";
import {parquetRows} from "./parquet-rows.ts";
import {type Built, built, csv, invented, rawFiles, row} from "./raw-folder.ts";

type Row = {parcel_id: string; situs_raw: string; alt_situs: string[] | null; flags: string[]};

async function build(rows: Record<string, unknown>[], others: Record<string, unknown>[] = []) {
  const withTown = {fields: {...invented().fields, city: {from: "CITY"}}};
  const entries = [invented(withTown), invented({...withTown, id: "us-tx-other"})];
  const files = await rawFiles({
    "roll.csv": csv(rows),
    ...(others.length === 0 ? {} : {"us-tx-other/roll.csv": csv(others)}),
  });
  return built(files, entries);
}
const at = (pin: string, situs: string, city = "BRYANT") => row(pin, {SITUS: situs, CITY: city});

/** The matches of a question: parcel number, type and notes. */
function found(made: Built, question: string) {
  const part = {files: [], point_count: 0} as never;
  const set = openStateArtifacts(join(made.outDir, stateServing("TX")), part);
  const address = {...parseAddress(question, {state: "TX"}), raw: question};
  return findAddress(set, {address, counties: null}).map(({row: at, match}) => [
    set.parcels.text("parcel_id").at(at),
    match.type,
    match.score,
    match.notes,
    recordMembersOf(set.record(at))["altAddresses"],
  ]);
}

describe("several addresses of one parcel", () => {
  test("A85: of rows of one number all are kept, the first is its address, and both find it", async () => {
    const made = await build([at("10-1", "12 OAK ST"), at("10-1", "45 ELM AVE"), at("10-2", "14 OAK ST")]);
    const rows = await parquetRows<Row>(made.outDir);
    expect(rows.find(({parcel_id}) => parcel_id === "10-1")).toMatchObject({
      situs_raw: "12 OAK ST",
      alt_situs: ["45 ELM AVE, BRYANT"],
      flags: ["duplicate_id", "no_geometry", "several_addresses"],
    });
    expect(made.files[0]!.notes).toMatchObject({several_addresses: 1});
    const alts = ["45 ELM AVE, BRYANT"];
    expect(found(made, "12 Oak St, Bryant")).toEqual([["10-1", "normalized", 1, [], alts]]);
    expect(found(made, "45 Elm Ave, Bryant")).toEqual([["10-1", "exact", 1, ["other_address"], alts]]);
    expect(found(made, "45 Elm Avenue")).toEqual([["10-1", "normalized", 1, ["other_address"], alts]]);
    expect(found(made, "45 Elmm Ave, Bryant")).toEqual([]);
    expect(found(made, "47 Elm Ave, Bryant")).toEqual([]);
  });

  test("two in one cell are two addresses, of which no word is left over", async () => {
    const made = await build([at("10-1", "12 OAK ST; 45 ELM AVE"), at("10-2", "14 OAK ST")]);
    expect((await parquetRows<Row>(made.outDir))[0]).toMatchObject({
      alt_situs: ["45 ELM AVE, BRYANT"],
      flags: ["no_geometry", "several_addresses"],
    });
    expect(found(made, "12 Oak St, Bryant").map(([id, type, score]) => [id, type, score])).toEqual([
      ["10-1", "normalized", 1],
    ]);
    expect(found(made, "45 Elm Ave, Bryant").map(([id, , , notes]) => [id, notes])).toEqual([
      ["10-1", ["other_address"]],
    ]);
  });

  test("units of one number are found by each unit, and another spelling is no other address", async () => {
    const made = await build([
      at("10-1", "12 OAK ST UNIT 1"),
      at("10-1", "12 OAK ST UNIT 2"),
      at("10-1", "12 Oak Street Unit 1"),
    ]);
    expect((await parquetRows<Row>(made.outDir))[0]!.alt_situs).toEqual(["12 OAK ST UNIT 2, BRYANT"]);
    expect(found(made, "12 Oak St Unit 2, Bryant").map(([id, type]) => [id, type])).toEqual([
      ["10-1", "exact"],
    ]);
    expect(found(made, "12 Oak St Unit 3, Bryant")).toEqual([]);
  });

  test("what another source prints for the parcel is no further address", async () => {
    const made = await build([at("10-1", "12 OAK ST")], [at("10-1", "45 ELM AVE")]);
    const [only] = await parquetRows<Row>(made.outDir);
    expect([only!.alt_situs, only!.flags]).toEqual([[], ["no_geometry"]]);
  });
});
