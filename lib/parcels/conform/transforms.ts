import {join} from "node:path";
import {memberPattern, quoted} from "@open-cattle/entry-proposer";
import type {FieldOrSpec, FieldSpec} from "../../../schemas/field-map.ts";
import {LookupTable} from "../../../schemas/registry-tables.ts";
import type {ColumnKind} from "../../../schemas/vocabulary/described-file.ts";
import {ConfigError} from "../../errors.ts";
import {referenceDir} from "../../paths.ts";
import {readRegistryFile} from "../../reference/registry-file.ts";
import {sqlName, sqlText} from "../../sql/duckdb.ts";
import {cellSql, namesOf} from "./column-references.ts";

const loaded = new Map<string, ReadonlyMap<string, string>>();

/** Returns SQL that combines several cells into one text. */
type Combine = (cells: readonly string[], args: readonly string[]) => string;
/**
 * Returns SQL that transforms a text. A reading of numbers or dates gives null for a null spelling, so it asks for none: each macro repeats its
 * argument, and the plan of a reply would grow with each that is nested.
 */
type Change = (text: string, args: readonly string[]) => string;

const combining: Readonly<Record<string, Combine>> = {
  join: (cells, args) => joined(cells, args.length === 0 ? " " : args.join(":")),
  concat: (cells, args) => joined(cells, args.join(":")),
  ownerLines: (cells) => joined(cells, "\n"),
};

const changing: Readonly<Record<string, Change>> = {
  trim: (text) => `trim_text(${text})`,
  upper: (text) => `upper(${text})`,
  nullText: (text) => `null_text(${text})`,
  text: (text) => text,
  number: (text) => `number_text(${text})`,
  money: (text) => `money_text(${text})`,
  areaText: (text) => `(area_number(${text}) * unit_acres(area_unit(${text})))::VARCHAR`,
  scale: (text, [factor]) =>
    `(try_cast(number_text(${text}) AS DOUBLE) * ${numeric(factor, "scale")})::VARCHAR`,
  zip5: (text) => `zip5_text(${text})`,
  epochMs: (text) => `epoch_ms_text(${text})`,
  ymd: (text) => `ymd_text(${text})`,
  mdy: (text) => `mdy_text(${text})`,
  longDate: (text) => `long_date_text(${text})`,
  date: (text) =>
    `coalesce(${["ymd", "mdy", "long_date"].map((form) => `${form}_text(${text})`).join(", ")})`,
  first: (text, [length]) =>
    length === undefined ? text : `left(${text}, ${wholeNumberArgument(length, "first")})`,
  split: (text, [separator = "-", part = "1"]) =>
    `nullif(split_part(${text}, ${sqlText(separator)}, ${wholeNumberArgument(part, "split")}), '')`,
  after: (text, args) => afterSql(text, args.join(":")),
  before: (text, args) => `split_part(${text}, ${sqlText(args.join(":"))}, 1)`,
  distinct: (text, args) => distinctSql(text, args.join(":")),
  sum: (text, args) => sumSql(text, args.join(":")),
  member: (text, [name = ""]) => memberSql(text, name),
  lookup: (text, [table = ""]) => lookupSql(text, table),
  replace: (text, [from = "", to = ""]) => `replace(${text}, ${sqlText(from)}, ${sqlText(to)})`,
  codes: (text, args) => codesSql(text, args.join(":")),
};

/** SQL that replaces a code by its name. The pairs are written `01=ELM|02=OAK`; a text that is no code is returned unchanged. */
function codesSql(text: string, pairs: string): string {
  const cases = pairs.split("|").map((pair) => {
    const [code, ...name] = pair.split("=");
    return `WHEN ${sqlText(code!)} THEN ${sqlText(name.join("="))}`;
  });
  return `CASE ${text} ${cases.join(" ")} ELSE ${text} END`;
}

function joined(cells: readonly string[], separator: string): string {
  return `nullif(concat_ws(${sqlText(separator)}, ${cells.map(blankIfNullText).join(", ")}), '')`;
}

function afterSql(text: string, mark: string): string {
  return `CASE WHEN contains(${text}, ${sqlText(mark)}) THEN substr(${text}, instr(${text}, ${sqlText(mark)}) + ${mark.length}) END`;
}

/** SQL for a member of a dictionary in JSON or Python notation; the members of a list become lines. */
function memberSql(text: string, name: string): string {
  if (!/^\w+$/.test(name))
    throw new ConfigError(`transform "member": expected the name of a member, got "${name}".`);
  const value = `trim(regexp_extract(${text}, ${sqlText(memberPattern(name))}, 1))`;
  const lines = `array_to_string(list_transform(regexp_extract_all(${value}, ${sqlText(quoted)}), lambda each: each[2:-2]), chr(10))`;
  return `CASE WHEN ${value} IN ('', 'None', 'null') THEN NULL WHEN starts_with(${value}, '[') THEN ${lines}
    WHEN left(${value}, 1) IN ('"', chr(39)) THEN ${value}[2:-2] ELSE ${value} END`;
}

/** SQL that removes duplicates from a list, such as lines that several accounts of a lot repeat. */
function distinctSql(text: string, separator: string): string {
  const members = `string_split(${text}, ${sqlText(separator)})`;
  return `array_to_string(list_filter(${members}, lambda member, i: list_position(${members}, member) = i), ${sqlText(separator)})`;
}

/** SQL for the sum of a list of amounts (shares of one lot); null when a member is not an amount. */
function sumSql(text: string, separator: string): string {
  const amounts = `list_transform(string_split(${text}, ${sqlText(separator)}), lambda member: try_cast(money_text(member) AS DECIMAL(18,2)))`;
  return `CASE WHEN list_count(${amounts}) = len(${amounts}) THEN list_sum(${amounts})::VARCHAR END`;
}

/** SQL that leaves a cell out of a joined text when it means that there is no value. */
function blankIfNullText(cell: string): string {
  return `null_text(${cell})`;
}

/**
 * SQL for a field spec over trimmed cells: `join`, `concat` or `ownerLines` combine several cells, otherwise
 * the first known cell is used; then the other transforms run in order. Throws a `ConfigError` for a
 * transform that cannot be applied.
 */
export function transformSql(spec: Pick<FieldSpec, "transform">, cells: readonly string[]): string {
  const steps = (spec.transform ?? []).map((step) => {
    const [name = "", ...args] = step.split(":");
    return {name, args};
  });
  const constant = steps.find(({name}) => name === "constant");
  if (constant !== undefined) return sqlText(constant.args.join(":"));
  const combine = steps.find(({name}) => name in combining);
  const combined = combine === undefined ? firstKnown(cells) : combining[combine.name]!(cells, combine.args);
  return steps
    .filter((step) => step !== combine)
    .reduce((text, {name, args}) => changeOf(name)(text, args), combined);
}

function changeOf(name: string): Change {
  return changing[name] ?? combiningOne(name);
}

function combiningOne(name: string): Change {
  throw new ConfigError(`transform "${name}": used twice, or after another that combines cells.`);
}

function firstKnown(cells: readonly string[]): string {
  const [only] = cells;
  if (only === undefined) return "NULL::VARCHAR";
  return cells.length === 1 ? only : `coalesce(${cells.map((cell) => `null_number(${cell})`).join(", ")})`;
}

/**
 * SQL that looks a text up in a table of `data/reference/lookups`; null for an unknown key. Keys are capitals
 * and digits only, without a trailing `.0`, and SAINT is ST.
 */
function lookupSql(text: string, table: string): string {
  const bare = String.raw`regexp_replace(upper(regexp_replace(${text}, '\.0+$', '')), '[^A-Z0-9]', '', 'g')`;
  const pairs = [...lookupTable(table)];
  const list = (values: readonly string[]) => `[${values.map(sqlText).join(", ")}]`;
  const key = `regexp_replace(${bare}, '^SAINT', 'ST')`;
  return `list_extract(${list(pairs.map(([, value]) => value))}, list_position(${list(pairs.map(([name]) => name))}, ${key}))`;
}

function wholeNumberArgument(argument: string, name: string): number {
  if (!/^\d+$/.test(argument))
    throw new ConfigError(`transform "${name}": expected a whole number, got "${argument}".`);
  return Number(argument);
}

function numeric(argument: string | undefined, name: string): number {
  const value = Number(argument);
  if (argument === undefined || argument.trim() === "" || !Number.isFinite(value)) {
    throw new ConfigError(`transform "${name}": expected a number, got "${argument ?? ""}".`);
  }
  return value;
}

/**
 * The values of a table of `data/reference/lookups/` by normalised key; publishers have their own numbers and
 * names for places. Throws a `ConfigError` that names file and field for a table that is absent or invalid.
 */
export function lookupTable(name: string): ReadonlyMap<string, string> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const table = new Map(Object.entries(readTable(name).values));
  loaded.set(name, table);
  return table;
}

function readTable(name: string): LookupTable {
  if (!/^[a-z0-9-]+$/.test(name)) {
    throw new ConfigError(
      `transform "lookup": expected the name of a table of data/reference/lookups, got "${name}".`,
    );
  }
  return readRegistryFile(LookupTable, join(referenceDir, "lookups", `${name}.json`));
}

/** SQL for a mapped column: first its text, then its value. */
export type FieldSql = {
  /** SQL over cells: the text from the source, or null. */
  readonly given: string;
  /**
   * SQL over the column named by `givenColumn`: the value in the column's type, null when it cannot be read.
   */
  readonly value: string;
};

/** The column that holds the source text for one of our columns. */
export function givenColumn(column: string): string {
  return sqlName(`~given ${column}`);
}

/** Transforms that parse a number or a date; the text before the first of them counts as the source text. */
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
  "date",
]);

/** Columns of codes, where `0`, `NA` and `NONE` may be valid. */
const codeColumns: ReadonlySet<string> = new Set([
  "use_code",
  "zoning_code",
  "mail_state",
  "transfer_doc_type",
]);

/** SQL for a text that an entry uses without giving it a column: an id, a flag, a description. */
export function textSql(spec: FieldOrSpec): string {
  return typeof spec === "string" ? cellSql(spec) : transformSql(spec, namesOf(spec).map(cellSql));
}

/** SQL for a mapped column of a kind, in two steps, because nested expressions would grow with every step. */
export function fieldSql(column: string, kind: ColumnKind, spec: FieldSpec): FieldSql {
  const steps = spec.transform ?? [];
  const cells = namesOf(spec).map(cellSql);
  const given = givenColumn(column);
  if (kind === "text" || kind === "dictionary" || kind === "list") {
    const text = transformSql(spec, cells);
    return {
      given: column === "situs_raw" ? withoutPlace(text) : text,
      value: steps.includes("text") ? given : nullSql(column, given),
    };
  }
  const at = steps.findIndex((step) => reading.has(step.split(":")[0]!));
  const [before, after] = at < 0 ? [steps, []] : [steps.slice(0, at), steps.slice(at)];
  return {
    given: `null_number(${transformSql({transform: before}, cells)})`,
    value: typedSql(kind, transformSql({transform: after}, [given]), after),
  };
}

/** SQL for an address line without the `(latitude, longitude)` below it; its other lines are parts between commas. */
function withoutPlace(line: string): string {
  const bare = String.raw`regexp_replace(${line}, '\s*\(-?\d{1,2}\.\d+, *-?\d{1,3}\.\d+\)\s*$', '')`;
  return `CASE WHEN ends_with(${line}, ')') AND contains(${line}, chr(10)) THEN replace(${bare}, chr(10), ', ') ELSE ${line} END`;
}

function nullSql(column: string, text: string): string {
  return codeColumns.has(column) ? `null_code(${text})` : `null_text(${text})`;
}

function typedSql(kind: ColumnKind, text: string, steps: readonly string[]): string {
  switch (kind) {
    case "money":
      return `try_cast(${steps.at(-1) === "money" ? text : `money_text(${text})`} AS DECIMAL(14,2))`;
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
