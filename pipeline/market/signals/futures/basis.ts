import {roundHalfAway} from "../../../../lib/rounding.ts";
import type {Database} from "../../../../lib/sql/duckdb.ts";
import {indexLikePrices} from "../../answers/index-like.ts";
import {nearbyContract} from "../../calendar/futures-contracts.ts";
import type {GatheredRow} from "../gather.ts";

/** The exchange's feeder contract counted other lots before this sale date; no basis is made across it (section 7). */
const specificationSince = "2019-05-01";

/**
 * The basis of each venue's sales in the window of the answers: index-like cash price less the settlement of the nearby
 * feeder-cattle contract on the sale date. Null without a licence, and without a settlement on that day.
 */
export async function basisRows(
  db: Database,
  futures: readonly GatheredRow[],
  licensed: boolean,
): Promise<GatheredRow[]> {
  const prices = await indexLikePrices(db, ["venue_id", "report_end_date"], "venue_id IS NOT NULL");
  return prices
    .filter((row) => row.price !== null && row.report_end_date >= specificationSince)
    .map((row) => {
      const contract = nearbyContract("feeder_cattle", row.report_end_date);
      const settlement = settlementOf(futures, contract, row.report_end_date);
      const difference = licensed && settlement !== null ? roundHalfAway(row.price! - settlement, 4) : null;
      return {
        signal: "basis",
        key: row.venue_id,
        valid_from: row.report_end_date,
        valid_to: row.report_end_date,
        area_type: "venue",
        area: row.venue_id,
        head_count: row.head,
        cash_usd_per_cwt: row.price,
        contract_month: contract,
        basis_usd_per_cwt: difference,
        source_id: "derived-aggregates",
        source_date: row.report_end_date,
        source_path: null,
        ingested_at: row.ingested_at ?? "",
      };
    });
}

/** The contract's own settlement on a day, else that of a continuous series, which then is the nearby contract. */
function settlementOf(futures: readonly GatheredRow[], contract: string, date: string): number | null {
  const found = futures
    .filter(
      (row) =>
        row["product"] === "feeder_cattle" && row["contract_month"] === contract && row.valid_from === date,
    )
    .sort((a, b) => Number(a["continuous"]) - Number(b["continuous"]));
  return (found[0]?.["settlement"] as number | undefined) ?? null;
}
