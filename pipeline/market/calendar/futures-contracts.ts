import {monthNumber} from "@open-cattle/usda-reports";
import {addDays, weekdayOf} from "../../../lib/dates.ts";
import {exchangeHolidays, isTradingDay, thanksgiving} from "./holidays.ts";

export type FuturesProduct = "feeder_cattle" | "live_cattle" | "corn";

/** Contract months of each product (exchange rulebook). */
const contractMonths: Readonly<Record<FuturesProduct, readonly number[]>> = {
  feeder_cattle: [1, 3, 4, 5, 8, 9, 10, 11],
  live_cattle: [2, 4, 6, 8, 10, 12],
  corn: [3, 5, 7, 9, 12],
};

/** Month letters, January to December. */
const monthLetters = "FGHJKMNQUVXZ";

/** Symbol roots: of electronic trading, of the former pit, and the clearing codes of cattle. */
const roots: Readonly<Record<string, FuturesProduct>> = {
  ...{GF: "feeder_cattle", FC: "feeder_cattle", "62": "feeder_cattle"},
  ...{LE: "live_cattle", LC: "live_cattle", "48": "live_cattle"},
  ...{ZC: "corn", C: "corn"},
};

const symbolForm = new RegExp(
  `^/?(${Object.keys(roots).join("|")})(?:=F|([${monthLetters}])(\\d{4}|\\d{1,2}))?(?:\\.[A-Z]+)?(?:\\s|$)`,
);

export type FuturesSymbol = {readonly product: FuturesProduct; readonly contractMonth: string | null};

/**
 * Parses a symbol, also with words after it (`GFH26 (Mar '26)`): `GF=F` is a continuous series; `GFH26`, `/GFH2026` and
 * `GFH26.CME` are a contract. Null for another product, and for a month that the product does not trade.
 */
export function readSymbol(symbol: string, tradeDate: string): FuturesSymbol | null {
  const [, root, letter, digits] = symbolForm.exec(symbol.trim().toUpperCase()) ?? [];
  if (root === undefined) return null;
  const product = roots[root]!;
  if (letter === undefined || digits === undefined) return {product, contractMonth: null};
  return contract(product, yearOf(digits, tradeDate), monthLetters.indexOf(letter) + 1);
}

/**
 * Parses a contract month as the exchange writes it: `202701`, `2027-01`, `JAN 27`, `JLY 2027`. Null for other words, and for a
 * month that the product does not trade.
 */
export function readContractMonth(product: FuturesProduct, words: string): FuturesSymbol | null {
  const digits = /^(20\d{2})-?(\d{2})(?:-?\d{2})?$/.exec(words);
  if (digits !== null) return contract(product, digits[1]!, Number(digits[2]));
  const [, name, year] = /^([a-z]{3})[a-z]*\.?[ -]?(20\d{2}|\d{2})$/i.exec(words.trim()) ?? [];
  const month = name === undefined ? null : monthNumber(name.replace(/^jly$/i, "jul"));
  return month === null ? null : contract(product, year!.padStart(4, "20"), month);
}

function contract(product: FuturesProduct, year: number | string, month: number): FuturesSymbol | null {
  return contractMonths[product].includes(month) ? {product, contractMonth: `${year}-${pad(month)}`} : null;
}

/**
 * The nearby contract of a product on a day, as `YYYY-MM`: the first that still trades. It rolls on the day after the last
 * trading day of the previous contract (`docs/design/market.md` section 7).
 */
export function nearbyContract(product: FuturesProduct, date: string): string {
  const year = Number(date.slice(0, 4));
  for (const candidateYear of [year, year + 1]) {
    for (const month of contractMonths[product]) {
      const contract = `${candidateYear}-${pad(month)}`;
      if (lastTradingDay(product, contract) >= date) return contract;
    }
  }
  throw new RangeError(`no contract of ${product} after ${date}`);
}

/**
 * Last trading day of a contract month by the exchange's rules. Feeder cattle: the last Thursday that is no holiday and has
 * none on the four weekdays before it (November: the Thursday before Thanksgiving). Live cattle: the last trading day of the
 * month. Corn: the trading day before the 15th.
 */
export function lastTradingDay(product: FuturesProduct, contractMonth: string): string {
  const name = `${product} ${contractMonth}`;
  const day = knownLastDays.get(name) ?? lastDayByRule(product, contractMonth);
  knownLastDays.set(name, day);
  return day;
}

/** Cache of last trading days: all sales of a build need the same few. */
const knownLastDays = new Map<string, string>();

function lastDayByRule(product: FuturesProduct, contractMonth: string): string {
  if (product === "feeder_cattle") return lastFeederThursday(contractMonth);
  const after = product === "corn" ? `${contractMonth}-15` : firstOfNextMonth(contractMonth);
  let day = addDays(after, -1);
  while (!isTradingDay(day)) day = addDays(day, -1);
  return day;
}

function lastFeederThursday(contractMonth: string): string {
  const last = addDays(firstOfNextMonth(contractMonth), -1);
  let thursday = contractMonth.endsWith("-11")
    ? addDays(thanksgiving(contractMonth.slice(0, 4)), -7)
    : addDays(last, -((weekdayOf(last) + 3) % 7));
  while (nearHoliday(thursday)) thursday = addDays(thursday, -7);
  return thursday;
}

/** The four weekdays before a Thursday are Wednesday, Tuesday, Monday and the Friday of the week before. */
function nearHoliday(thursday: string): boolean {
  return [0, 1, 2, 3, 6].some((days) => {
    const day = addDays(thursday, -days);
    return exchangeHolidays(Number(day.slice(0, 4))).has(day);
  });
}

function firstOfNextMonth(contractMonth: string): string {
  const [year, month] = [Number(contractMonth.slice(0, 4)), Number(contractMonth.slice(5))];
  return month === 12 ? `${year + 1}-01-01` : `${year}-${pad(month + 1)}-01`;
}

/**
 * The year of a symbol: four digits as they are, two in this century, one as the next year that ends in it, counted from the
 * trade date.
 */
function yearOf(digits: string, tradeDate: string): number {
  if (digits.length > 1) return Number(digits.padStart(4, "20"));
  const year = Number(tradeDate.slice(0, 4));
  return year + ((Number(digits) - (year % 10) + 10) % 10);
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
