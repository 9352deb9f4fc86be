import {isNullText} from "../null-text.ts";

/** An amount in the currency's units with at most two decimals, or none with the cleaning code where the cell is no amount. */
export type Money = {readonly amount: number | null; readonly code: "bad_number" | null};

const amountText = /^[0-9]{1,14}(?:\.([0-9]{1,20}))?$|^\.[0-9]{1,20}$/;
const negative = /^\(.{0,40}\)$|^-|-$/;
const largest = 999_999_999_999.99;

/**
 * Reads an amount: blanks, `$` and thousands commas go, trailing zeros too; brackets or a minus make it null, since a
 * negative value is none (docs/design/parcels.md section 5.4). A text that is no number is `bad_number`.
 */
export function readMoney(cell: string | number | null | undefined): Money {
  if (cell === null || cell === undefined) return {amount: null, code: null};
  const text = typeof cell === "number" ? cell.toFixed(2) : cell.replace(/[\s$,]/g, "");
  if (text === "" || isNullText(text, "number") || negative.test(text)) return {amount: null, code: null};
  if (!amountText.test(text)) return {amount: null, code: "bad_number"};
  const amount = Math.round(Number(text) * 100) / 100;
  return amount > largest ? {amount: null, code: "bad_number"} : {amount, code: null};
}

/** A total with its parts after cleaning, and the codes. */
export type ValueParts = {
  readonly total: number | null;
  readonly parts: readonly (number | null)[];
  readonly codes: readonly ("zero_value" | "value_parts_contradict")[];
};

const partTolerance = 0.01;

/**
 * Zeros of a total and its parts under `zeroMeans`. With `unknown` a total of 0 is null (`zero_value`), and a part of 0 is
 * null when the parts do not sum to the total within 1 % (`value_parts_contradict`). With `zero` everything stays.
 */
export function cleanValueParts(
  total: number | null,
  parts: readonly (number | null)[],
  zeroMeans: "unknown" | "zero",
): ValueParts {
  if (zeroMeans === "zero") return {total, parts, codes: []};
  const codes: ValueParts["codes"][number][] = total === 0 ? ["zero_value"] : [];
  const known = total === 0 ? null : total;
  const sum = parts.reduce<number>((all, part) => all + (part ?? 0), 0);
  const fits = known !== null && Math.abs(sum - known) <= known * partTolerance;
  if (fits || !parts.includes(0)) return {total: known, parts, codes};
  // Zeros beside an unknown total contradict nothing, but say nothing either.
  if (known !== null) codes.push("value_parts_contradict");
  return {total: known, parts: parts.map((part) => (part === 0 ? null : part)), codes};
}

const leastSalePrice = 100;

/** A sale price; below 100 it is nominal and none. */
export function cleanSalePrice(price: number | null): {price: number | null; code: "nominal_price" | null} {
  if (price === null || price >= leastSalePrice) return {price, code: null};
  return {price: null, code: "nominal_price"};
}
