import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {UserError} from "../../../lib/errors.ts";
import {openContent} from "../../../pipeline/market/documents/content-kind.ts";
import type {RawFile} from "../../../pipeline/raw/raw-files.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const wide = (text: string) => Buffer.from(text, "utf16le");
function fileOf(bytes: Buffer): RawFile {
  const absolutePath = join(temporaryFolder(), "export.txt");
  writeFileSync(absolutePath, bytes);
  return {
    ...{
      path: "market/mars/export.txt",
      absolutePath,
      kind: "market",
      feedOrEntryId: "mars",
      sizeBytes: bytes.length,
    },
    ...{sha256: "", meta: null, retrievedAt: "2026-11-20T00:00:00Z", retrievedAtFrom: "mtime"},
  };
}
const kindOf = async (bytes: Buffer) => (await openContent(fileOf(bytes))).kind;

test.each([
  ["parquet", Buffer.from("PAR1\0\0PAR1")],
  ["json", Buffer.from(' \n{"a": 1}')],
  ["json", wide("\uFEFF[1]").swap16()],
  ["pdf", Buffer.from("\n%PDF-1.7")],
  ["text", Buffer.from("a,[b]\n1,{2}\n")],
  ["text", Buffer.from("the html of <html> is no page\n")],
  ["text", Buffer.from("x".repeat(9000))],
])("recognises a file as %s by its first bytes", async (kind, bytes) => {
  expect(await kindOf(bytes)).toBe(kind);
});

test.each([
  ["empty", ""],
  ["white space", " \r\n\t"],
  ["a page", "\n<!DOCTYPE html><p>"],
  ["a page without a declaration", "<HTML>"],
  ["XML", "<?xml version='1.0'?>"],
  ["the head of a page", "<head>"],
  ["the body of a page", "<body>"],
])("refuses a file that is %s and names it", async (_, text) => {
  await expect(kindOf(Buffer.from(text))).rejects.toThrow(UserError);
  await expect(kindOf(Buffer.from(text))).rejects.toThrow("market/mars/export.txt");
});
