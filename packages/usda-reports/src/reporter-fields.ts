import type {
  Amount,
  CattleClass,
  Commodity,
  PriceUnit,
  TrendDirection,
  TrendQualifier,
} from "./report-words.ts";

/** One statement of a reporter on the market of a kind of cattle. */
export type Trend = {
  /** Kind of cattle; null: all kinds of the commodity. */
  class: CattleClass | null;
  /** Null with a null class: the whole report; else not said. */
  commodity: Commodity | null;
  /** What else narrows it: `calves`, `yearlings`, `young`, `feeding` … */
  kind: string | null;
  weight_low_lb: number | null;
  weight_high_lb: number | null;
  /** Slaughter grade, such as `boner`. */
  grade: string | null;
  /** Of prices, against the week or sale before. */
  direction: TrendDirection;
  /** USD: the least move, positive; of `mixed` the lowest, negative. */
  low: number | null;
  /** USD: the greatest move; null for steady and where none is said. */
  high: number | null;
  /** Null without figures, and of calves of dairies and crosses where none is said. */
  unit: PriceUnit | null;
  qualifier: TrendQualifier | null;
  /** `last_week`, `two_weeks`, `last_sale`, `last_year` or a date; null if not said. */
  compared_with: string | null;
  /** The sentence that says it. */
  text: string;
};

type Shares = Record<string, number> | null;

/** The kinds of cattle in a sale, in percent of head as printed; those of a commodity in percent of its head. */
export type SupplyShares = {
  feeder_pct: number | null;
  feeder: Shares;
  over_600_lb_pct: number | null;
  slaughter_pct: number | null;
  slaughter: Shares;
  replacement_pct: number | null;
  replacement: Shares;
};

/** A coming sale, or a day without one, that a report announces; `head` is null if it says none. */
export type Announcement = {date: string; kind: "special" | "no_sale"; text: string; head: number | null};

/** What the reporter of a sale or a week writes, as fields beside the text. */
export type Reporter = {
  /** Statements on the market, in order. */
  trend: Trend[];
  /** Demand and supply; the lower word of a range, and the higher one, else null. */
  demand: Amount | null;
  demand_to: Amount | null;
  supply: Amount | null;
  supply_to: Amount | null;
  supply_shares: SupplyShares | null;
  /** Whether enough cattle sold for a market test; `partly`: not of every kind. */
  market_test: "tested" | "partly" | "none" | "unstated";
  /** Words of the sentences on quality and condition, in order. */
  quality: string[];
  special_sale_name: string | null;
  announced: Announcement[];
  /** Number of statements with a direction that no form fits. */
  trend_unparsed: number;
  /** The paragraph, its office as printed, and whom to credit. */
  text: string;
  text_published_by: string | null;
  credit: string;
};
