import {countWithNoun, countWords} from "../../lib/counts.ts";
import type {Database} from "../../lib/sql/duckdb.ts";
import {MARKET} from "../../lib/storage/build-layout.ts";
import type {GateResult, MarketPart} from "../../schemas/manifest.ts";
import {judge, loss, skipped} from "./gate.ts";

const gate = "source-rows";
const rowsPrefix = "feed_rows:";

/** Shares of a feed's rows that may go missing. */
const warnedLoss = 0.02;
const maxLoss = 0.1;
/** A feed with fewer rows is judged only when it has none left: a single corrected report is a large share of it. */
const minRows = 500;

/** The facts of a staged market that the gate compares with its base. */
type Compared = {
  readonly base: MarketPart | null;
  readonly baseAsOf: string | null;
  readonly asOf: string;
  readonly sample: boolean;
  readonly feeds: readonly string[];
  readonly missingFiles: readonly string[];
};

/** Counts the price rows of each feed, from relations in SQL whose `source_path` names the raw file of a row. */
export async function feedFigures(
  db: Database,
  relations: readonly string[],
): Promise<Record<string, number>> {
  const rows = relations.map((relation) => `SELECT source_path FROM ${relation}`).join(" UNION ALL ");
  const counts = await db.rows<{feed: string; n: number}>(
    `SELECT split_part(source_path, '/', 2) AS feed, count(*)::DOUBLE AS n FROM (${rows}) GROUP BY feed ORDER BY feed`,
  );
  return Object.fromEntries(counts.map(({feed, n}) => [`${rowsPrefix}${feed}`, n]));
}

/**
 * Compares the rows of each feed with the base build: raw files accumulate, so rows go missing only with files, or by a fault of ours. An
 * earlier as-of date rightly has fewer, and so has a feed that the program no longer reads.
 */
export function sourceRows(
  {base, baseAsOf, asOf, sample, feeds, missingFiles}: Compared,
  figures: Readonly<Record<string, number>>,
): GateResult {
  if (base === null) return skipped(MARKET, gate, "first build of the market");
  if (sample) return skipped(MARKET, gate, "generated sample data");
  if (baseAsOf !== null && asOf < baseAsOf)
    return skipped(MARKET, gate, `the base build is of a later day, ${baseAsOf}`);
  const counted = Object.entries(base.figures).filter(([key]) => key.startsWith(rowsPrefix));
  if (counted.length === 0) return skipped(MARKET, gate, "the base build did not count them");
  const losses = counted
    .map(([key, before]) => ({feed: key.slice(rowsPrefix.length), before, now: figures[key] ?? 0}))
    .filter(({feed, before, now}) => feeds.includes(feed) && (before >= minRows || now === 0))
    .map((rows) => ({...rows, share: loss(rows.before, rows.now)}))
    .filter(({share}) => share > 0)
    .sort((a, b) => b.share - a.share);
  const shown = losses.map(
    ({feed, before, now}) => `${feed}: ${countWords(before)} rows before, ${countWords(now)} now`,
  );
  return judge(MARKET, gate, losses[0]?.share ?? 0, {
    warnAt: warnedLoss,
    failAt: maxLoss,
    detail: [...shown, ...missingWords(missingFiles)].join("; "),
  });
}

function missingWords(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const which = files.length === 1 ? files[0] : `the first is ${files[0]}`;
  return [`${countWithNoun(files.length, "raw file")} of the base build not there: ${which}`];
}
