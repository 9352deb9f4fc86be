import {UserError} from "../../../lib/errors.ts";
import {uniqueNames} from "../../../lib/parcels/conform/file-cells.ts";
import {type SourceRecord, stageRecords} from "../../../lib/parcels/conform/staged-table.ts";
import {boundedSheets, type Sheet} from "../../raw/workbook/sheets.ts";
import type {Reader} from "./file-reader.ts";

/** Reads an Excel worksheet: one sheet, whose first row with several cells is the header. Rows are held one at a time. */
export const xlsxReader: Reader = {
  name: "worksheet",
  accepts: ({extension}) => /^xls[xmb]?$/.test(extension),
  async read({db, dataset, table, wantedColumns, layer, tempDir}) {
    const {path, shownPath, extension, head} = dataset;
    const isBinary = extension === "xlsb" || head.subarray(0, 2).toString("latin1") !== "PK";
    const sheet = theSheet(await boundedSheets(path, {shownPath, isBinary, dir: tempDir}), layer, shownPath);
    const staged = await stageRecords(db, {table, wantedColumns}, records(sheet));
    if (staged.rows === 0)
      throw new UserError(`${shownPath}: sheet "${sheet.name}": no rows behind a header.`);
    return staged;
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
  throw new UserError(
    `${shownPath}: sheets ${names || "none"}; say which one has the parcels: --layer, in an entry "layer".`,
  );
}

async function* records(sheet: Sheet): AsyncGenerator<SourceRecord> {
  let header: readonly string[] | null = null;
  for await (const cells of sheet.rows()) {
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
