import {UserError} from "../../../lib/errors.ts";
import {type CellContext, cellContext, rowCells} from "./cells.ts";
import {children, Workbook} from "./parts.ts";

/** A worksheet of a workbook: its name, and its rows of cells as text, read when they are asked for. */
export type Sheet = {readonly name: string; readonly rows: () => AsyncGenerator<string[]>};

/**
 * Opens a workbook of Excel and gives its worksheets in their order. Throws a `UserError` for the binary forms (`.xls`, `.xlsb`),
 * which are not read, and for damage. `shown` names the workbook in messages.
 */
export async function openSheets(
  path: string,
  {shown, isBinary}: {shown: string; isBinary: boolean},
): Promise<Sheet[]> {
  if (isBinary)
    throw new UserError(
      `${shown}: an Excel file in a form that is not read. Save it as CSV: libreoffice --headless --convert-to csv "${shown}"`,
    );
  const book = new Workbook(path, shown);
  const root = children(await book.part("xl/workbook.xml"), "workbook")[0] ?? null;
  const relations = children(await book.part("xl/_rels/workbook.xml.rels"), "Relationships")[0];
  const targets = new Map(
    children(relations, "Relationship").map((each) => [each["@Id"], String(each["@Target"] ?? "")]),
  );
  const context = await cellContext(book, root);
  return children(children(root, "sheets")[0], "sheet").flatMap((sheet) => {
    const target = targets.get(sheet["@id"]);
    if (target === undefined) return [];
    const part = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
    return [{name: String(sheet["@name"] ?? ""), rows: () => rowsOf(book, part, context)}];
  });
}

async function* rowsOf(book: Workbook, part: string, context: CellContext): AsyncGenerator<string[]> {
  for await (const row of book.elements(part, "row")) yield rowCells(row, context);
}
