import {isThin, type Pool} from "./pools.ts";
import {rounded} from "./rounded.ts";

export type Named = Record<string, unknown>;
type Evidence = Named & {contradictions: Named[] | null};

/** A served record with its evidence, the records of the answer that share it, and the question that brought it. */
export type Served = {
  path: string;
  asked: URLSearchParams;
  record: Named;
  group: Named[];
  evidence: Evidence;
};

/** The score of `docs/design/market.md` section 6 from its four parts; null without a date. */
export function scoreOf(
  {evidence}: Served,
  parts: {recency: number; head: number; coverage: number} | null,
): Named {
  if (parts === null) return {"confidence.score": null};
  const {recency, head, coverage} = parts;
  const product =
    rounded(recency, 4)! * Math.min(1, Math.sqrt(head / 100)) * coverage * agreement(evidence.contradictions);
  return {"confidence.score": rounded(product, 4)};
}

export function agreement(found: Named[] | null): number {
  if (found === null) return 0.9;
  if (found.length === 0) return 1;
  const settled = found.every(
    ({kind, a, difference, tolerance, resolution}) =>
      resolution !== "unresolved" &&
      (kind === "summary_incomplete"
        ? Number(difference) <= Number((a as Named)["value"]) / 10
        : Math.abs(Number(difference)) <= 2 * Number(tolerance)),
  );
  return settled ? 0.7 : 0.4;
}

export function ageOf(date: string, asOf: string): number {
  return (Date.parse(asOf) - Date.parse(date)) / 86_400_000;
}

export function freshnessOf(age: number): string {
  return age <= 10 ? "fresh" : age <= 21 ? "recent" : age <= 35 ? "aging" : age <= 60 ? "stale" : "expired";
}

/** Members that every pooled price has. */
export function pooled(found: Pool, record: Named, asOf: string): Named {
  const age = ageOf(found.last!, asOf);
  const perCwt = record["price_unit"] === "per_cwt" && found.weight !== null;
  return {
    price_avg: rounded(found.price, 2),
    price_low: found.low,
    price_high: found.high,
    head_count: found.head,
    rows: found.rows,
    avg_weight_lb: rounded(found.weight, 0),
    value_per_head: perCwt ? rounded((found.price! * found.weight!) / 100, 2) : null,
    last_sale_date: found.last,
    age_days: age,
    freshness: freshnessOf(age),
    thin: isThin(record, found.head),
    contributing_head: null,
  };
}

export function roundedChanges(moved: Named): Named {
  const two = (name: string) => rounded(moved[name] as number | null, 2);
  return {...moved, change_week: two("change_week"), change_year: two("change_year")};
}
