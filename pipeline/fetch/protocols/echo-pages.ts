import {parse} from "csv-parse/sync";
import {countWords} from "../../../lib/counts.ts";
import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {FetchError} from "../client/fetch-error.ts";
import {askJson, fetchDocument} from "../jobs/document.ts";
import {eachOf, type Job, nothingNew, refuseNothing, sumOf, type Tally} from "../jobs/job.ts";
import {surveyedStates} from "../jobs/known-sources.ts";

type Results = {
  ResultColumns?: {ObjectName?: unknown; ColumnID?: unknown}[];
  QueryID?: unknown;
  QueryRows?: unknown;
  Error?: {ErrorMessage?: unknown};
};

/**
 * Fetches the livestock facilities state by state: a query, then its rows as CSV with the columns that a reader needs. Columns are requested
 * by number, because ECHO otherwise leaves out industry codes and points. ECHO reports errors inside a 200.
 */
export async function fetchFacilities(job: Job, {parameters, columns}: FeedOf<"echo">): Promise<Tally> {
  const {qcolumns, losses} = await numbersOf(job, columns);
  const tally = await eachOf(job, surveyedStates, async ({state}) => {
    const query = new URLSearchParams({output: "JSON", p_st: state, ...parameters});
    const text = await askJson(job, {url: `${job.source.url}/cwa_rest_services.get_facilities?${query}`});
    const {id, rows} = queryOf(text ?? "{}", state);
    if (rows === 0) return nothingNew;
    let received = 0;
    const document = await fetchDocument(job, {
      ...{name: `facilities_${state}`, extension: "csv", complete: () => received >= rows},
      url: `${job.source.url}/cwa_rest_services.get_download?${new URLSearchParams({output: "CSV", qid: id, qcolumns})}`,
      fault: (body) => {
        if (body.trimStart().startsWith("{")) return errorIn(body) ?? "expected CSV, got JSON";
        received = parse(body, {relax_column_count: true}).length - 1;
        return null;
      },
    });
    return document.text !== null && received < rows
      ? {
          ...document,
          partial: `${state}: received ${countWords(received)} of ${countWords(Number(rows))} facilities`,
        }
      : document;
  });
  return sumOf([refuseNothing(job, tally, "ECHO counts no facility in any state"), {...nothingNew, losses}]);
}

/** The numbers of columns by their names, as the service gives them today: they change when it adds some. A column that is gone is a loss. */
async function numbersOf(
  job: Job,
  names: readonly string[],
): Promise<{qcolumns: string; losses: readonly string[]}> {
  const text = await askJson(job, {url: `${job.source.url}/cwa_rest_services.metadata?output=JSON`});
  const {ResultColumns = []} = resultsOf(text ?? "{}");
  const columns = new Map(
    ResultColumns.map(({ObjectName, ColumnID}) => [String(ObjectName), String(ColumnID)]),
  );
  const absent = names.filter((name) => !columns.has(name));
  if (absent.length === names.length)
    throw new FetchError("moved", `moved: ECHO has no column ${absent.join(", ")}`);
  return {
    qcolumns: names.flatMap((name) => columns.get(name) ?? []).join(","),
    losses: absent.map(
      (name) => `${name}: ECHO no longer has this column; if it has another name now, correct the entry`,
    ),
  };
}

function queryOf(text: string, state: string): {id: string; rows: number} {
  const error = errorIn(text);
  const {QueryID, QueryRows} = resultsOf(text);
  if (error !== null) throw new FetchError("refused", `${state}: ${error}`);
  if (QueryID === undefined || QueryID === null)
    throw new FetchError("refused", `${state}: the answer has no QueryID`);
  if (!/^\d+$/.test(String(QueryRows)))
    throw new FetchError("refused", `${state}: the answer has no number of QueryRows`);
  return {id: String(QueryID), rows: Number(QueryRows)};
}

function errorIn(text: string): string | null {
  const message = resultsOf(text).Error?.ErrorMessage;
  return message === undefined ? null : `ECHO says: ${String(message).slice(0, 200)}`;
}

function resultsOf(text: string): Results {
  return (JSON.parse(text) as {Results?: Results}).Results ?? {};
}
