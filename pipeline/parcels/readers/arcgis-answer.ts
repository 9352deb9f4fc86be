import {readFile, stat} from "node:fs/promises";
import {type ArcgisAnswer, readAnswer} from "../../../lib/arcgis/answer.ts";
import {UserError} from "../../../lib/errors.ts";
import {jsonReader} from "./json.ts";
import {type Dataset, NotATable, type Reader} from "./reader.ts";

/** Metadata and lists of ids are read at once; a larger file is rows. */
const mostBytes = 64 * 2 ** 20;
/** An answer to `returnCountOnly` is shorter; other servers' documents may have a member of that name. */
const mostCountBytes = 200;
/** Members by which an answer without rows is suspected; what it is shows when it is read. */
const suspicious = /"(?:currentVersion|objectIds|count|error|drawingInfo|extent)"\s*:/;
const rows = /"(?:features|rows)"\s*:|"FeatureCollection"/;

/**
 * What a harvest keeps beside the pages of a layer: its metadata, counts and lists of object ids, which are left out, and
 * answers that are errors, which are refused. Everything else goes to the reader of JSON.
 */
export const arcgisAnswerReader: Reader = {
  name: "ArcGIS answer",
  knows(dataset) {
    const start = textOf(dataset);
    return start.startsWith("{") && suspicious.test(start) && !rows.test(start);
  },
  async read(request) {
    const {path, shown} = request.dataset;
    const {size} = await stat(path);
    const answer = size > mostBytes ? null : understood(await readFile(path, "utf8"));
    if (answer === null || answer.kind === "page" || (answer.kind === "count" && size > mostCountBytes))
      return jsonReader.read(request);
    if (answer.kind === "error") {
      throw new UserError(
        `${shown}: the server's error came in place of data: ${answer.code ?? ""} ${answer.message}`.trimEnd(),
      );
    }
    throw new NotATable(`${shown}: ${saying(answer)}, no rows.`);
  },
};

function textOf({head}: Dataset): string {
  return head
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart();
}

/** Null for text that is no answer of an ArcGIS server: the reader of JSON says what is wrong with it. */
function understood(text: string): ArcgisAnswer | null {
  try {
    return readAnswer(text);
  } catch {
    return null;
  }
}

function saying(answer: Exclude<ArcgisAnswer, {kind: "error"} | {kind: "page"}>): string {
  if (answer.kind === "count") return `a count (${answer.count})`;
  if (answer.kind === "ids") return `a list of ${answer.objectIds.length} object ids`;
  return `the metadata of the layer "${answer.name ?? ""}"`;
}
