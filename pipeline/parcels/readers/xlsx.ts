import {UserError} from "../../../lib/errors.ts";
import {uniqueNames} from "../../../lib/parcels/conform/cells.ts";
import {type SourceRecord, stageRecords} from "../../../lib/parcels/conform/staged-table.ts";
import type {Reader} from "./reader.ts";
import {type CellContext, cellContext, rowCells} from "./xlsx-cells.ts";
import {children, Workbook, type XmlNode} from "./xlsx-parts.ts";

type Sheet = {readonly name: string; readonly part: string};

/** Worksheets of Excel: one sheet, its first row with several cells the header. All rows are held one at a time. */
export const xlsxReader: Reader = {
  name: "worksheet",
  knows: ({extension}) => /^xls[xmb]?$/.test(extension),
  async read({db, dataset, table, wanted, layer}) {
    const {path, shown, extension, head} = dataset;
    if (extension === "xlsb" || head.subarray(0, 2).toString("latin1") !== "PK") {
      throw new UserError(
        `${shown}: an Excel file in a form that is not read. Save it as CSV: libreoffice --headless --convert-to csv "${shown}"`,
      );
    }
    const book = new Workbook(path, shown);
    const root = children(await book.part("xl/workbook.xml"), "workbook")[0] ?? null;
    const sheet = theSheet(await sheetsOf(book, root), layer, shown);
    const context = await cellContext(book, root);
    const staged = await stageRecords(db, {table, wanted}, records(book, sheet, context));
    if (staged.rows === 0) throw new UserError(`${shown}: sheet "${sheet.name}": no rows behind a header.`);
    return staged;
  },
};

async function sheetsOf(book: Workbook, root: XmlNode | null): Promise<Sheet[]> {
  const relations = children(await book.part("xl/_rels/workbook.xml.rels"), "Relationships")[0];
  const targets = new Map(
    children(relations, "Relationship").map((each) => [each["@Id"], String(each["@Target"] ?? "")]),
  );
  return children(children(root, "sheets")[0], "sheet").flatMap((sheet) => {
    const target = targets.get(sheet["@id"]);
    if (target === undefined) return [];
    const part = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
    return [{name: String(sheet["@name"] ?? ""), part}];
  });
}

function theSheet(sheets: readonly Sheet[], layer: string | number | undefined, shown: string): Sheet {
  const named =
    layer === undefined
      ? sheets
      : sheets.filter(({name}, i) => name.toLowerCase() === String(layer).toLowerCase() || i === layer);
  const [only, second] = named;
  if (only !== undefined && second === undefined) return only;
  const names = sheets.map(({name}) => `"${name}"`).join(", ");
  throw new UserError(
    `${shown}: sheets ${names || "none"}; say in the entry ("layer") which one has the parcels.`,
  );
}

async function* records(book: Workbook, sheet: Sheet, context: CellContext): AsyncGenerator<SourceRecord> {
  let header: readonly string[] | null = null;
  for await (const row of book.elements(sheet.part, "row")) {
    const cells = rowCells(row, context);
    const filled = cells.filter((cell) => cell.trim() !== "").length;
    if (header === null) {
      if (filled > 1) header = uniqueNames(cells);
    } else if (filled > 0) {
      yield {
        cells: Object.fromEntries(header.map((name, i) => [name, cells[i] === "" ? null : cells[i]])),
        geometry: null,
      };
    }
  }
}
