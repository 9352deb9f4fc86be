import {type NamedCattle, usualUnit} from "./named-cattle.ts";
import type {PriceUnit, TrendDirection, TrendQualifier} from "./report-words.ts";
import type {Trend} from "./reporter-fields.ts";

/** A statement, without the sentence and what it compares with. */
export type Entry = Pick<
  Trend,
  | "class"
  | "commodity"
  | "kind"
  | "weight_low_lb"
  | "weight_high_lb"
  | "grade"
  | "direction"
  | "low"
  | "high"
  | "unit"
  | "qualifier"
>;

/** What a sentence says of some cattle. */
export type Said = {
  direction: TrendDirection;
  low: number | null;
  high: number | null;
  unit: PriceUnit | null;
  qualifier: TrendQualifier | null;
};

/** Said of cattle that were not enough for a market test. */
export const untested: Said = {direction: "not_tested", low: null, high: null, unit: null, qualifier: null};

/** No cattle in particular: what is said is of the whole report. */
export const everything: NamedCattle = {
  class: null,
  commodity: null,
  kind: null,
  grade: null,
  low: null,
  high: null,
};

/** The entry of what is said of some cattle. */
export function entryOf(named: NamedCattle, {direction, low, high, unit, qualifier}: Said): Entry {
  const {class: kindOfCattle, commodity, kind, grade} = named;
  return {
    ...{class: kindOfCattle, commodity, kind},
    ...{weight_low_lb: named.low, weight_high_lb: named.high, grade, direction, low, high},
    unit: low === null && high === null ? null : unitOf(named, unit),
    qualifier,
  };
}

/** The unit of a move: what the sentence says, where a head of pairs is a pair, else the usual one. */
function unitOf(named: NamedCattle, said: PriceUnit | null): PriceUnit | null {
  const usual = usualUnit(named);
  return said === null || (said === "per_head" && usual === "per_pair") ? usual : said;
}
