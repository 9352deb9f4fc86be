import {mkdirSync, statSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {closeForWriting} from "../../../pipeline/parts/durable.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

test("the files of a closed folder are for the owner and the group to read, and for nobody to write or run", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "below"));
  const paths = ["a", "below/b"].map((name) => join(folder, name));
  for (const path of paths) writeFileSync(path, "x", {mode: 0o777});
  await closeForWriting(folder);
  expect(paths.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(["440", "440"]);
});
