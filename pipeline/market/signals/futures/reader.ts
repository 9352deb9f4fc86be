import {UserError} from "../../../../lib/errors.ts";
import {roundHalfAway} from "../../../../lib/rounding.ts";
import {type FuturesProduct, nearbyContract, readSymbol} from "../../calendar/futures-contracts.ts";
import {folded, foldName, type Json, numberOf, objectsOf, textAt} from "../../json-values.ts";
import {dateFrom} from "../../words/published-date.ts";
import {type RowOutcome, readRows, type SignalInput, type SignalReading} from "../reading.ts";
import {tableRows} from "../tables.ts";

/** Bounds per unit outside of which a settlement is a mistake of scale. */
const bounds: Readonly<Record<FuturesProduct, {unit: string; least: number; most: number}>> = {
  feeder_cattle: {unit: "usd_per_cwt", least: 40, most: 1200},
  live_cattle: {unit: "usd_per_cwt", least: 30, most: 800},
  corn: {unit: "us_cents_per_bushel", least: 100, most: 2000},
};

/** Words of file names and markets, for files without symbols. */
const productWords: readonly [RegExp, FuturesProduct][] = [
  [/feeder/i, "feeder_cattle"],
  [/live.?cattle|fat.?cattle/i, "live_cattle"],
  [/\bcorn\b|_corn/i, "corn"],
];

/**
 * Reads daily futures: a table with a date and a settlement or close, one product or several. Values stay inside the build
 * unless the deployment is licensed. The float noise of vendors is rounded off to a hundredth of a cent. Rows of the
 * quarantine carry no values.
 */
export function readFutures({file, content}: SignalInput): SignalReading {
  const rows =
    content.kind === "text"
      ? tableRows(file, content.text)
      : content.kind === "json"
        ? objectsOf(content.body)
        : content.kind === "parquet"
          ? content.records
          : [];
  const names = Object.keys(rows[0] ?? {}).map(foldName);
  const dated = names.some((name) => ["date", "tradedate", "timestamp"].includes(name));
  if (!dated || !names.some((name) => ["settle", "settlement", "settlementprice", "close"].includes(name))) {
    throw new UserError(
      `${file.path}: columns ${Object.keys(rows[0] ?? {}).join(", ") || "none"}; expected a date and a settlement or close.`,
    );
  }
  return readRows(rows, (row) => futuresRow(folded(row), file.path), {raw: false});
}

function futuresRow(row: Json, path: string): RowOutcome {
  const date = dateFrom(row["date"] ?? row["tradedate"] ?? row["timestamp"]);
  if (date === null) return {reject: "bad_date", detail: "a calendar date was expected"};
  const contract = contractOf(row, date, path);
  if (contract === null) return {reject: "unknown_contract", detail: "no feeder cattle, live cattle or corn"};
  const {product} = contract;
  const value = numberOf(row["settle"] ?? row["settlement"] ?? row["settlementprice"] ?? row["close"]);
  if (value === null) return {reject: "no_value", detail: "no settlement or close for the day"};
  const {unit, least, most} = bounds[product];
  if (value < least || value > most)
    return {reject: "implausible_price", detail: `outside ${least} to ${most} ${unit}`};
  const continuous = contract.contractMonth === null;
  const month = contract.contractMonth ?? nearbyContract(product, date);
  const quiet = numberOf(row["volume"]) === 0;
  return {
    accept: {
      table: "futures",
      values: {
        signal: "futures",
        key: continuous ? `${product}/continuous` : `${product}/${month}`,
        valid_from: date,
        valid_to: date,
        area_type: "nation",
        area: "US",
        source_date: date,
        product,
        contract_month: month,
        continuous,
        settlement: roundHalfAway(value, 4),
        unit,
      },
    },
    ...(quiet ? {note: "zero_volume"} : {}),
  };
}

function contractOf(row: Json, date: string, path: string) {
  const fileName = path.split("/").at(-1) ?? "";
  const symbol =
    textAt(row, "ticker", "symbol", "contract") ?? fileName.replace(/(\.csv|\.json|\.txt|\.gz)+$/i, "");
  const read = readSymbol(symbol, date);
  if (read !== null) return read;
  const words = textAt(row, "market", "product", "commodity", "name") ?? fileName;
  const product = productWords.find(([pattern]) => pattern.test(words))?.[1];
  return product === undefined ? null : {product, contractMonth: null};
}
