import {isObject, type Json, numberOf, objectsOf, textOf} from "@open-cattle/usda-reports/values";
import {addDays} from "../../../lib/dates.ts";
import {model} from "../../../lib/models/model.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {
  contractColumns,
  contractsOf,
  indexLikeSql,
  settlementsSql,
  spreadSql,
} from "../answers/derived-measures.ts";
import {cell_rows} from "../answers/price-cells.ts";
import {current_issues, venueSale} from "../answers/sold-issues.ts";
import {
  type FuturesProduct,
  type FuturesSymbol,
  nearbyContract,
  readContractMonth,
  readSymbol,
} from "../calendar/futures-contracts.ts";
import {isTradingDay} from "../calendar/holidays.ts";
import {cells} from "../normalise/cell-rows.ts";
import {everyState} from "../signals/context.ts";
import {reject} from "../signals/reading.ts";
import {signal_futures} from "../signals/signal-futures.ts";
import {type Row, tableReader} from "../signals/signal-reader.ts";
import {gathered, gatheredColumns, withFurtherRows} from "../signals/signal-tables.ts";
import type {SignalFeed} from "./feed.ts";

/** Bounds per unit; a settlement outside them has a wrong scale. */
const products: Readonly<Record<FuturesProduct, {unit: string; min: number; max: number}>> = {
  feeder_cattle: {unit: "usd_per_cwt", min: 40, max: 1200},
  live_cattle: {unit: "usd_per_cwt", min: 30, max: 800},
  corn: {unit: "us_cents_per_bushel", min: 100, max: 2000},
};

const dates = ["date", "tradedate", "bizdt", "timestamp", "time"];
const settlements = ["settle", "settlement", "settlementprice", "settleprice", "close", "latest"];

/** Symbol roots by the exchange's product numbers, which occur in the URLs of its settlements. */
const productNumbers: Readonly<Record<string, string>> = {"22": "LE", "34": "GF", "300": "ZC"};

/**
 * Daily futures of a licensed vendor or of the exchange: a date and a settlement or close, for one or several products. Unless
 * the deployment is licensed, values never leave the build, not even in the quarantine. Vendors' floating-point noise is
 * rounded to 0.01 cents.
 */
export const futures: SignalFeed = {
  kind: "signals",
  source: "futures",
  tables: ["futures", "basis"],
  read: tableReader("futures", {
    needs: [dates, settlements],
    expected: "a date, a symbol and a settlement or close",
    keepsRaw: false,
    // The exchange's settlements of a product on one day; the last line is their total.
    records(body) {
      if (!isObject(body) || !Array.isArray(body["settlements"])) return undefined;
      const lines = objectsOf(body["settlements"]).filter(({month}) => !/^total$/i.test(textOf(month) ?? ""));
      return lines.map(
        (line): Json => ({...line, contractMonth: line["month"], tradeDate: body["tradeDate"]}),
      );
    },
    columns(row, {file}) {
      const date = row.date(...dates) ?? reject("bad_date", "expected a calendar date");
      if (!isTradingDay(date)) reject("no_trading_day", `${date} is a weekend or a holiday of the exchange`);
      const kind = row.text("sectyp");
      if (kind !== null && kind !== "FUT") reject("not_futures", `a row of kind ${kind}`);
      const symbol = row.text("ticker", "symbol", "contract", "sym") ?? symbolOf(file);
      const {product, contractMonth} =
        contractOf(row, symbol ?? "", date) ??
        reject("unknown_contract", "no contract of feeder cattle, live cattle or corn");
      const {unit, min, max} = products[product];
      const value =
        settlements.map((name) => priceIn(row.cells[name])).find((price) => price !== null) ??
        reject("no_value", "no settlement or close for the day");
      if (value < min || value > max) reject("implausible_price", `outside ${min} to ${max} ${unit}`);
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
  completes: () => ({futures: signal_futures, basis: signal_basis}),
  context: [
    {
      table: "futures",
      // On equal dates the nearest contract wins.
      order: "contract_month || ' ' || key",
      newestOf: "product",
      days: "4",
      places: {state: everyState},
      group: "product",
      keyOf: ["'contract'", "first(product || '/' || contract_month)"],
      values: ["product", "contract_month", "settlement", "unit", "min(valid_from) AS date"],
      licensed: "bool_and(settlement IS NOT NULL)",
      limitation: "Delayed or derived background; not a local price.",
    },
  ],
  // The two trading days before the as-of date.
  sample(asOf) {
    const days = [1, 2, 3, 4, 5, 6, 7].map((count) => addDays(asOf, -count)).filter(isTradingDay);
    const text = `date,ticker,market,close,volume
${days[1]},GF=F,Feeder Cattle Futures,351.25,5123
${days[0]},GF=F,Feeder Cattle Futures,352.5,4987
`;
    return [{name: "sample.csv", text}];
  },
};

/**
 * The symbol of a file whose rows have none: from the product number in its URL, or the start of its name (`gff27_daily.csv`).
 */
function symbolOf({path, meta}: RawFile): string | null {
  const [, number = ""] = /\/Settlements\/(\d+)\/FUT\b/i.exec(meta?.url ?? "") ?? [];
  const [, name = null] =
    /(?:^|\/)((?:GF|FC|LE|LC|ZC)(?:[A-Z]\d{1,2})?)(?=[^a-z0-9/][^/]*$)/i.exec(path) ?? [];
  return productNumbers[number] ?? name;
}

/** The contract of a row, from its symbol, or from a month column if the symbol has no month. */
function contractOf(row: Row, symbol: string, date: string): FuturesSymbol | null {
  const read = readSymbol(symbol, date);
  const month = row.text("mmy", "contractmonth");
  return read === null || read.contractMonth !== null || month === null
    ? read
    : readContractMonth(read.product, month);
}

/** A price as printed: `358.075`, `358.075s` (settled), and in eighths of a cent `433'6` or `433-6`. */
function priceIn(cell: unknown): number | null {
  const text = (textOf(cell) ?? "").replace(/(?<=\d)s$/i, "");
  const [, whole, eighths] = /^(\d{2,4})['-]([0-7])$/.exec(text) ?? [];
  return whole === undefined ? numberOf(text) : Number(whole) + Number(eighths) / 8;
}

/** Before this sale date the exchange's feeder contract had another specification, so no basis is computed (section 7). */
const specificationSince = "2019-05-01";

/** Served auctions of the index-like cell that are not thin, if any futures were read. */
const index_like = model({
  name: "index_like",
  reads: [cell_rows, cells, current_issues, signal_futures],
  columns: {
    VARCHAR:
      "venue_id cell_id commodity class frame muscle_grade quality_grade dressing age_class pregnancy_stage offspring_weight weight_bin lot_description price_unit delivery freight region ingested_at last_verified_at",
    DATE: "report_end_date first_date last_date",
    "VARCHAR[]":
      "lot_descriptors venue_ids issue_ids report_slugs source_ids systems programs statuses published",
    BOOLEAN: "headline weight_spans_bins thin any_preliminary any_estimated_weight",
    DOUBLE: "price avg_weight low high",
    INTEGER: "head head_recency row_count rows_excluded weight_imputed_rows venues described_head",
  },
  sql: () => `FROM (${indexLikeSql(["venue_id", "report_end_date"], `${venueSale} AND venue_id IS NOT NULL`)})
    WHERE NOT thin AND report_end_date >= DATE '${specificationSince}' AND EXISTS (FROM signal_futures)`,
});

/** The nearby contract on the day of each of these sales. */
const index_contracts = model({
  name: "index_contracts",
  reads: [index_like],
  columns: contractColumns,
  rows: (run) => contractsOf(run, index_like),
});

const basis = `(${spreadSql})::VARCHAR::DECIMAL(38,17)`;

/**
 * The basis of each venue's served sales: the index-like cash price minus the settlement of the nearby feeder-cattle contract on
 * the sale date. Null without a licence or without a settlement on that day.
 */
const signal_basis = model({
  name: "signal_basis",
  reads: [gathered.basis, index_like, index_contracts, signal_futures],
  columns: gatheredColumns("basis"),
  materialise: "table",
  sql: () =>
    withFurtherRows(
      "basis",
      `SELECT 'basis' AS signal, venue_id AS key, report_end_date AS valid_from,
      report_end_date AS valid_to, 'venue' AS area_type, venue_id AS area, head AS head_count, price AS cash_usd_per_cwt, contract_month,
      round(${basis}, 4)::DOUBLE AS basis_usd_per_cwt, 'derived-aggregates' AS source_id, report_end_date AS source_date,
      ingested_at::TIMESTAMP AS ingested_at
    FROM index_like JOIN index_contracts USING (report_end_date) LEFT JOIN (${settlementsSql}) USING (contract_month, report_end_date)`,
    ),
});
