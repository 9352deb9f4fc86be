import {describe, expect, test} from "vitest";
import {decoderByCells, statedEncoding} from "../src/dbf-encoding.ts";

/** Decodes bytes by the header's language byte; null if it names no code page. */
function byLanguage(languageByte: number, bytes: readonly number[]): string | null {
  return statedEncoding({languageByte}, "p.dbf")?.decode(Buffer.from(bytes)) ?? null;
}
const stated = (name: string, bytes: readonly number[]) =>
  statedEncoding({declared: name, languageByte: 0}, "p.dbf")!.decode(Buffer.from(bytes));

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

  test("is told as its .cpg states it, without the end of the line", () => {
    expect(statedEncoding({cpg: "1251\r\n", languageByte: 0}, "p.dbf")?.label).toBe("its .cpg says 1251");
  });

  test("in an entry precedes the .cpg, which precedes the language byte; an unknown .cpg is ignored", () => {
    const text = (facts: {declared?: string; cpg?: string}) =>
      statedEncoding({...facts, languageByte: 3}, "p.dbf")!.decode(Buffer.from([0xa5]));
    expect([
      text({declared: "850", cpg: "1251"}),
      text({cpg: "1251"}),
      text({cpg: "klingon"}),
      text({}),
    ]).toEqual([...["Ñ", "Ґ", "¥", "¥"]]);
    expect(statedEncoding({cpg: "klingon", languageByte: 0x57}, "p.dbf")).toBeNull();
    expect(() => stated("klingon", [])).toThrow('p.dbf: encoding "klingon" is unknown');
  });
});

test("UTF-8 truncated by bytes loses only the incomplete character at its end, in a cell that is full", () => {
  const {decode} = decoderByCells(null, {utf8: 1, other: 0});
  for (const letter of ["a", "Ñ", "€", "𝔸"]) {
    const whole = Buffer.from(`Ñ${letter}`);
    expect(decode(whole)).toBe(`Ñ${letter}`);
    for (let cut = 1; cut < Buffer.byteLength(letter); cut++)
      expect(decode(whole.subarray(0, -cut), true)).toBe("Ñ");
  }
  expect(decode(Buffer.from([]))).toBe("");
});

describe("the cells of a table decide where they contradict its label", () => {
  const latin = Buffer.from([0x4e, 0xd1]);
  const text = (counts: {utf8: number; other: number}, cpg?: string) => {
    const stated = cpg === undefined ? null : statedEncoding({cpg, languageByte: 0}, "p.dbf");
    const {decode, remark} = decoderByCells(stated, counts);
    return [decode(Buffer.from("NÑ")), decode(latin), remark];
  };
  test.each<[string, Parameters<typeof text>, string[], RegExp | null]>([
    ["R01: UTF-8 without a label", [{utf8: 20, other: 0}], ["NÑ", "NÑ"], null],
    [
      "R02: a label of 1252 over UTF-8",
      [{utf8: 95, other: 5}, "1252"],
      ["NÑ", "NÑ"],
      /^its .cpg says 1252, but the text is read as UTF-8: of 100 cells .* 95 are UTF-8/,
    ],
    ["a label of 1252 that is true", [{utf8: 94, other: 6}, "1252"], ["NÃ‘", "NÑ"], null],
    [
      "R03: a label of UTF-8 with some cells of 1252",
      [{utf8: 195, other: 5}, "UTF-8"],
      ["NÑ", "NÑ"],
      /^its .cpg says UTF-8, and 5 cells are read as Windows-1252/,
    ],
    ["a label of UTF-8 over 1252", [{utf8: 1, other: 9}, "UTF-8"], ["NÃ‘", "NÑ"], /read as Windows-1252/],
    ["1252 without a label", [{utf8: 0, other: 9}], ["NÃ‘", "NÑ"], null],
  ])("%s", (_, given, decoded, remark) => {
    const [whole, one, told] = text(...given);
    expect([whole, one]).toEqual(decoded);
    if (remark === null) expect(told).toBeNull();
    else expect(told).toMatch(remark);
  });
});
