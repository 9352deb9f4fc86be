import {stat} from "node:fs/promises";
import {uniqueNames} from "./column-names.ts";
import {atLeastOne, closed, FileError, type FileFormat, type FileRow} from "./parcel-file.ts";
import {openSheets, type Sheet} from "./worksheets.ts";

/** Cells may take so many bytes for each byte of a workbook, because they share texts and may stand far apart; a small one always so many. */
const maxExpansion = 64;
const minBytes = 64 * 2 ** 20;
/** Bytes of a cell besides its text. */
const cellBytes = 3;

/** Reads an Excel worksheet: one sheet, whose first row with several cells is the header. Rows are held one at a time. */
export const xlsxFormat: FileFormat = {
  name: "worksheet",
  accepts: ({extension}) => /^xls[xmb]?$/.test(extension),
  async open({path, shownPath, extension, head}, {layer}) {
    const isBinary = extension === "xlsb" || head.subarray(0, 2).toString("latin1") !== "PK";
    const sheet = theSheet(await openSheets(path, {shownPath, isBinary}), layer, shownPath);
    const {size} = await stat(path);
    return {
      columns: null,
      remark: null,
      rows: () =>
        atLeastOne(
          records(sheet, {shownPath, size}),
          `${shownPath}: sheet "${sheet.name}": no rows behind a header.`,
        ),
      account: () => undefined,
      ...closed,
    };
  },
};

function theSheet(sheets: readonly Sheet[], layer: string | number | undefined, shownPath: string): Sheet {
  const named =
    layer === undefined
      ? sheets
      : sheets.filter(({name}, i) => name.toLowerCase() === String(layer).toLowerCase() || i === layer);
  const [only, second] = named;
  if (only !== undefined && second === undefined) return only;
  const names = sheets.map(({name}) => `"${name}"`).join(", ");
  throw new FileError(
    `${shownPath}: sheets ${names || "none"}; say which one has the parcels: --layer, in an entry "layer".`,
  );
}

async function* records(
  sheet: Sheet,
  {shownPath, size}: {shownPath: string; size: number},
): AsyncGenerator<FileRow> {
  const most = Math.max(minBytes, maxExpansion * size);
  let bytes = 0;
  let header: readonly string[] | null = null;
  for await (const cells of sheet.rows()) {
    bytes += cells.reduce((sum, cell) => sum + cell.length + cellBytes, 0);
    if (bytes > most)
      throw new FileError(
        `${shownPath}: its rows take more than ${most} bytes, and the workbook has ${size}.`,
      );
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
