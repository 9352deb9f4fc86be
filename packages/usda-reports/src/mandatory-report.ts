import {foldColumnName} from "./column-aliases.ts";
import {folded, isObject, type Json, numberOf, objectsOf, textOf} from "./published-values.ts";

/**
 * The rows of a mandatory report: each section of a Datamart answer with its name, or the days of the older XML service, parsed; undefined
 * for another body.
 */
export function mandatoryRecords(body: unknown): Json[] | undefined {
  const days = xmlRows(body);
  if (days.length > 0) return days;
  const sections = sectionsOf(body);
  if (!sections.every(({results}) => Array.isArray(results))) return undefined;
  return sections.flatMap(({reportSection, results}) =>
    objectsOf(results).map((row) => ({...row, report_section: reportSection})),
  );
}

/** The sections of a Datamart answer: one, or several in a list. */
function sectionsOf(body: unknown): Json[] {
  return objectsOf(Array.isArray(body) ? body : [body]);
}

/** The row count that the Datamart states for an answer's sections; its statistic names end in a colon. */
export function statedRecords(body: unknown): number {
  const counts = sectionsOf(body).map(({stats}) => (isObject(stats) ? folded(stats)["totalrows"] : 0));
  return counts.reduce<number>((sum, count) => sum + (numberOf(count) ?? 0), 0);
}

/**
 * The rows of the older XML service, `results > report[slug] > record[report_date] > report[label] > record`: each day, and below
 * it those of its sections.
 */
function xmlRows(body: unknown): Json[] {
  const roots = isObject(body) ? objectsOf(body["results"]) : [];
  const reports = roots.flatMap((root) => objectsOf(root["report"]));
  return reports.flatMap(({slug: slug_name, label: report_title, record: days}) =>
    objectsOf(days).flatMap((day) => {
      const {report_date, reported_for_date} = day;
      const of = {slug_name, report_title, report_date, reported_for_date};
      const rows = objectsOf(day["report"]).flatMap(({label, record}) =>
        objectsOf(record).map((row) => ({...of, ...row, report_section: label})),
      );
      return [{...of, ...day}, ...rows];
    }),
  );
}

/** Columns with the same value in every row of a report. */
const reportMembers =
  /^(report_(date|title|section|begin_date|end_date)|reported_for_date|slug_(name|id)|office_.*|market_.*|published_date|narrative|trend|comments?)$/i;

/** The cells of a row under their published names: texts are labels, numbers measures. */
export function mandatoryCells(record: Json) {
  const measures: Record<string, number> = {};
  const labels: Record<string, string> = {};
  for (const [name, value] of Object.entries(record)) {
    const text = reportMembers.test(name) ? null : textOf(value);
    const number = measureOf(value);
    if (text === null) continue;
    if (number === null) labels[name] = text;
    else measures[name] = number;
  }
  return {labels, measures};
}

/** A number in a report; a decrease may be in parentheses: `(0.75)` is -0.75. */
function measureOf(value: unknown): number | null {
  const fall = numberOf(/^\(([\d,.]+)\)$/.exec(textOf(value) ?? "")?.[1]);
  return fall === null ? numberOf(value) : -fall;
}

/**
 * What a mandatory report is of, by its legacy code (`LM_CT…` cattle, `LM_XB…` boxed beef) and its title. Null for hogs,
 * pork, lamb, sheep and dairy, which are no cattle.
 */
export function mandatoryProduct(code: string, title: string): "direct_cattle" | "boxed_beef" | null {
  const words = `${code} ${title}`;
  const legacy = /LM[_ ]?([A-Z]{2})\d/i.exec(words)?.[1]?.toUpperCase();
  if (legacy !== undefined)
    return legacy === "CT" ? "direct_cattle" : legacy === "XB" || legacy === "XS" ? "boxed_beef" : null;
  if (/\b(hogs?|swine|pork|lambs?|sheep|mutton|butter|cheese|milk|whey)\b/i.test(title)) return null;
  if (/\b(beef|cutout|trimmings)\b/i.test(title)) return "boxed_beef";
  return /\b(cattle|steers?|heifers?|cows?|bulls?)\b/i.test(title) ? "direct_cattle" : null;
}

/** Values of a day of the boxed-beef cutout export: columns by grade and carcass weight, in dollars per cwt of carcass. */
export function cutoutMeasures(record: Json): Record<string, number> {
  const grades = /^(choice|select|prime|branded|ungraded)\b.*\d{3}\s*-\s*\d{3}/i;
  const values = Object.entries(record).flatMap(([name, cell]) => {
    const value = grades.test(name) ? numberOf(cell) : null;
    return value === null ? [] : [[`${foldColumnName(name)}_usd_per_cwt_carcass`, value] as const];
  });
  return Object.fromEntries(values);
}
