import type {GatheredRow} from "../gather.ts";

/**
 * The rows of futures as they may leave: with settlements where the deployment is licensed, else with product, contract and
 * date alone. In a continuous series the first day of a new nearby contract is marked: its change against the day before is
 * no market move.
 */
export function publishedFutures(rows: readonly GatheredRow[], licensed: boolean): GatheredRow[] {
  const byKey = Map.groupBy(rows, ({key}) => key);
  const rolls = new Set<GatheredRow>();
  for (const series of byKey.values()) {
    const days = [...series].sort((a, b) => (a.valid_from < b.valid_from ? -1 : 1));
    for (const [index, day] of days.entries()) {
      const before = days[index - 1];
      if (before !== undefined && before["contract_month"] !== day["contract_month"]) rolls.add(day);
    }
  }
  return rows.map((row) => ({
    ...row,
    contract_roll: rolls.has(row),
    settlement: licensed ? row["settlement"] : null,
  }));
}
