import type {Database} from "../../../lib/sql/duckdb.ts";
import type {MarketSourceId} from "../../../schemas/market-source.ts";
import {signalFiles} from "../../../schemas/signal-files.ts";
import {feedsOfKind} from "../feeds/feeds.ts";
import {fillTable} from "../records/record-table.ts";
import {addContext, makeContext} from "../signals/context.ts";
import {citedSource, type ListFile} from "../signals/lists/list-reader.ts";
import {signalTables} from "./signal-tables.ts";

/**
 * Finishes the signal tables, adds rejected rows to the quarantine, and makes `context`: the items that answers carry beside
 * their records, by county, state and venue (`docs/design/market.md` section 13).
 */
export async function addSignals(
  db: Database,
  setting: {asOf: string; futuresLicensed: boolean},
): Promise<void> {
  await db.run("INSERT INTO quarantine BY NAME SELECT * FROM signal_rejects");
  await makeContext(db);
  for (const [, {finish, context = []}] of feedsOfKind("signals")) {
    await finish?.(db, setting);
    for (const rules of context) await addContext(db, rules, setting.asOf);
  }
}

type Contribution = {id: string; sourceDate: string | null; retrievedAt: string | null};

/** Sources that contributed an accepted row, a signal, a licence list or a fact of a venue, by id. */
export async function contributingSources(db: Database, lists: readonly ListFile[]): Promise<Contribution[]> {
  const wanted = ["source_id", "source_date", "ingested_at"];
  const columns = signalFiles.references.columns.filter(({name}) => wanted.includes(name));
  await fillTable(db, "list_sources", columns, lists.flatMap(citations));
  const cited = [
    "list_sources",
    ...signalTables.flatMap((table) => (table === "basis" ? [] : `signal_${table}`)),
  ];
  return db.rows<Contribution>(`
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
