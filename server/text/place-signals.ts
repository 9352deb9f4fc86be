import {z} from "zod";
import {countWords} from "../../lib/counts.ts";
import {headWords, moneyWords, priceWords} from "../../lib/market/cell-words.ts";
import {joined, type Note} from "./description.ts";
import {changeWords} from "./market-record.ts";

/** A signal of an answer, as far as the words need it: a server of another version may say less. */
export const Signal = z.looseObject({
  signal: z.string().default(""),
  source_id: z.string(),
  key_type: z.string().default("place"),
  key: z.string().default("unnamed"),
  values: z.record(z.string(), z.unknown()).default({}),
  source_date: z.string().nullish(),
});
type Signal = z.infer<typeof Signal>;

const DroughtValues = z.looseObject({worst_class: z.string().nullish(), d2_pct: z.number().nullish()});
const DieselValues = z.looseObject({
  price_usd_per_gal: z.number().nullish(),
  change_week_usd_per_gal: z.number().nullish(),
});
const AlertValues = z.looseObject({event: z.string().nullish(), severity: z.string().nullish()});
const ForecastValues = z.looseObject({
  periods: z
    .array(
      z.looseObject({
        name: z.string().default("Next"),
        temperature: z.number().nullish(),
        temperature_unit: z.string().nullish(),
        precipitation_pct: z.number().nullish(),
        summary: z.string().nullish(),
      }),
    )
    .default([]),
});

const MandatoryValues = z.looseObject({
  report_title: z.string().nullish(),
  section: z.string().nullish(),
  labels: z.record(z.string(), z.string()).default({}),
  measures: z.record(z.string(), z.number()).default({}),
  lines: z
    .array(
      z.looseObject({
        class: z.string().nullish(),
        grade: z.string().nullish(),
        price_basis_live: z.string().nullish(),
        delivery: z.string().nullish(),
        price_avg: z.number().nullish(),
        change_week: z.number().nullish(),
        change_week_from: z.string().nullish(),
        head_count: z.number().nullish(),
      }),
    )
    .default([]),
});
type MandatoryLine = z.infer<typeof MandatoryValues>["lines"][number];

/** A price with its week's change and head: `steer, live, fob 228.31 USD per cwt, +1.20 since 2026-08-16, 12,345 head`. */
function lineWords({
  price_avg: price,
  change_week: change,
  change_week_from: day,
  ...line
}: MandatoryLine): string {
  const {class: cattle, grade, price_basis_live: basis, delivery, head_count: head} = line;
  const kind = joined([cattle?.toLowerCase(), grade?.toLowerCase(), basis, delivery]);
  return joined([
    `${kind} ${price == null ? "without a price" : priceWords(price, "per_cwt")}`,
    change == null || day == null ? null : `${changeWords(change)} since ${day}`,
    head == null ? null : headWords(head, "per_cwt"),
  ]);
}

/** A published name in plain words: `choice_600_900_usd_per_cwt_carcass` is `choice 600-900 USD per cwt carcass`. */
function measureWords(name: string): string {
  const words = name.replace(/(\d+)_(\d+)/g, "$1-$2").replaceAll("_", " ");
  return words
    .replace(/\busd\b/g, "USD")
    .replace(/\blbs?\b/g, "lb")
    .replace(/\bpct\b/g, "%");
}

/** The words for each signal that is told in a line, by its name; null for values that say nothing. */
const signalWords: Readonly<Record<string, (item: Signal) => string | null>> = {
  drought: ({values}) => {
    const {worst_class: worst, d2_pct: severe} = DroughtValues.parse(values);
    if (worst == null) return "none";
    return severe == null
      ? `worst class ${worst}`
      : `worst class ${worst}, ${severe} % of the area in D2 or worse`;
  },
  diesel: ({values}) => {
    const {price_usd_per_gal: price, change_week_usd_per_gal: change} = DieselValues.parse(values);
    if (price == null) return null;
    const than = change == null ? "" : `, ${change > 0 ? "+" : ""}${change} against the week before`;
    return `${price} USD a gallon${than}`;
  },
  weather_alert: ({values}) => {
    const {event, severity} = AlertValues.parse(values);
    if (event == null) return null;
    return severity == null ? event : `${event} (${severity})`;
  },
  mandatory_prices: ({values}) => {
    const {report_title: title, section, labels, measures, lines} = MandatoryValues.parse(values);
    if (lines.length > 0)
      return `${joined([title ?? "Mandatory report", section])}: ${lines.map(lineWords).join("; ")}`;
    const numbers = Object.entries(measures).map(
      ([name, value]) => `${measureWords(name)} ${/usd/.test(name) ? moneyWords(value) : countWords(value)}`,
    );
    if (numbers.length === 0) return null;
    const report = joined([title ?? "Mandatory report", section, ...Object.values(labels)]);
    return `${report}: ${numbers.join("; ")}`;
  },
  weather_forecast: ({values}) => {
    const [first] = ForecastValues.parse(values).periods;
    if (first === undefined) return null;
    const {name, summary, temperature, temperature_unit: unit, precipitation_pct: rain} = first;
    const degrees = temperature == null ? "" : `, ${temperature} ${unit === "degC" ? "°C" : "°F"}`;
    return `${name}: ${summary ?? "no summary"}${degrees}${rain == null ? "" : `, precipitation ${rain} %`}`;
  },
};

const labels: Readonly<Record<string, string>> = {
  drought: "Drought",
  diesel: "Diesel",
  weather_alert: "Alert",
  weather_forecast: "Forecast",
  mandatory_prices: "Packers",
};

/** Of the purchases of packers this many lines are told, of other signals the first. */
const mandatoryLines = 6;

/** The words for a signal, or null where it says nothing that a line can tell. */
export function wordsOf(item: Signal): string | null {
  const words = Object.hasOwn(signalWords, item.signal) ? signalWords[item.signal] : undefined;
  return words === undefined || Object.keys(item.values).length === 0 ? null : words(item);
}

/**
 * Drought, diesel and weather of the place, one line each: of the county where it has them, else of the state or region; then what packers
 * report by law, one line a report. These are no auction prices.
 */
export function placeSignals(context: readonly Signal[]): Note[] {
  return Object.entries(labels).flatMap(([signal, label]): Note[] => {
    const items = context.filter((each) => each.signal === signal);
    return items.slice(0, signal === "mandatory_prices" ? mandatoryLines : 1).flatMap((item): Note[] => {
      const text = wordsOf(item);
      if (text === null) return [];
      const {key_type: kind, key, source_date: date, source_id: source} = item;
      // A mandatory report is of the nation or a region, whatever state asks for it.
      const place = signal === "mandatory_prices" ? "" : `${kind} ${key}, `;
      return [[label, `${text} (${place}${date ?? "undated"}, ${source})`]];
    });
  });
}
