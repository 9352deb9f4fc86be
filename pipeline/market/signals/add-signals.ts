import type {Database} from "../../../lib/sql/duckdb.ts";
import type {MarketSourceId} from "../../../schemas/market-source.ts";
import {feedsOfKind} from "../feeds/feeds.ts";
import {signalSourcesSql} from "../files/signals.ts";
import {addContext, makeContext} from "./context.ts";
import type {Signals} from "./read-signals.ts";

/**
 * Finishes the tables of signals, makes `context`, which has the items that answers carry beside their records by county and state
 * (`docs/design/market.md` section 13), and adds rejected rows to the quarantine.
 */
export async function addSignals(
  db: Database,
  setting: {asOf: string; futuresLicensed: boolean},
): Promise<void> {
  await db.run("INSERT INTO quarantine BY NAME SELECT * FROM signal_rejects");
  await makeContext(db);
  for (const [, {finish, context, source}] of feedsOfKind("signals")) {
    await finish?.(db, setting);
    if (context !== undefined) await addContext(db, context, {source, asOf: setting.asOf});
  }
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
