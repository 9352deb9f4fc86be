import {cpSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {DeltaReader} from "../../../lib/delta/delta-folder.ts";
import {DeltaWriter} from "../../../lib/delta/segment-writer.ts";
import {readDeltaInputs} from "../../../pipeline/parts/delta-inputs.ts";
import {find, writer} from "../../lib/delta/records.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

/** A folder with one ended segment of finds, all retrieved on 2026-11-21. */
async function folderOf(parcelIds: readonly string[]): Promise<string> {
  const folder = temporaryFolder();
  const delta = new DeltaWriter({folder, writer, baseBuildId: "20261121-3f9c1a"});
  for (const parcelId of parcelIds) await delta.append(find(parcelId));
  await delta.close();
  return folder;
}

test.each([
  ["2026-11-20", {accepted: 0, rejected: 1, fromTheFuture: 1}],
  ["2026-11-21", {accepted: 1, rejected: 0, fromTheFuture: 0}],
])(
  "on %s a find of 2026-11-21 counts as %j: only one of a later day is from the future",
  async (today, counts) => {
    expect((await readDeltaInputs([await folderOf(["a"])], null, {today})).counts).toMatchObject([counts]);
  },
);

test("of two copies of a segment that are damaged alike, that of the folder named first is marked as merged", async () => {
  const folders = [await folderOf(["a", "b", "c"]), temporaryFolder()];
  cpSync(folders[0]!, folders[1]!, {recursive: true});
  const [segment] = readdirSync(folders[0]!).filter((name) => name.endsWith(".ndjson"));
  for (const [i, folder] of folders.entries()) {
    const path = join(folder, segment!);
    writeFileSync(path, readFileSync(path, "utf8").replace(`"parcelId":"${"ab"[i]}"`, '"parcelId":"x"'));
  }
  const crcOf = async (folder: string) => {
    const reader = new DeltaReader(folder);
    await reader.poll(() => undefined);
    return reader.segments().map(({state}) => state.crcOfCrcs.toString(16).padStart(8, "0"));
  };
  const [[first], [second]] = await Promise.all([crcOf(folders[0]!), crcOf(folders[1]!)]);
  expect(first).not.toBe(second);
  for (const [order, crc] of [
    [folders, first],
    [folders.toReversed(), second],
  ] as const) {
    const {marksOf} = await readDeltaInputs(order, null, {today: "2026-11-21", acceptDamage: true});
    expect(marksOf("AZ")).toMatchObject([{segment, records: 3, bad_lines: 1, crc}]);
  }
});
