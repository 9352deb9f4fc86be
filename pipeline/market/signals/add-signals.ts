import type {Database} from "../../../lib/sql/duckdb.ts";
import type {MarketSourceId} from "../../../schemas/market-source.ts";
import {fillSignalTables, signalSourcesSql} from "../files/signals.ts";
import {contextItems, fillContext} from "./context/make-context.ts";
import {currentPaths} from "./current-lists.ts";
import {finishSignals} from "./finish.ts";
import type {Signals} from "./read-signals.ts";

type AddSetting = {asOf: string; futuresLicensed: boolean};

/** Fills the tables of signals and the context of the answers, and adds rejected rows to the quarantine. */
export async function addSignals(
  db: Database,
  signals: Signals,
  {asOf, futuresLicensed}: AddSetting,
): Promise<void> {
  const current = currentPaths(signals.readFiles);
  const tables = await finishSignals(db, signals.tables, {asOf, futuresLicensed, current});
  await fillSignalTables(db, {tables, readFiles: signals.readFiles});
  await fillContext(db, contextItems(tables, asOf, current));
}

type Contribution = {id: string; sourceDate: string | null; retrievedAt: string | null};

/** Sources that contributed an accepted row, a signal, a licence list or a fact of a venue, by id. */
export async function contributingSources(db: Database, signals: Signals): Promise<Contribution[]> {
  const rows = await db.rows<Contribution>(`
    SELECT source_id AS id, max(source_date) AS "sourceDate",
      strftime(max(ingested_at), '%Y-%m-%dT%H:%M:%SZ') AS "retrievedAt"
    FROM (SELECT source_id, report_end_date AS source_date, ingested_at FROM price_rows UNION ALL ${signalSourcesSql})
    GROUP BY source_id`);
  const all = [...rows, ...listedSources(signals)];
  return [...Map.groupBy(all, ({id}) => id)]
    .map(([id, group]) => ({
      id,
      sourceDate: newest(group.map(({sourceDate}) => sourceDate)),
      retrievedAt: newest(group.map(({retrievedAt}) => retrievedAt)),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Rosters give facts of venues, not rows of a table: numbers and points have sources of their own, the rest that of the list. */
function listedSources({rosters, dealers}: Signals): Contribution[] {
  const facts = rosters.flatMap(({file, source, addsVenues, listings}) =>
    listings.flatMap(({slug, saleDays, point}) => {
      const named: MarketSourceId[] = [
        slug === null || !addsVenues ? source : "ams-lmr-datamart",
        ...(saleDays.length > 0 ? [source] : []),
        ...(point !== null ? (["open-map-parcel-context"] as const) : []),
      ];
      return named.map((id) => ({id, sourceDate: null, retrievedAt: file.retrievedAt}));
    }),
  );
  const lists = dealers
    .filter(({entries}) => entries.length > 0)
    .map(({asOf, retrievedAt}) => ({id: "state-agriculture-reference-pages", sourceDate: asOf, retrievedAt}));
  return [...facts, ...lists];
}

function newest(values: readonly (string | null)[]): string | null {
  return values.reduce(
    (best, value) => (value !== null && (best === null || value > best) ? value : best),
    null,
  );
}
