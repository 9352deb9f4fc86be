import {expect, test} from "vitest";
import {decodedText, needsDecoding} from "../src/decoded-text.ts";

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
