import {asOfDate} from "../../../lib/models/build-facts.ts";
import {type AnyModel, model} from "../../../lib/models/model.ts";
import type {ModelRun} from "../../../lib/models/model-run.ts";
import type {MarketSourceId} from "../../../schemas/market-source.ts";
import type {SignalTable} from "../../../schemas/signal-files.ts";
import {feedsOfKind} from "../feeds/feeds.ts";
import {contextSql} from "../signals/context.ts";
import {citedSource, type ListFile, listFiles} from "../signals/lists/list-reader.ts";
import {gathered, gatheredColumns, signalTables} from "../signals/signal-tables.ts";

/** Models of feeds that complete a gathered table. */
const completing: Readonly<Partial<Record<SignalTable, AnyModel>>> = Object.assign(
  {},
  ...feedsOfKind("signals").map(([, {completes}]) => completes?.()),
);

/** The signals of each table, complete: as its feed completes them, else as they were gathered. */
export const signals = Object.fromEntries(
  signalTables.map((table) => [table, completing[table] ?? asGathered(table)]),
) as Readonly<Record<SignalTable, AnyModel>>;

function asGathered(table: SignalTable): AnyModel {
  return model({
    name: `signal_${table}`,
    reads: [gathered[table]],
    columns: gatheredColumns(table),
    materialise: "view",
    sql: () => `FROM gathered_${table}`,
  });
}

const rules = feedsOfKind("signals").flatMap(([, feed]) => feed.context ?? []);

/** The items that answers carry beside their records, by county, state and venue (`docs/design/market.md` section 13). */
export const context = model({
  name: "context",
  reads: [
    ...new Set([
      ...rules.map(({table}) => signals[table]),
      ...feedsOfKind("signals").flatMap(([, feed]) => feed.contextReads ?? []),
    ]),
  ],
  columns: {VARCHAR: "key_type key signal item", INTEGER: "age_days"},
  materialise: "table",
  sql: async (_, run) => contextSql(rules, await run.value(asOfDate)),
});

type Contribution = {id: string; sourceDate: string | null; retrievedAt: string | null};

/** What the lists are cited for. */
const list_sources = model({
  name: "list_sources",
  columns: {VARCHAR: "source_id", DATE: "source_date", TIMESTAMP: "ingested_at"},
  rows: async (run) => (await run.value(listFiles)).flatMap(citations),
});

/** Sources that contributed an accepted row, a signal, a licence list or a fact of a venue, by id. */
export async function contributingSources(run: ModelRun): Promise<Contribution[]> {
  await run.make(list_sources);
  const cited = [
    "list_sources",
    ...signalTables.flatMap((table) => (table === "basis" ? [] : `signal_${table}`)),
  ];
  return run.db.rows<Contribution>(`
    SELECT source_id AS id, max(source_date) AS "sourceDate",
      strftime(max(ingested_at), '%Y-%m-%dT%H:%M:%SZ') AS "retrievedAt"
    FROM (SELECT source_id, report_end_date AS source_date, ingested_at FROM price_rows
      ${cited.map((table) => `UNION ALL SELECT source_id, source_date, ingested_at FROM ${table}`).join(" ")})
    GROUP BY source_id ORDER BY id`);
}

/**
 * What a list is cited for. Lists give counts and facts of venues rather than rows; report numbers and points cite their own
 * sources, all else cites the list's.
 */
function citations({file, reading: {list, listings, dealers}}: ListFile): object[] {
  const source = citedSource(list);
  const facts = listings.flatMap(({slug, saleDays, point}): MarketSourceId[] => [
    slug === null || dealers !== null ? source : "ams-lmr-datamart",
    ...(saleDays.length > 0 ? [source] : []),
    ...(point !== null ? (["open-map-parcel-context"] as const) : []),
  ]);
  const counted = (dealers?.entries.length ?? 0) > 0 ? [{source_id: source, source_date: dealers!.asOf}] : [];
  return [...facts.map((source_id) => ({source_id})), ...counted].map((cited) => ({
    ...cited,
    ingested_at: file.retrievedAt,
  }));
}
