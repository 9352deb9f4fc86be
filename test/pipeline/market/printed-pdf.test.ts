import {parsePrintedReport, pdfLayout} from "@open-cattle/usda-reports";
import {describe, expect, it} from "vitest";
import {sampleSale} from "../../../pipeline/market/samples/sale.ts";
import {sampleBarns} from "../../../pipeline/market/samples/sample-barns.ts";
import {printedReport} from "../../../pipeline/market/samples/sample-reports.ts";
import {printPdf, printStyles} from "./print-pdf.ts";

const maxBytes = 2 ** 26;
const reports = sampleBarns
  .filter(({feed}) => feed === "ams-text")
  .map((barn) => {
    const sale = (date: string) => sampleSale(barn.slug, date);
    return printedReport(barn, sale("2026-11-16"), sale("2026-11-09"), sale("2025-11-17"));
  });

describe.each(printStyles)("a report printed as a PDF: %s", (style) => {
  it.each(reports.map((text) => [text.trim().split("\n")[0]!, text]))(
    "%s has the rows of its text",
    async (title, text) => {
      const back = await pdfLayout(await printPdf(text, style), maxBytes);
      const [printed, read] = [parsePrintedReport(text, title), parsePrintedReport(back, title)];
      expect(read.header).toEqual(printed.header);
      expect(read.rows.map(withoutLine)).toEqual(printed.rows.map(withoutLine));
      expect(read.rows.length).toBeGreaterThan(20);
    },
  );
});

it("prints the ages and stages of bred cows, and none of other cattle", () => {
  for (const text of reports) {
    const {rows} = parsePrintedReport(text, "invented");
    expect(rows.filter(({reject_reason}) => reject_reason !== null)).toEqual([]);
    const aged = rows.flatMap(({age, pregnancy_stage}) =>
      age === null ? [] : [`${age} ${pregnancy_stage}`],
    );
    expect(aged).toEqual(["5-8 T1", "5-8 T2", "5-8 T3"]);
  }
});

it("reads a ligature as its letters, even if the file encodes the ligature", async () => {
  const layout = await pdfLayout(
    await printPdf("Of\ufb01ce of \ufb02eshy o\ufb00spring", "ligatures"),
    maxBytes,
  );
  expect(layout).toContain("Office of fleshy offspring");
});

it("refuses a scan as a PDF without text, and a truncated file as unreadable", async () => {
  const blank = await printPdf("", "typewriter");
  await expect(pdfLayout(blank, maxBytes)).rejects.toThrow(/^the PDF has no text; it may be a scan/);
  const cut = (await printPdf(reports[0]!)).subarray(0, 900);
  await expect(pdfLayout(cut, maxBytes)).rejects.toThrow(/^(not a PDF that can be read|the PDF has no text)/);
});

/** A rejection names its line, and line numbers differ. */
function withoutLine({reject_detail: _, ...row}: ReturnType<typeof parsePrintedReport>["rows"][number]) {
  return row;
}
