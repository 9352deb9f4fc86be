import {CattleClass, Commodity} from "../../schemas/price-row.ts";
import {wholeNumberParameter, wordsParameter} from "../http/parameter-kinds.ts";

/** Bounds of a weight in pounds, and of the weeks of a history. */
const weights = {least: 50, most: 3000};
const MOST_WEEKS = 156;

/** Pounds that one weight bin spans. */
const BIN_LB = 50;

const weightParameter = wholeNumberParameter(/^0*([5-9][0-9]|[1-9][0-9]{2}|[12][0-9]{3}|3000)$/, {
  what: "a weight",
  bounds: `from ${weights.least} to ${weights.most} pounds`,
})
  .optional()
  .describe(
    `Weight in pounds, ${weights.least} to ${weights.most}: only cells of the 50-lb bin that holds it`,
  );

/** Accepts a number of weeks of history. */
export const historyParameter = wholeNumberParameter(/^0*([1-9][0-9]?|1[0-4][0-9]|15[0-6])$/, {
  what: "a number of weeks",
  bounds: `from 1 to ${MOST_WEEKS} weeks`,
})
  .optional()
  .describe(
    `Weeks of history of each record, 1 to ${MOST_WEEKS}, up to the week of its last sale; no history when absent`,
  );

/** The parameters that choose kinds of cattle. */
export const kindParameters = {
  commodity: wordsParameter(Commodity.options, "commodity", "Commodities, comma-separated; all when absent"),
  class: wordsParameter(CattleClass.options, "class of cattle", "Classes, comma-separated; all when absent"),
  weight: weightParameter,
};

type KindQuery = {
  commodity?: readonly string[] | undefined;
  class?: readonly string[] | undefined;
  weight?: number | undefined;
};

/** The facts of a price record that say which kind of cattle it is about; `binLow` is null for cells without a weight bin. */
export type Kind = {readonly commodity: string; readonly class: string; readonly binLow: number | null};

/** A test of a record's kind. */
export type KindTest = (kind: Kind) => boolean;

/** Makes the test of a question's kinds; null for a question that names none. */
export function kindTest({commodity, class: classes, weight}: KindQuery): KindTest | null {
  if (commodity === undefined && classes === undefined && weight === undefined) return null;
  return (kind) =>
    (commodity === undefined || commodity.includes(kind.commodity)) &&
    (classes === undefined || classes.includes(kind.class)) &&
    (weight === undefined ||
      (kind.binLow !== null && kind.binLow <= weight && weight < kind.binLow + BIN_LB));
}
