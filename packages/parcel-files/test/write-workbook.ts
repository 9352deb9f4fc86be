import {zipOf} from "./write-zip.ts";

const relations = (targets: readonly string[]) =>
  `<Relationships xmlns="r">${targets.map((target, i) => `<Relationship Id="rId${i + 1}" Target="${target}"/>`).join("")}</Relationships>`;

/** An invented workbook: its sheets as the XML of their rows. */
export function workbook(
  sheets: Readonly<Record<string, string>>,
  {texts = "", date1904 = false} = {},
): Buffer {
  const names = Object.keys(sheets);
  const list = names
    .map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
    .join("");
  return zipOf({
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<workbook xmlns:r="r"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>${list}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(names.map((_, i) => `worksheets/sheet${i + 1}.xml`)),
    "xl/styles.xml":
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>',
    "xl/sharedStrings.xml": `<sst>${texts}</sst>`,
    ...Object.fromEntries(
      names.map((name, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** A cell of text at its place (`B2`), as XML. */
export const inline = (place: string, text: string) =>
  `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
