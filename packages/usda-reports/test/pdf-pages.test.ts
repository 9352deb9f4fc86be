import {deflateRawSync, deflateSync} from "node:zlib";
import PDFDocument from "pdfkit";
import {describe, expect, test} from "vitest";
import {linesOfPage, type PageText, pdfPages} from "../src/pdf-pages.ts";

const maxBytes = 2 ** 26;

/** A one-page PDF of 400 by 300 points; each text is drawn at its place, rotated clockwise by so many degrees. */
async function printed(
  texts: readonly (readonly [text: string, x: number, y: number, turned?: number])[],
  rotate = 0,
) {
  const document = new PDFDocument({autoFirstPage: false, info: {CreationDate: new Date(0)}});
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.on("end", resolve));
  const page = document.addPage({size: [400, 300], margin: 0});
  (page.page.dictionary.data as Record<string, unknown>)["Rotate"] = rotate;
  document.font("Courier").fontSize(10);
  for (const [text, x, y, turned = 0] of texts)
    document.save().translate(x, y).rotate(turned).text(text, 0, 0, {lineBreak: false}).restore();
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

const words = (line: readonly PageText[]) => line.map(({text}) => text).join("|");

describe("the texts of a page", () => {
  test.each([0, 90, 180, 270])("are read upright if all are rotated by %d degrees", async (turned) => {
    const quarter = (turned / 90) % 4;
    // Two lines of a page, rotated around its centre.
    const place = (x: number, y: number): [number, number] =>
      (
        [
          [x, y],
          [200 - (y - 150), 150 + (x - 200)],
          [400 - x, 300 - y],
          [200 + (y - 150), 150 - (x - 200)],
        ] as const
      )[quarter] as [number, number];
    const [[page]] = [
      await pdfPages(
        await printed([
          ["right", ...place(150, 100), turned],
          ["left", ...place(100, 100), turned],
          ["below", ...place(100, 120), turned],
        ]),
        maxBytes,
      ),
    ];
    expect(linesOfPage(page!).map(words)).toEqual(["left|right", "below"]);
    const [left, right] = linesOfPage(page!)[0]!;
    expect(right!.from - left!.from).toBeCloseTo(50, 3);
    expect(left!.to - left!.from).toBeCloseTo(24, 3);
    expect(page!.find(({text}) => text === "below")!.y - left!.y).toBeCloseTo(20, 3);
    expect(left!.height).toBeCloseTo(10, 3);
  });

  test("are those in the direction with the most letters, not the most texts", async () => {
    const texts = [
      ["A long line of a report", 20, 100],
      ["a", 300, 200, 90],
      ["b", 320, 200, 90],
    ] as const;
    const [page] = await pdfPages(await printed(texts), maxBytes);
    expect(page!.map(({text}) => text)).toEqual(["A long line of a report"]);
  });

  test("are upright on a rotated page", async () => {
    const [page] = await pdfPages(
      await printed(
        [
          ["second", 120, 100, -90],
          ["first", 100, 100, -90],
        ],
        90,
      ),
      maxBytes,
    );
    expect(linesOfPage(page!).map(words)).toEqual(["first", "second"]);
  });
});

describe("the lines of a page", () => {
  const text = (name: string, from: number, y: number, height = 10): PageText => ({
    text: name,
    from,
    to: from + 5,
    y,
    height,
  });

  test("hold texts whose baselines differ by less than half a letter", () => {
    expect(linesOfPage([text("c", 0, 25), text("b", 30, 14.9), text("a", 10, 10)]).map(words)).toEqual([
      "a|b",
      "c",
    ]);
    expect(linesOfPage([text("a", 10, 10), text("b", 30, 15)]).map(words)).toEqual(["a", "b"]);
    expect(linesOfPage([text("a", 10, 10), text("b", 30, 14, 8)]).map(words)).toEqual(["a", "b"]);
    expect(linesOfPage([text("a", 10, 10), text("b", 30, 14, 9)]).map(words)).toEqual(["a|b"]);
    // Compared with the first text of a line, so that a slope does not merge all lines of a page.
    expect(linesOfPage([text("a", 0, 0), text("b", 10, 4), text("c", 20, 8)]).map(words)).toEqual([
      "a|b",
      "c",
    ]);
    expect(linesOfPage([])).toEqual([]);
  });
});

describe("a PDF that is refused", () => {
  const object = (packed: Buffer, lineEnd = "\n") =>
    Buffer.concat([
      Buffer.from(`1 0 obj<</Filter/FlateDecode>>stream${lineEnd}`),
      packed,
      Buffer.from("\nendstream endobj\n"),
    ]);
  const pdf = (...objects: readonly Buffer[]) => Buffer.concat([Buffer.from("%PDF-1.4\n"), ...objects]);
  const zeros = (mebibytes: number) => deflateSync(Buffer.alloc(mebibytes * 2 ** 20), {level: 1});
  const bomb = /^its streams unpack to more than 67108864 bytes/;

  test.each([
    ["one stream", [object(zeros(65))]],
    ["one stream after a line end of Windows", [object(zeros(65), "\r\n")]],
    ["several streams together", [object(zeros(33)), object(deflateSync("x")), object(zeros(33))]],
  ])("inflates to too many bytes by %s", async (_, objects) => {
    await expect(pdfPages(pdf(...objects), maxBytes)).rejects.toThrow(bomb);
  });

  test.each([
    ["the bound itself", [object(zeros(64))]],
    ["a stream that is not packed", [object(Buffer.from("BT ET"))]],
    ["a stream that does not end", [object(zeros(65)).subarray(0, -25)]],
    ["a stream of another packing", [object(deflateRawSync(Buffer.alloc(65 * 2 ** 20)))]],
    ["damage", [object(Buffer.concat([zeros(1).subarray(0, 100), Buffer.alloc(50, 255)]))]],
  ])("is no decompression bomb with %s", async (_, objects) => {
    await expect(pdfPages(pdf(...objects), maxBytes)).rejects.toThrow(/^(?!its streams)/);
  });

  test("has more than a thousand pages", async () => {
    const pages = (count: number) => {
      const numbers = Array.from({length: count}, (_, i) => i + 3);
      const kids = numbers.map(
        (number) => `${number} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj`,
      );
      return Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Count ${count}/Kids[${numbers.map((number) => `${number} 0 R`).join(" ")}]>>endobj
${kids.join("\n")}
trailer<</Root 1 0 R>>
%%EOF`);
    };
    await expect(pdfPages(pages(1001), maxBytes)).rejects.toThrow("1001 pages; at most 1000 are read.");
    await expect(pdfPages(pages(1000), maxBytes)).rejects.toThrow(/the PDF has no text/);
  });
});
