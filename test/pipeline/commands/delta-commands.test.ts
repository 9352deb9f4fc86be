import {appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {ownIdentity} from "@open-cattle/safe-files";
import {beforeEach, expect, test} from "vitest";
import {DeltaWriter} from "../../../lib/delta/segment-writer.ts";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {discoveryOf} from "../../delta/fake-county.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {cattle} from "./run-cattle.ts";

let root: string;
beforeEach(async () => {
  root = temporaryFolder();
  const folder = join(root, "delta");
  mkdirSync(folder);
  const writer = new DeltaWriter({
    folder,
    writer: {...ownIdentity(), startTicks: "0"},
    baseBuildId: "20261121-3f9c1a",
  });
  for (const [id, owner] of [
    ["1-A", "QUISTAD JUNE"],
    ["2-B", "HARLOW DALE"],
    ["1-A", "NORDQUIST OLE"],
  ] as const) {
    await writer.append(discoveryOf({id, owner, lon: -97.7, lat: 30.3}).upsert);
  }
  appendFileSync(join(folder, segment()), '{"crc":"00');
});

const segment = () => readdirSync(join(root, "delta")).find((name) => name.endsWith(".ndjson"))!;
const command = async (...argv: string[]) => {
  const {code, stdout} = await cattle(...argv, "--out", root);
  return {code, out: stdout};
};
const run = (...argv: string[]) => command("delta", ...argv);

test("delta ls shows records, torn bytes, damage and whether the writer is alive", async () => {
  const {out: text} = await run("ls", "--json");
  expect(JSON.parse(text)).toMatchObject([
    {
      segment: segment(),
      records: 3,
      ended: false,
      torn_bytes: 10,
      bad_lines: 0,
      base_build_id: "20261121-3f9c1a",
    },
  ]);
  expect((await run("ls")).out).toMatch(/3 .* 10 .*live .*dead/);
});

test("delta cat prints the newest record of each parcel, or all of a segment, and refuses an unknown one", async () => {
  const owners = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as {row: {owner_name: string}}).row.owner_name);
  expect(owners((await run("cat")).out).sort()).toEqual(["HARLOW DALE", "NORDQUIST OLE"]);
  expect(owners((await run("cat", segment())).out)).toHaveLength(3);
  expect((await run("cat", "none.ndjson")).code).toBe(2);
});

test("delta repair closes the segment of a dead process and keeps a copy", async () => {
  expect((await run("repair")).out).toBe(`${segment()}: repaired, 10 bytes cut\n`);
  expect(readFileSync(join(root, "delta", segment()), "utf8")).toMatch(/"kind":"end","count":3/);
  expect(readdirSync(join(root, "delta", "quarantine"))).toEqual([segment()]);
  expect((await run("repair")).out).toBe(`${segment()}: whole\n`);
});

test("delta export-parquet writes the newest rows with the columns of the parcels", async () => {
  const file = join(root, "found.parquet");
  expect((await run("export-parquet", file)).out).toBe(`${file}: 2 rows\n`);
  const db = await openDatabase({threads: 1});
  const rows = await db.rows(
    `SELECT parcel_uid, owner_name, lon, owner_tokens, source_id, vintage FROM read_parquet(${sqlText(file)})`,
  );
  db.close();
  expect(rows).toMatchObject([
    {parcel_uid: "48453-1-A", owner_name: "NORDQUIST OLE", lon: -97.7, source_id: "us-tx-layer"},
    {parcel_uid: "48453-2-B", owner_tokens: ["HARLOW", "DALE"], vintage: "2026-11-01"},
  ]);
  expect((await run("export-parquet", join(root, "absent", "x.parquet"))).code).toBe(1);
});

test("verify names the damage of a segment, and says in one line that all are sound", async () => {
  const verify = () => command("verify", "delta");
  // What a writer did not end is no line yet.
  expect(await verify()).toEqual({code: 0, out: "delta: every line is sound\n"});
  const path = join(root, "delta", segment());
  writeFileSync(path, readFileSync(path, "utf8").replace("HARLOW", "HARLAN"));
  expect(await verify()).toEqual({code: 1, out: `delta: ${segment()}: 1 damaged or missing lines\n`});
});
