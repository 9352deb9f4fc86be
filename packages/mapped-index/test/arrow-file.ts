import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {RecordBatch, Table, tableToIPC, type Vector} from "apache-arrow";
import {onTestFinished} from "vitest";

/** An Arrow IPC file with these columns, in batches of so many rows, as the Arrow library writes it. */
export function arrowBytes(columns: Readonly<Record<string, Vector>>, batchRows = 2 ** 20): Uint8Array {
  const {schema, numRows, data} = new Table(columns);
  const starts = Array.from({length: Math.ceil(numRows / batchRows)}, (_, batch) => batch * batchRows);
  const batches = starts.map(
    (from) => new RecordBatch(schema, data[0]!.slice(from, Math.min(batchRows, numRows - from))),
  );
  return tableToIPC(new Table(schema, batches), "file");
}

/** The path of a file with these bytes, which is removed when the test that asks for it is done. */
export function temporaryFile(bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "mapped-index-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  writeFileSync(join(folder, "file"), bytes);
  return join(folder, "file");
}
