import {moneyWords} from "../../lib/market/cell-words.ts";
import {nearLb} from "../../lib/market/curve-figure.ts";
import type {Indicator, PriceSummary} from "../../schemas/market-answer.ts";
import type {Note} from "./description.ts";
import {changeWords} from "./market-record.ts";

/** What the curve of a summary says beside its figure, and the indicators of the answer, as notes below the table. */
export function curveNotes(
  summary: CurveMeasures | null | undefined,
  indicators: readonly Indicator[] = [],
): Note[] {
  return [
    ["Curve", summary?.price_avg == null ? "" : curveWords(summary)],
    ["Indicators", indicators.flatMap(indicatorWords).join("; ")],
  ];
}

/** What the notes read of a summary; those of other cattle have the value per head alone. */
type CurveMeasures = Partial<
  Pick<
    PriceSummary,
    | "weight_lb"
    | "price_avg"
    | "value_per_head"
    | "slide"
    | "value_of_gain"
    | "heifer_spread"
    | "residual_pens"
  >
>;

function curveWords(summary: CurveMeasures): string {
  const {
    value_per_head: head,
    slide,
    value_of_gain: gains = [],
    heifer_spread: heifers,
    residual_pens = [],
    weight_lb: weight,
  } = summary;
  const far = residual_pens.filter(
    ({avg_weight_lb: lb}) => weight === undefined || Math.abs(lb - weight) <= nearLb,
  );
  return [
    head == null ? "" : `${moneyWords(head)} USD a head`,
    slide == null ? "" : `slide ${moneyWords(slide)} USD from 50 lb lighter to 50 lb heavier`,
    ...gains.map(({to_weight_lb, value}) =>
      value === null ? "" : `a pound of gain to ${to_weight_lb} lb ${moneyWords(value)} USD`,
    ),
    heifers == null ? "" : `heifers ${moneyWords(heifers)} USD`,
    far.length === 0
      ? ""
      : `pens far from it: ${far.map(({price_avg, avg_weight_lb}) => `${moneyWords(price_avg)} at ${avg_weight_lb} lb`).join(", ")}`,
  ]
    .filter(Boolean)
    .join("; ");
}

function indicatorWords({area, class: kind, weight_lb, price_avg, change_week}: Indicator): string[] {
  if (price_avg === null) return [];
  const moved = change_week === null ? "" : ` (${changeWords(change_week)})`;
  return [`${area} ${kind} ${weight_lb} lb ${moneyWords(price_avg)}${moved}`];
}
