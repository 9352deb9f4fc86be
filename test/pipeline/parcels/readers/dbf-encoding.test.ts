import {describe, expect, test} from "vitest";
import {decoderByContent, statedDecoder} from "../../../../pipeline/parcels/readers/dbf-encoding.ts";

/** Decodes bytes by the header's language byte; null if it names no code page. */
function byLanguage(languageByte: number, bytes: readonly number[]): string | null {
  return statedDecoder({languageByte}, "p.dbf")?.(Buffer.from(bytes)) ?? null;
}
const stated = (name: string, bytes: readonly number[]) =>
  statedDecoder({declared: name, languageByte: 0}, "p.dbf")!(Buffer.from(bytes));

/** Code pages by their character at 0xE1, and the language bytes that name them (dBASE and FoxPro tables). */
const pages: Readonly<Record<string, readonly number[]>> = {
  // 437 and 850 agree at 0xE1 and differ at 0x9B; 1252 and 1254 differ at 0xFE.
  "ßþ¢": [1, 8, 11, 13, 15, 17, 22, 24, 25, 27],
  ßþø: [2, 10, 14, 16, 18, 20, 23, 26, 29, 37, 55],
  "áþ›": [3, 88, 89],
  "áţ›": [200],
  "бю›": [201],
  "áş›": [202],
  "αώ›": [203],
};

describe("the code page of a language byte", () => {
  test("follows the dBASE and FoxPro tables, and is unknown for any other byte", () => {
    const found = new Map<string, number[]>();
    for (let byte = 0; byte < 256; byte++) {
      const shown = [0xe1, 0xfe, 0x9b].map((code) => byLanguage(byte, [code]) ?? "");
      // 0xFE is a block in both pages of DOS.
      const text = shown.join("").replace("■", "þ");
      if (text !== "") found.set(text, [...(found.get(text) ?? []), byte]);
    }
    const single = Object.entries(pages);
    expect(single.map(([text]) => [text, found.get(text)])).toEqual(single);
    const others = [...found].filter(([text]) => pages[text] === undefined).flatMap(([, bytes]) => bytes);
    expect(others.toSorted((a, b) => a - b)).toEqual([77, 78, 79, 80]);
    // Two bytes form one character in Chinese and Korean code pages.
    expect([77, 78, 79].map((byte) => byLanguage(byte, [0xb0, 0xa1]))).toEqual(["啊", "가", "陛"]);
    expect(byLanguage(80, [0xa1])).toBe("ก");
  });
});

describe("the name of an encoding", () => {
  test.each([
    ["UTF-8", [0xc3, 0x91], "Ñ"],
    ["65001", [0xc3, 0x91], "Ñ"],
    ["\ufeffutf-8\n", [0xc3, 0x91], "Ñ"],
    ["ANSI 1252", [0xd1], "Ñ"],
    ["CP850", [0xa5], "Ñ"],
    ["IBM437", [0xa5, 0x41, 0x7f, 0x80, 0xff], "ÑA\u007fÇ\u00a0"],
    ["OEM 850", [0x80, 0xff], "Ç\u00a0"],
    ["dos-850", [0x9d], "Ø"],
    ["88591", [0xd1], "Ñ"],
    ["8859-15", [0xa4], "€"],
    ["ISO 8859_2", [0xb1], "ą"],
    ["windows-1251", [0xc0], "А"],
    ["932", [0x82, 0xa0], "あ"],
    ["936", [0xb0, 0xa1], "啊"],
    ["949", [0xb0, 0xa1], "가"],
    ["950", [0xa4, 0x40], "一"],
    ["866", [0x80], "А"],
    ["latin1", [0xd1], "Ñ"],
  ])("%j is read", (name, bytes, text) => {
    expect(stated(name, bytes)).toBe(text);
  });

  test("in an entry precedes the .cpg, which precedes the language byte; an unknown .cpg is ignored", () => {
    const text = (facts: {declared?: string; cpg?: string}) =>
      statedDecoder({...facts, languageByte: 3}, "p.dbf")!(Buffer.from([0xa5]));
    expect([
      text({declared: "850", cpg: "1251"}),
      text({cpg: "1251"}),
      text({cpg: "klingon"}),
      text({}),
    ]).toEqual([...["Ñ", "Ґ", "¥", "¥"]]);
    expect(statedDecoder({cpg: "klingon", languageByte: 0x57}, "p.dbf")).toBeNull();
    expect(() => stated("klingon", [])).toThrow('p.dbf: encoding "klingon" is unknown');
  });
});

test("UTF-8 truncated by bytes loses only the incomplete character at its end", () => {
  const decode = decoderByContent(true);
  for (const letter of ["a", "Ñ", "€", "𝔸"]) {
    const whole = Buffer.from(`Ñ${letter}`);
    expect(decode(whole)).toBe(`Ñ${letter}`);
    for (let cut = 1; cut < Buffer.byteLength(letter); cut++)
      expect(decode(whole.subarray(0, -cut))).toBe("Ñ");
  }
  expect(decode(Buffer.from([]))).toBe("");
  expect(decoderByContent(false)(Buffer.from([0xd1, 0x93]))).toBe("Ñ“");
});
