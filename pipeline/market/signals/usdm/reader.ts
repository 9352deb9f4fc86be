import {UserError} from "../../../../lib/errors.ts";
import {folded, isObject, type Json, membersOf, objectsOf} from "../../json-values.ts";
import {readRows, type SignalInput, type SignalReading, tellingRow} from "../reading.ts";
import {tableRows} from "../tables.ts";
import {isLong, readLong} from "./long-table.ts";
import {isServed, servedRow} from "./served.ts";

/** Reads Drought Monitor shares: JSON or CSV as the statistics service gives them, or a long table of counties. */
export function readDrought(input: SignalInput): SignalReading {
  const records = recordsOf(input);
  const first = tellingRow(records, (record) => isLong(folded(record)) || isServed(folded(record)));
  if (first === undefined) return readRows([], servedRow);
  const names = folded(first);
  if (isLong(names)) return readLong(records);
  if (isServed(names)) return readRows(records, (record) => servedRow(folded(record)));
  throw new UserError(
    `${input.file.path}: columns ${Object.keys(first).slice(0, 14).join(", ")}; expected MapDate, an area, None, D0 to D4, or usdm_date, usdm_class, usdm_percent by county.`,
  );
}

function recordsOf({file, content}: SignalInput): readonly Json[] {
  if (content.kind === "parquet") return content.records;
  if (content.kind === "text") return tableRows(file, content.text);
  if (content.kind === "json") {
    const list = isObject(content.body) ? (content.body["data"] ?? content.body["results"]) : content.body;
    if (Array.isArray(list)) return objectsOf(list);
    throw new UserError(`${file.path}: ${membersOf(content.body)} came; a list of areas was expected.`);
  }
  throw new UserError(`${file.path}: XML came; JSON, CSV or Parquet was expected.`);
}
