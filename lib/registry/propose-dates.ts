import type {SourceColumn} from "./column-taker.ts";

type DateTransform = "ymd" | "mdy" | "longDate" | "epochMs";

const forms: readonly (readonly [DateTransform, RegExp])[] = [
  ["ymd", /^(?:(?:19|20)\d{6}|\d{4}[-/]\d{1,2}[-/]\d{1,2})(?:[ T].*)?$/],
  ["mdy", /^\d{1,2}[-/]\d{1,2}[-/]\d{4}(?:[ T].*)?$/],
  ["longDate", /^[A-Za-z]+\.? \d{1,2},? \d{4}$/],
  ["epochMs", /^-?\d{9,14}(?:\.0+)?$/],
];

/**
 * The transform that reads a column's dates: that of its type, else that of the form that most of its cells have; null when
 * neither tells one.
 */
export function proposedDate({type, samples = []}: SourceColumn): DateTransform | null {
  if (type === "esriFieldTypeDate") return "epochMs";
  const cells = samples.map((cell) => cell.trim()).filter((cell) => cell !== "");
  const counted = forms.map(([name, form]) => ({name, fits: cells.filter((cell) => form.test(cell)).length}));
  const best = counted.reduce((most, next) => (next.fits > most.fits ? next : most));
  return best.fits * 2 > cells.length ? best.name : null;
}
