import {UserError} from "../../../../lib/errors.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {folded, isObject, type Json, membersOf, objectsOf, textOf} from "../../json-values.ts";
import {readRows, type SignalInput, type SignalReading, tellingRow} from "../reading.ts";
import {tableRows} from "../tables.ts";
import {type XmlElement, xmlRoot} from "../xml.ts";
import {isStatistic, statisticRow} from "./statistic.ts";

/**
 * Reads Quick Stats: the API's JSON, CSV and XML, lists of its rows, and the web export with its other headers. The API's
 * error bodies (`{"error": […]}`, also "no rows matched") are a failed file with the body's own message.
 */
export function readStatistics({file, content}: SignalInput): SignalReading {
  const rows = rowsOf(file, content);
  const first = tellingRow(rows, (row) => isStatistic(folded(row)));
  if (first !== undefined && !isStatistic(folded(first))) {
    throw new UserError(
      `${file.path}: members ${Object.keys(first).slice(0, 12).join(", ")}; expected short_desc (or Data Item), year and Value.`,
    );
  }
  return readRows(rows, (row) => statisticRow(folded(row)));
}

function rowsOf(file: RawFile, content: SignalInput["content"]): readonly Json[] {
  if (content.kind === "text") return tableRows(file, content.text);
  if (content.kind === "parquet") return content.records;
  if (content.kind === "xml") return xmlRows(file, xmlRoot(file, content.text));
  const {body} = content;
  if (Array.isArray(body)) return objectsOf(body);
  if (isObject(body) && Array.isArray(body["data"])) return objectsOf(body["data"]);
  const errors = isObject(body) ? body["error"] : undefined;
  const message = Array.isArray(errors) ? errors.map(String).join("; ") : textOf(errors);
  throw new UserError(
    message === null
      ? `${file.path}: ${membersOf(body)} came; expected {"data": […]} of Quick Stats.`
      : `${file.path}: an error came: ${message}`,
  );
}

/** Perl data as XML: a hash of `item key="…"` for each row; an error is a hash with the key `error`. */
function xmlRows(file: RawFile, root: XmlElement): Json[] {
  const hashes = elementsNamed(root, "hashref").map((hash) =>
    Object.fromEntries(
      hash.children
        .filter(({name, attributes}) => name === "item" && attributes["key"] !== undefined)
        .map(({attributes, text}) => [attributes["key"]!, text]),
    ),
  );
  const error = hashes.find((hash) => "error" in hash);
  if (error !== undefined) throw new UserError(`${file.path}: an error came: ${String(error["error"])}`);
  const rows = hashes.filter((hash) => "Value" in hash);
  if (rows.length > 0 || root.name === "perldata") return rows;
  throw new UserError(
    `${file.path}: XML with the root ${root.name} came; perldata of Quick Stats was expected.`,
  );
}

function elementsNamed(element: XmlElement, name: string): XmlElement[] {
  const own = element.name === name ? [element] : [];
  return [...own, ...element.children.flatMap((child) => elementsNamed(child, name))];
}
