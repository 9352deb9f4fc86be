import {statSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {feedsOf} from "../../../pipeline/add/recognise.ts";
import type {RawFile} from "../../../pipeline/raw/raw-files.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {inventedFiles} from "./invented-files.ts";

test("a file with good rows of a known format belongs to its feed by the format alone", async () => {
  const folder = temporaryFolder();
  const [name, content] = inventedFiles["diesel"]!;
  const absolutePath = join(folder, name);
  writeFileSync(absolutePath, content);
  const file: RawFile = {
    ...{path: name, absolutePath, kind: "market", feedOrEntryId: "unknown", sha256: "", meta: null},
    ...{
      sizeBytes: statSync(absolutePath).size,
      retrievedAt: "2026-11-20T00:00:00Z",
      retrievedAtFrom: "mtime",
    },
  };
  expect(await feedsOf(file, folder)).toMatchObject({shaped: "diesel", tables: []});
});
