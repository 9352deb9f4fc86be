import {addDays} from "../../../lib/dates.ts";
import {states} from "../../../lib/geography/states.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {indexLikePrices} from "../answers/index-like.ts";
import {type FuturesProduct, nearbyContract, readSymbol} from "../calendar/futures-contracts.ts";
import {type GatheredRow, reject} from "../signals/reading.ts";
import {tableReader} from "../signals/table.ts";
import {type SignalFeed, sampleTable} from "./feed.ts";

/** Bounds per unit outside of which a settlement is a mistake of scale. */
const products: Readonly<Record<FuturesProduct, {unit: string; least: number; most: number}>> = {
  feeder_cattle: {unit: "usd_per_cwt", least: 40, most: 1200},
  live_cattle: {unit: "usd_per_cwt", least: 30, most: 800},
  corn: {unit: "us_cents_per_bushel", least: 100, most: 2000},
};

const dates = ["date", "tradedate", "timestamp"];
const settlements = ["settle", "settlement", "settlementprice", "close"];

/**
 * Daily futures of a licensed vendor: a date and a settlement or close, one product or several. Values stay inside the build, and out
 * of the quarantine, unless the deployment is licensed. The float noise of vendors is rounded off to a hundredth of a cent.
 */
export const futures: SignalFeed = {
  kind: "signals",
  source: "futures",
  tables: ["futures", "basis"],
  read: tableReader("futures", {
    of: "a list of days",
    needs: [dates, settlements],
    expected: "a date, a symbol and a settlement or close",
    keepsRaw: false,
    columns(row) {
      const date = row.date(...dates) ?? reject("bad_date", "a calendar date was expected");
      const symbol = row.text("ticker", "symbol", "contract") ?? "";
      const {product, contractMonth} =
        readSymbol(symbol, date) ?? reject("unknown_contract", "no feeder cattle, live cattle or corn");
      const {unit, least, most} = products[product];
      const value = row.number(...settlements) ?? reject("no_value", "no settlement or close for the day");
      if (value < least || value > most) reject("implausible_price", `outside ${least} to ${most} ${unit}`);
      const contract_month = contractMonth ?? nearbyContract(product, date);
      return {
        signal: "futures",
        key: `${product}/${contractMonth ?? "continuous"}`,
        valid_from: date,
        valid_to: date,
        area_type: "nation",
        area: "US",
        product,
        contract_month,
        continuous: contractMonth === null,
        settlement: roundHalfAway(value, 4),
        unit,
        note: row.number("volume") === 0 ? "zero_volume" : null,
      };
    },
  }),
  finish: {
    futures: (tables, {futuresLicensed}) => publishedRows(tables.get("futures") ?? [], futuresLicensed),
    basis: (tables, {db, futuresLicensed}) => basisRows(db, tables.get("futures") ?? [], futuresLicensed),
  },
  context: {
    table: "futures",
    // Of one day the nearest contract counts.
    order: ({contract_month, key}) => `${String(contract_month)} ${key}`,
    newestOf: ({product}) => String(product),
    days: () => 4,
    places: () => states.map(({state}) => ({keyType: "state", key: state})),
    group: ({product}) => String(product),
    keyOf: ({product, contract_month}) => ["contract", `${String(product)}/${String(contract_month)}`],
    values: ([{product, contract_month, settlement, unit, valid_from: date}]) =>
      settlement === null ? null : {product, contract_month, settlement, unit, date},
    limitation: "Delayed or derived background; not a local price.",
  },
  sample: (asOf) =>
    sampleTable(
      "date,ticker,market,close,volume",
      `${addDays(asOf, -2)},GF=F,Feeder Cattle Futures,351.25,5123`,
      `${addDays(asOf, -1)},GF=F,Feeder Cattle Futures,352.5,4987`,
    ),
};

/**
 * The rows as they may leave: with settlements where the deployment is licensed, else with product, contract and date alone. In a
 * continuous series the first day of a new nearby contract is marked: its change against the day before is no market move.
 */
function publishedRows(rows: readonly GatheredRow[], licensed: boolean): GatheredRow[] {
  const rolls = [...Map.groupBy(rows, ({key}) => key).values()].flatMap((series) => {
    const days = [...series].sort((a, b) => (a.valid_from < b.valid_from ? -1 : 1));
    return days.filter((day, i) => i > 0 && day["contract_month"] !== days[i - 1]!["contract_month"]);
  });
  const rolled = new Set(rolls);
  return rows.map((row) => ({
    ...row,
    contract_roll: rolled.has(row),
    settlement: licensed ? row["settlement"] : null,
  }));
}

/** The exchange's feeder contract counted other lots before this sale date; no basis is made across it (section 7). */
const specificationSince = "2019-05-01";

/**
 * The basis of each venue's sales in the window of the answers: index-like cash price less the settlement of the nearby
 * feeder-cattle contract on the sale date. Null without a licence, and without a settlement on that day.
 */
async function basisRows(
  db: Database,
  settled: readonly GatheredRow[],
  licensed: boolean,
): Promise<GatheredRow[]> {
  if (settled.length === 0) return [];
  const prices = await indexLikePrices(db, ["venue_id", "report_end_date"], "venue_id IS NOT NULL");
  return prices
    .filter((row) => row.price !== null && row.report_end_date >= specificationSince)
    .map(({venue_id, report_end_date: date, head, price, ingested_at}) => {
      const contract = nearbyContract("feeder_cattle", date);
      const settlement = licensed ? settlementOf(settled, contract, date) : null;
      return {
        signal: "basis",
        key: venue_id,
        valid_from: date,
        valid_to: date,
        area_type: "venue",
        area: venue_id,
        head_count: head,
        cash_usd_per_cwt: price,
        contract_month: contract,
        basis_usd_per_cwt: settlement === null ? null : roundHalfAway(price! - settlement, 4),
        source_id: "derived-aggregates",
        source_date: date,
        source_path: null,
        ingested_at: ingested_at ?? "",
      };
    });
}

/** The contract's own settlement on a day, else that of a continuous series, which then is the nearby contract. */
function settlementOf(rows: readonly GatheredRow[], contract: string, date: string): number | null {
  const [found] = rows
    .filter(
      (row) =>
        row["product"] === "feeder_cattle" && row["contract_month"] === contract && row.valid_from === date,
    )
    .sort((a, b) => Number(a["continuous"]) - Number(b["continuous"]));
  return (found?.["settlement"] as number | undefined) ?? null;
}
