import {z} from "zod";
import type {ContextItem} from "../../schemas/market-answer.ts";
import type {Note} from "./description.ts";

const DroughtValues = z.looseObject({worst_class: z.string().nullish(), d2_pct: z.number().nullish()});
const DieselValues = z.looseObject({
  price_usd_per_gal: z.number(),
  change_week_usd_per_gal: z.number().nullish(),
});
const AlertValues = z.looseObject({event: z.string(), severity: z.string().nullish()});
const ForecastValues = z.looseObject({
  periods: z.array(
    z.looseObject({
      name: z.string(),
      temperature: z.number().nullish(),
      temperature_unit: z.string().nullish(),
      precipitation_pct: z.number().nullish(),
      summary: z.string().nullish(),
    }),
  ),
});

/** The words for each signal that is told in a line, by its name; null for values that say nothing. */
export const signalWords: Readonly<Record<string, (item: ContextItem) => string | null>> = {
  drought: ({values}) => {
    const {worst_class: worst, d2_pct: severe} = DroughtValues.parse(values);
    if (worst == null) return "none";
    return severe == null
      ? `worst class ${worst}`
      : `worst class ${worst}, ${severe} % of the area in D2 or worse`;
  },
  diesel: ({values}) => {
    const {price_usd_per_gal: price, change_week_usd_per_gal: change} = DieselValues.parse(values);
    const than = change == null ? "" : `, ${change > 0 ? "+" : ""}${change} against the week before`;
    return `${price} USD a gallon${than}`;
  },
  weather_alert: ({values}) => {
    const {event, severity} = AlertValues.parse(values);
    return severity == null ? event : `${event} (${severity})`;
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
};

/** Drought, diesel and weather of the place, one line each: of the county where it has them, else of the state or region. */
export function placeSignals(context: readonly ContextItem[]): Note[] {
  return Object.entries(signalWords).flatMap(([signal, words]): Note[] => {
    const item = context.find((each) => each.signal === signal);
    const text = item === undefined ? null : words(item);
    if (item === undefined || text === null) return [];
    const {key_type: kind, key, source_date: date, source_id: source} = item;
    return [[labels[signal]!, `${text} (${kind} ${key}, ${date ?? "undated"}, ${source})`]];
  });
}
