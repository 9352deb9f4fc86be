import {readFile, stat} from "node:fs/promises";
import {type ArcgisAnswer, readAnswer} from "../../../lib/arcgis/answer.ts";
import {UserError} from "../../../lib/errors.ts";
import {jsonReader} from "./json.ts";
import {type Dataset, NotATable, type Reader} from "./reader.ts";

/** Size up to which a file is read at once as metadata or a list of ids; a larger file holds rows. */
const mostBytes = 64 * 2 ** 20;
/** Size that an answer to `returnCountOnly` does not reach; documents of other servers may have a member of that name. */
const mostCountBytes = 200;
/** Members that make a file a candidate for an answer without rows; reading it decides. */
const suspicious = /"(?:currentVersion|objectIds|count|error|drawingInfo|extent)"\s*:/;
const rows = /"(?:features|rows)"\s*:|"FeatureCollection"/;

/**
 * Reads the answers that a harvest keeps beside the pages of a layer. Metadata, counts and lists of object ids are left out, and
 * errors are refused. All other answers go to the reader of JSON.
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

/** Gives the answer in a text; null for other text, whose fault the reader of JSON reports. */
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
