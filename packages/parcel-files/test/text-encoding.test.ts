import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {utf8Text} from "../src/text-encoding.ts";
import {temporaryFolder} from "./temporary-folder.ts";

/** The text of a file with these bytes, joined; null where it is read as it is. */
async function textOf(bytes: Buffer, declared?: string): Promise<string | null> {
  const path = join(temporaryFolder(), "a.csv");
  writeFileSync(path, bytes);
  const {text} = await utf8Text({path, shownPath: "a.csv"}, declared);
  if (text === null) return null;
  let whole = "";
  for await (const part of text) whole += part;
  return whole;
}

const mark = Buffer.from("\ufeff");
const table = "PIN,OWNER\n1,NUÑEZ\n";

test.each<[string, Buffer, string | undefined, string | null]>([
  ["UTF-8", Buffer.from(table), undefined, null],
  ["Windows-1252", Buffer.from(table, "latin1"), undefined, table],
  ["Windows-1252 as declared", Buffer.from(table, "latin1"), "windows-1252", table],
  [
    "Windows-1252 behind the mark of UTF-8",
    Buffer.concat([mark, Buffer.from(table, "latin1")]),
    undefined,
    table,
  ],
  ["UTF-16", Buffer.from(`\ufeff${table}`, "utf16le"), undefined, table],
])("the text of a file in %s is whole, from its first letter on", async (_, bytes, declared, expected) => {
  expect(await textOf(bytes, declared)).toBe(expected);
});
