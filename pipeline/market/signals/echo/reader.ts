import {UserError} from "../../../../lib/errors.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {folded, isObject, type Json, membersOf, objectsOf, textAt, textOf} from "../../json-values.ts";
import {reading, readRows, type SignalInput, type SignalReading, tellingRow} from "../reading.ts";
import {tableRows} from "../tables.ts";
import {facilityRow, isFacility} from "./facility.ts";

/**
 * Reads answers of EPA ECHO: the first step (a query id with counts), the second (rows as CSV, JSON or GeoJSON), column
 * descriptions and lookups. An error inside an HTTP 200 is a failed file with the source's own message.
 */
export function readEcho({file, content}: SignalInput): SignalReading {
  if (content.kind === "text") return facilities(file, tableRows(file, content.text));
  if (content.kind !== "json")
    throw new UserError(`${file.path}: ${content.kind} came; JSON or CSV of ECHO was expected.`);
  const {body} = content;
  if (isObject(body) && Array.isArray(body["features"]))
    return facilities(file, objectsOf(body["features"]).map(flat));
  const results = isObject(body) && isObject(body["Results"]) ? body["Results"] : null;
  if (results === null)
    throw new UserError(`${file.path}: ${membersOf(body)} came; expected Results or features of ECHO.`);
  refuseError(file, results);
  for (const [member, note] of [
    ["ResultColumns", "column_descriptions"],
    ["LuValues", "lookup_values"],
  ] as const) {
    const entries = objectsOf(results[member]);
    if (Array.isArray(results[member]))
      return reading({
        otherAccepted: entries.length,
        notes: entries.length === 0 ? {} : {[note]: entries.length},
      });
  }
  for (const member of ["Facilities", "Permits"])
    if (Array.isArray(results[member])) return facilities(file, objectsOf(results[member]));
  if (textOf(results["QueryID"]) === null)
    throw new UserError(
      `${file.path}: Results with ${membersOf(results)} came; expected a QueryID, rows or columns.`,
    );
  const remark = `${file.path}: a query of ${textOf(results["QueryRows"]) ?? "?"} rows, to be downloaded by its id`;
  return reading({otherAccepted: 1, notes: {query_answers: 1}, remark});
}

/** A GeoJSON feature as one record: its properties with the point's coordinates. */
function flat(feature: Json): Json {
  const geometry = isObject(feature["geometry"]) ? feature["geometry"] : {};
  const [lon, lat] = Array.isArray(geometry["coordinates"]) ? geometry["coordinates"] : [];
  return {...(isObject(feature["properties"]) ? feature["properties"] : {}), lat, lon};
}

function facilities(file: RawFile, rows: readonly Json[]): SignalReading {
  const first = tellingRow(rows, (row) => isFacility(folded(row)));
  if (first !== undefined && !isFacility(folded(first))) {
    throw new UserError(
      `${file.path}: columns ${Object.keys(first).slice(0, 12).join(", ")}; expected a facility's name and SourceID.`,
    );
  }
  return readRows(rows, (row) => facilityRow(folded(row), file.retrievedAt.slice(0, 10)));
}

function refuseError({path}: RawFile, results: Json): void {
  const error = isObject(results["Error"])
    ? textAt(folded(results["Error"]), "errormessage", "message")
    : textOf(results["Error"]);
  if (error !== null) throw new UserError(`${path}: an error came: ${error}`);
}
