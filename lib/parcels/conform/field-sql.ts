import type {ColumnKind} from "../../../schemas/described-file.ts";
import type {FieldOrSpec, FieldSpec} from "../../../schemas/field-map.ts";
import {sqlName} from "../../sql/duckdb.ts";
import {cellSql, namesOf} from "./references.ts";
import {transformSql} from "./transforms.ts";

/** SQL of a mapped column: first its text, then its value. */
export type FieldSql = {
  /** SQL over cells: the text that the source gave, or null. */
  readonly given: string;
  /** SQL over the column that `givenColumn` names: the value in the column's type, null when it cannot be read. */
  readonly value: string;
};

/** Gives the name of the column that holds the text of the source for one of our columns. */
export function givenColumn(column: string): string {
  return sqlName(`~given ${column}`);
}

/** Transforms that read a number or a date: the text before the first of them is what the source gave. */
const reading: ReadonlySet<string> = new Set([
  "number",
  "money",
  "areaText",
  "sum",
  "scale",
  "epochMs",
  "ymd",
  "mdy",
  "longDate",
]);

/** Columns of codes, in which `0`, `NA` and `NONE` may be members. */
const codeColumns: ReadonlySet<string> = new Set([
  "use_code",
  "zoning_code",
  "mail_state",
  "transfer_doc_type",
]);

/** Gives SQL of a text that an entry maps without a column of its own: an id, a flag, a description. */
export function textSql(spec: FieldOrSpec): string {
  return typeof spec === "string" ? cellSql(spec) : transformSql(spec, namesOf(spec).map(cellSql));
}

/** Gives SQL of a mapped column of a kind, in two steps because nested expressions would grow with every step. */
export function fieldSql(column: string, kind: ColumnKind, spec: FieldSpec): FieldSql {
  const steps = spec.transform ?? [];
  const cells = namesOf(spec).map(cellSql);
  const given = givenColumn(column);
  if (kind === "text" || kind === "dictionary" || kind === "list") {
    return {given: transformSql(spec, cells), value: steps.includes("text") ? given : nullSql(column, given)};
  }
  const at = steps.findIndex((step) => reading.has(step.split(":")[0]!));
  const [before, after] = at < 0 ? [steps, []] : [steps.slice(0, at), steps.slice(at)];
  return {
    given: `null_number(${transformSql({transform: before}, cells)})`,
    value: typedSql(kind, transformSql({transform: after}, [given]), after),
  };
}

function nullSql(column: string, text: string): string {
  return codeColumns.has(column) ? `null_code(${text})` : `null_text(${text})`;
}

function typedSql(kind: ColumnKind, text: string, steps: readonly string[]): string {
  switch (kind) {
    case "money":
      return `try_cast(money_text(${text}) AS DECIMAL(14,2))`;
    case "int32":
      return `try_cast(whole_text(${text}) AS INTEGER)`;
    case "int16":
      return `try_cast(whole_text(${text}) AS SMALLINT)`;
    case "float32":
      return `try_cast(number_text(${text}) AS FLOAT)`;
    case "date":
      return `try_cast(${steps.length === 0 ? `ymd_text(${text})` : text} AS DATE)`;
    case "bool":
      return `try_cast(${text} AS BOOLEAN)`;
    default:
      return `try_cast(number_text(${text}) AS DOUBLE)`;
  }
}
