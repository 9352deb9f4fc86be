import {type AnyModel, model} from "../../models/model.ts";
import type {ModelRun} from "../../models/model-run.ts";
import {sqlName} from "../../sql/duckdb.ts";
import {ensureMacros} from "../conform/functions.ts";
import {aliasModel} from "./aliases.ts";
import {type ConformedEntry, mergeModels, rowColumns, sourceName} from "./merge-models.ts";
import {meetingModels, type NumberedSource} from "./same-parcel-sql.ts";
import {countMeetings, type SourceMeeting} from "./source-meetings.ts";

/** The parcels, what became of the rows, and how far the parcel numbers of a county's sources meet. */
type Deduped = {
  /** The rows of the entries, the view of the parcels, and the copies that are none. */
  readonly models: {
    readonly inputs: readonly AnyModel[];
    readonly merged: AnyModel;
    readonly copied: AnyModel;
  };
  readonly outcomes: RowOutcomes[];
  readonly meetings: SourceMeeting[];
  /** Counts of cleaning codes that come from several rows of a parcel, by file. */
  readonly notes: ReadonlyMap<number, Readonly<Record<string, number>>>;
};

/** Numbers of a file's rows that did not become a parcel of their own: exact copies and merged rows. */
export type RowOutcomes = {readonly file: number; readonly copies: number; readonly merged: number};

/**
 * Makes the view `into` with one row per parcel from the accepted rows of all entries of a state, and
 * returns the outcomes of the rows by file (`docs/design/parcels.md` sections 5.1 and 9). Rows of one county
 * with equal `tok` are one parcel. Exact copies within a source are dropped and recorded in the model
 * `copied_rows` by file and row. If rows of a source differ in their roll year, or in the day on which their files
 * were retrieved, only the newest count. Other rows are merged, and flagged `duplicate_id` if a source has
 * several accounts for the parcel. Records without a parcel number and with the same digest stay separate,
 * with a suffix; a numbered parcel with the same address and location replaces them. Most rows share their
 * parcel with no other; they stay in their tables, which the view reads until its models are released. `served` is the relation of
 * the previous build's parcels; meetings are only counted if `isCounted`.
 */
export async function dedupe(
  run: ModelRun,
  entries: readonly ConformedEntry[],
  {into, served = null, isCounted = true}: {into: string; served?: string | null; isCounted?: boolean},
): Promise<Deduped> {
  const {db} = run;
  const sources = numberedSources(entries);
  const inputs = entries.map(({table}) => model({name: table, columns: rowColumns}));
  for (const input of inputs) if (!run.has(input)) await run.adopt(input, {rows: 0, seconds: 0});
  const compared = meetingModels(sources, {reads: inputs});
  const {several, numbers, meetings, unclear} = compared;
  if (sources.length > 1) {
    // In a state with found parcels only, nothing has been conformed here yet.
    await ensureMacros(db);
    run.plan([...inputs, several, numbers, meetings, unclear]);
    await run.make(several, numbers, meetings, unclear);
  }
  const isCompared = sources.length > 1 && (await run.count(several)) > 0;
  const counted = isCompared && isCounted ? await countMeetings(db) : [];
  const aliases = isCompared && (await run.count(meetings)) > 0 ? aliasModel(sources, compared) : null;
  const {merged, all, groups, ranked, superseded, copied, replaced} = mergeModels(entries, {
    ...{into, served, inputs, aliases},
    unclear: isCompared ? unclear : null,
  });
  run.plan([...inputs, merged, all, groups, ranked, superseded, copied, replaced]);
  await run.make(superseded, copied, groups, merged);
  const outcomes = await rowOutcomes(run);
  const addressed = await db.rows<{file: number; n: number}>(
    `SELECT _file AS file, count(*)::INTEGER AS n FROM ${groups.name} WHERE _addressed GROUP BY file ORDER BY file`,
  );
  const notes = new Map(addressed.map(({file, n}) => [file, {several_addresses: n}]));
  await run.release(ranked, groups, superseded, several, numbers, meetings);
  if (!all.reads.includes(unclear)) await run.release(unclear);
  return {outcomes, meetings: counted, notes, models: {inputs, merged, copied}};
}

/** The sources whose numbers are compared: what was found on misses is a source of its own. */
function numberedSources(entries: readonly ConformedEntry[]): NumberedSource[] {
  const bySource = Map.groupBy(entries, sourceName);
  return [...bySource].map(([source, own]) => ({
    source,
    rows: own.map(({table}) => `(SELECT * FROM ${sqlName(table)} WHERE _reject IS NULL)`),
    isFound: own[0]!.isFound === true,
  }));
}

async function rowOutcomes({db}: ModelRun): Promise<RowOutcomes[]> {
  const rows = await db.rows<{file: number; copies: bigint; merged: bigint}>(
    `SELECT file, sum(copies)::BIGINT AS copies, sum(merged)::BIGINT AS merged FROM (
       SELECT _file AS file, count(*) AS copies, 0 AS merged FROM copied_rows GROUP BY file
       UNION ALL
       SELECT _file AS file, 0, count(*) FROM superseded_rows GROUP BY file
       UNION ALL
       SELECT _file AS file, 0, count(*) FROM replaced_records GROUP BY file
       UNION ALL
       SELECT _file AS file, 0, count(*) FROM ranked_rows WHERE _of > 1 AND _rank > 1 AND _key NOT LIKE '~%' GROUP BY file)
     GROUP BY file ORDER BY file`,
  );
  return rows.map(({file, copies, merged}) => ({file, copies: Number(copies), merged: Number(merged)}));
}
