import {execFileSync, spawnSync} from "node:child_process";
import {readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {parsePrintedReport, pdfLayout} from "@open-cattle/usda-reports";
import {describe, expect, it} from "vitest";
import {printPdf, printStyles} from "../pipeline/market/print-pdf.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";

const folder = join(corpus ?? ".", "market/ams-text");
const names = corpus === null ? [] : readdirSync(folder).filter((name) => name.endsWith(".txt"));
const hasPoppler = spawnSync("pdftotext", ["-v"]).error === undefined;

describe.skipIf(corpus === null)("each printed report of the corpus, printed again as a PDF", () => {
  it.each(names.flatMap((name) => printStyles.map((style) => [name, style] as const)))(
    "%s, %s, has the rows of its text",
    async (name, style) => {
      const text = readFileSync(join(folder, name), "utf8");
      const printed = parsePrintedReport(text, name);
      const read = parsePrintedReport(await pdfLayout(await printPdf(text, style), 2 ** 26), name);
      expect(read.header).toEqual(printed.header);
      expect(rowsOf(read)).toEqual(rowsOf(printed));
    },
  );

  // Poppler is not part of the product; without it, this comparison is skipped.
  it.skipIf(!hasPoppler).each(names)(
    "%s has the rows that poppler's layout of the same PDF gives",
    async (name) => {
      const path = join(temporaryFolder(), "report.pdf");
      const bytes = await printPdf(readFileSync(join(folder, name), "utf8"));
      writeFileSync(path, bytes);
      const layout = execFileSync("pdftotext", ["-layout", path, "-"], {encoding: "utf8"});
      expect(rowsOf(parsePrintedReport(await pdfLayout(bytes, 2 ** 26), name))).toEqual(
        rowsOf(parsePrintedReport(layout, name)),
      );
    },
  );
});

/** The rows without the line numbers in the words of rejects. */
function rowsOf({rows}: ReturnType<typeof parsePrintedReport>): unknown[] {
  return rows.map(({reject_detail: _, ...row}) => row);
}
