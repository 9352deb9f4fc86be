import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {UserError} from "../../../lib/errors.ts";
import {decodedText, needsDecoding, openContent} from "../../../pipeline/market/documents/content-kind.ts";
import type {RawFile} from "../../../pipeline/raw/raw-files.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const wide = (text: string) => Buffer.from(text, "utf16le");
const latin = (text: string) => Buffer.from(text, "latin1");

test.each<[string, Buffer, string, boolean]>([
  ["UTF-8", Buffer.from("Ñ,1"), "Ñ,1", false],
  ["UTF-8 with its mark", Buffer.from("\uFEFFÑ,1"), "Ñ,1", false],
  ["Windows-1252", latin("\xd1,\x93"), "Ñ,“", false],
  ["UTF-16, low byte first", wide("\uFEFFÑ,1"), "Ñ,1", true],
  ["UTF-16, high byte first", wide("\uFEFFÑ,1").swap16(), "Ñ,1", true],
  ["Windows-1252 that begins with half a mark", latin("\xff,\xfe"), "ÿ,þ", false],
  ["Windows-1252 that begins with half the other mark", latin("\xfe,\xff"), "þ,ÿ", false],
  ["a line that names the delimiter", Buffer.from("sep=;\r\na;b\nsep=,\n"), "a;b\nsep=,\n", true],
  ["such a line behind a mark", Buffer.from("\uFEFFSEP=\t\na"), "a", true],
  ["such a line below another", Buffer.from("a\nsep=;\n"), "a\nsep=;\n", false],
  ["one byte", latin("\xff"), "ÿ", false],
  ["nothing", Buffer.alloc(0), "", false],
])(
  "decodes %s without byte order marks, and knows which texts a plain reader cannot take",
  (_, bytes, text, needs) => {
    expect([decodedText(bytes), needsDecoding(bytes)]).toEqual([text, needs]);
  },
);

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
