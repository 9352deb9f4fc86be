import {join} from "node:path";
import {expect, test} from "vitest";
import {zipOf} from "../../../packages/parcel-files/test/write-zip.ts";
import {datasetsOf} from "../../../pipeline/parcels/datasets.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {rawFiles} from "./raw-folder.ts";

test("archives in an archive are unpacked, and together hold no more than one file may", async () => {
  const table = zipOf({"roll.csv": "PIN\n1\n"});
  const zeros = zipOf({"roll.csv": Buffer.alloc(100 * 2 ** 20)});
  const inner = (content: Buffer, count: number) =>
    Object.fromEntries(Array.from({length: count}, (_, i) => [`part-${i}.zip`, content]));
  const files = await rawFiles({"small.zip": zipOf(inner(table, 3)), "bomb.zip": zipOf(inner(zeros, 30))});
  const read = async (name: string) => {
    const folder = join(temporaryFolder(), name);
    return datasetsOf(files.find(({path}) => path.endsWith(name))!, folder);
  };
  expect((await read("small.zip")).map(({shownPath}) => shownPath)).toEqual(
    [0, 1, 2].map((i) => `parcels/us-tx-invented/small.zip:part-${i}.zip~/roll.csv`),
  );
  await expect(read("bomb.zip")).rejects.toThrow(
    /bomb\.zip:part-10\.zip: unpacks to more than 58720256 bytes/,
  );
});
