import {FileError} from "./parcel-file.ts";
import {textOf, Workbook} from "./workbook-parts.ts";
import {children, type XmlNode} from "./xml-elements.ts";

/** Tables that cells refer to: shared strings, and the styles that are dates. */
type CellContext = {
  readonly texts: readonly string[];
  readonly dateStyles: ReadonlySet<number>;
  /** Milliseconds of day 0: 1899-12-30, or 1904-01-01 in workbooks from old Macs. */
  readonly dayZero: number;
};

/** Built-in number formats for dates (ECMA-376 part 1, 18.8.30). */
const builtInDates: ReadonlySet<number> = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
const secondsPerDay = 86_400;
/** Maximum columns of a worksheet. */
const maxColumns = 16_384;

/** A worksheet: its name, and its rows of cells as text, read on demand. */
export type Sheet = {readonly name: string; readonly rows: () => AsyncGenerator<string[]>};

/**
 * Opens an Excel workbook and returns its worksheets in order. Throws a `FileError` for the binary formats (`.xls`, `.xlsb`), which are not
 * supported, and for damage. `shownPath` names the workbook in messages.
 */
export async function openSheets(
  path: string,
  {shownPath, isBinary}: {shownPath: string; isBinary: boolean},
): Promise<Sheet[]> {
  if (isBinary)
    throw new FileError(
      `${shownPath}: an Excel file in a form that is not read. Save it as CSV: libreoffice --headless --convert-to csv "${shownPath}"`,
    );
  const book = new Workbook(path, shownPath);
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

/** Reads the tables that a workbook's cells refer to. */
async function cellContext(book: Workbook, root: XmlNode | null): Promise<CellContext> {
  const texts: string[] = [];
  for await (const si of book.elements("xl/sharedStrings.xml", "si")) texts.push(textOf(si));
  const styles = children(await book.part("xl/styles.xml"), "styleSheet")[0];
  const dates = new Set(
    children(children(styles, "numFmts")[0], "numFmt")
      .filter((format) => isDateFormat(String(format["@formatCode"] ?? "")))
      .map((format) => Number(format["@numFmtId"])),
  );
  const formats = children(children(styles, "cellXfs")[0], "xf").map((xf) => Number(xf["@numFmtId"]));
  const is1904 = /^(?:1|true)$/.test(String(children(root, "workbookPr")[0]?.["@date1904"] ?? ""));
  return {
    texts,
    dateStyles: new Set(formats.flatMap((id, i) => (dates.has(id) || builtInDates.has(id) ? [i] : []))),
    dayZero: is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30),
  };
}

function isDateFormat(code: string): boolean {
  return /[ymdh]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ""));
}

/** Returns the cells of a row by column, as text; dates as `YYYY-MM-DD`. Formula errors are empty cells. */
function rowCells(row: XmlNode, context: CellContext): string[] {
  const cells: string[] = [];
  for (const cell of children(row, "c")) {
    const place = Math.min(columnOf(String(cell["@r"] ?? "")) ?? cells.length, maxColumns - 1);
    while (cells.length < place) cells.push("");
    cells[place] = cellText(cell, context);
  }
  return cells;
}

function cellText(cell: XmlNode, {texts, dateStyles, dayZero}: CellContext): string {
  const value = textOf(children(cell, "v")[0]);
  switch (cell["@t"]) {
    case "s":
      return texts[Number(value)] ?? "";
    case "inlineStr":
      return textOf(children(cell, "is")[0]);
    case "e":
      return "";
    case "b":
      return value === "1" ? "true" : "false";
    case "str":
    case "d":
      return value;
    default:
      return dateStyles.has(Number(cell["@s"] ?? 0)) && value !== ""
        ? dayText(Number(value), dayZero)
        : plainNumber(value);
  }
}

/** A day, with the time of day if the cell has one: it tells the editions of one day apart. */
function dayText(days: number, dayZero: number): string {
  const date = new Date(dayZero + Math.round(days * secondsPerDay) * 1000);
  if (Number.isNaN(date.getTime())) return "";
  const [day, time] = date.toISOString().slice(0, 19).split("T");
  return time === "00:00:00" ? day! : `${day} ${time}`;
}

/** Significant digits of the numbers that Excel takes and shows; the file has 17. */
const shownDigits = 15;

/**
 * Formats a number as it was typed: `4.1010610000900001E11` is an integer that the file stores with an exponent, whose digits a double holds
 * all, and `123.01000000000001` is 123.01.
 */
function plainNumber(value: string): string {
  const [mantissa = "", exponent] = value.split(/e/i);
  const isLong = mantissa.includes(".") && mantissa.replace(/^[-+0.]+|\./g, "").length > shownDigits;
  if (exponent === undefined && !isLong) return value;
  const exact = Number(value);
  const number = isLong && !Number.isSafeInteger(exact) ? Number(exact.toPrecision(shownDigits)) : exact;
  const isShown = isLong ? Math.abs(number) <= Number.MAX_SAFE_INTEGER : Number.isSafeInteger(number);
  return isShown ? String(number) : value;
}

/** Column index of a cell reference (`AB12` is 27); null without one. */
function columnOf(reference: string): number | null {
  const [letters] = /^[A-Z]{1,3}/.exec(reference) ?? [];
  if (letters === undefined) return null;
  return [...letters].reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
