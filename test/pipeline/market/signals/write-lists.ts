import {inline, workbook} from "../../../../packages/parcel-files/test/write-workbook.ts";

/** Writes rows of cells in a file format, for readers of lists. */
export const writers: Readonly<Record<string, (rows: readonly (readonly string[])[]) => string | Buffer>> = {
  csv: (rows) => rows.map((cells) => cells.map(quoted).join(",")).join("\r\n"),
  tsv: (rows) =>
    rows.map((cells) => cells.map((cell) => cell.replaceAll(/[\t\n\r"]/g, " ")).join("\t")).join("\n"),
  html: htmlPage,
  xlsx: (rows) => workbook({List: sheetRows(rows)}),
  pdf: pdfPage,
};

function quoted(cell: string): string {
  return /[",\n\r\t;|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function htmlPage(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`);
  return `<!DOCTYPE html><html><body><h1>Invented list</h1><table>${lines.join("\n")}</table></body></html>`;
}

/** The rows of a worksheet as XML. */
export function sheetRows(rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], number: number) =>
    cells.map((cell, place) => inline(`${String.fromCharCode(65 + place)}${number}`, escaped(cell))).join("");
  return rows.map((cells, index) => `<row r="${index + 1}">${row(cells, index + 1)}</row>`).join("");
}

/** A one-page PDF in a monospaced font, each cell a separate text at the position of its column. */
export function pdfPage(rows: readonly (readonly string[])[]): Buffer {
  const widths = (rows[0] ?? []).map(
    (_, place) => Math.max(...rows.map((cells) => (cells[place] ?? "").length)) + 3,
  );
  const lefts = widths.map(
    (_, place) => 20 + 4.8 * widths.slice(0, place).reduce((sum, width) => sum + width, 0),
  );
  const shows = rows.flatMap((cells, line) =>
    cells.map(
      (cell, place) =>
        `BT /F1 8 Tf 1 0 0 1 ${lefts[place]} ${1900 - 10 * line} Tm (${cell.replaceAll(/[\\()]/g, "\\$&")}) Tj ET`,
    ),
  );
  const content = shows.join("\n");
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 1400 2000]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Courier>>",
  ];
  let text = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`;
  text += `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, "latin1");
}
