import {z} from "zod";
import {type DescribedColumn, instantType} from "../vocabulary/described-file.ts";

/** How values of a field are represented in answers, in Parquet and as JSON text. */
export type FieldKind<Shape extends z.ZodType = z.ZodType> = {
  readonly shape: Shape;
  /** DuckDB type of the column. */
  readonly type: string;
  /** SQL for the JSON text of a value that is not null. */
  readonly text: (value: string) => string;
  /** SQL for the stored value, from the computed one: prices are rounded once, here. */
  readonly stored?: (value: string) => string;
  /** The values of an enumeration; for a list, those of its elements. */
  readonly values?: readonly string[];
  /** True for a structure, whose column is JSON text. */
  readonly json?: true;
};

type Traits<In extends string> = {
  /** Kinds of record that have the field; by default all of the table. */
  readonly in?: readonly In[];
  /** SQL for the value, over the columns of a draft; by default the column of the same name. */
  readonly sql?: string;
  /** True if a changed value makes a record `revised`. */
  readonly revises?: true;
  /** True for a member that depends on the query: no file stores it, and the server sets it. */
  readonly perQuery?: true;
  /** True for a result of the comparison with the previous build: computed last, and last in the record. */
  readonly compared?: true;
  /** Unit of a number, as shown in the header of a table for people. */
  readonly unit?: string;
  /** Header of the field's column in a table for people; fields without one get no column of their own. */
  readonly header?: string;
  /** Description of an extra column, `<name>_unrounded`, with the value before rounding. */
  readonly unrounded?: string;
};

/** One field of market records. */
export type MarketField<Shape extends z.ZodType = z.ZodType, In extends string = string> = FieldKind<Shape> &
  Traits<In> & {readonly about: string; readonly in: readonly In[]};

/** Fields by name, in column order. */
export type FieldTable = Readonly<Record<string, MarketField>>;

/** Returns a function that defines a table's fields; `all` are the kinds of record of the table. */
export function fieldsOf<const All extends string>(all: readonly All[]) {
  return <Shape extends z.ZodType, const In extends All = All>(
    kind: FieldKind<Shape>,
    about: string,
    traits: Traits<In> = {},
  ): MarketField<Shape, In> => ({
    ...kind,
    shape: kind.shape.describe(about),
    about,
    ...traits,
    in: traits.in ?? (all as readonly string[] as readonly In[]),
  });
}

/** The shapes of those fields of a table that a kind of record has. */
type ShapesOf<Table extends FieldTable, Of extends string> = {
  [Name in keyof Table as Of extends Table[Name]["in"][number] ? Name : never]: Table[Name]["shape"];
};

/** The fields of a kind of record with their names, in column order. */
export function fieldsIn(table: FieldTable, record: string): (readonly [name: string, field: MarketField])[] {
  return Object.entries(table).filter(([, field]) => field.in.includes(record));
}

/** The schema of a kind of record; members may be added. */
export function recordSchema<Table extends FieldTable, Of extends string>(table: Table, record: Of) {
  const shapes = fieldsIn(table, record).map(([name, {shape}]) => [name, shape]);
  return z.looseObject(Object.fromEntries(shapes) as ShapesOf<Table, Of>);
}

/** The columns of a kind of record; the unrounded ones come last. */
export function columnsIn(table: FieldTable, record: string): DescribedColumn[] {
  return fieldsIn(table, record).flatMap(([name, field]) => (field.perQuery ? [] : columnOf(name, field)));
}

function columnOf(name: string, {type, about, values, json}: MarketField): DescribedColumn {
  return {name, type, about, ...(values === undefined ? {} : {values}), ...(json ? {json} : {})};
}

/** The unrounded columns of a kind of record. */
export function unroundedIn(table: FieldTable, record: string): DescribedColumn[] {
  return fieldsIn(table, record).flatMap(([name, {unrounded: about}]) =>
    about === undefined ? [] : {name: `${name}_unrounded`, type: "DOUBLE", about},
  );
}

/** The fields that a stored record has, in the order of its members; those that drafts do not have are left out. */
export function membersOf(
  table: FieldTable,
  record: string,
): (readonly [name: string, field: MarketField])[] {
  const fields = fieldsIn(table, record).filter(([, {perQuery, sql}]) => !perQuery || sql !== undefined);
  return [false, true].flatMap((last) => fields.filter(([, {compared = false}]) => compared === last));
}

/** SQL for a record's JSON text over its columns. Nulls are written as null. */
export function recordText(table: FieldTable, record: string): string {
  const members = membersOf(table, record).map(([name, field]) => [
    `'"${name}":'`,
    field.perQuery ? "'null'" : textOf(name, field),
  ]);
  return joined("'{'", members, "'}'");
}

/** SQL that joins parts with commas. A single call over all parts writes each text once; a chain of `||` would copy it at every step. */
function joined(open: string, members: readonly (readonly string[])[], close: string): string {
  return `concat(${[open, ...members.flatMap((parts, at) => (at === 0 ? parts : ["','", ...parts])), close].join(", ")})`;
}

/** SQL for the text of a record that is hashed: names and values of the fields with `revises`, sorted by name. */
export function revisingText(table: FieldTable, record: string): string {
  const fields = fieldsIn(table, record).filter(([, {revises}]) => revises);
  const ordered = fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const members = ordered.map(([name, field]) => [`'["${name}",'`, textOf(name, field), "']'"]);
  return joined("'['", members, "']'");
}

function textOf(name: string, field: MarketField): string {
  return `coalesce(${field.text(name)}, 'null')`;
}

/** SQL that rounds a number to `decimals` places, half away from zero on its shortest decimal form (V21). */
export function rounded(value: string, decimals: 0 | 2): string {
  const [scale, type] = [10 ** decimals, decimals === 2 ? "DECIMAL(9,2)" : "INTEGER"];
  const scaled = `((${value}) * ${scale})`;
  // The decimal form is only needed if the value is near the midpoint of two results. Elsewhere plain rounding gives the same, at a
  // hundredth of the cost.
  return `CASE WHEN abs(${scaled} - floor(${scaled}) - 0.5) > 1e-4 THEN round((${value})::DOUBLE, ${decimals})::${type}
    ELSE round((${value})::VARCHAR::DECIMAL(38,17), ${decimals})::${type} END`;
}

const quoted = (value: string) => `'"' || ${value} || '"'`;
const words = (value: string) => `to_json(${value})::VARCHAR`;
const plain = (value: string) => `${value}::VARCHAR`;
const amount = (value: string) => `rtrim(rtrim(${value}::VARCHAR, '0'), '.')`;

export const text = {shape: z.string(), type: "VARCHAR", text: words};
export const flag = {shape: z.boolean(), type: "BOOLEAN", text: plain};
export const integer = {shape: z.int(), type: "INTEGER", text: plain};
export const count = {...integer, shape: z.int().nonnegative()};
/** A distance or coordinate with few decimals. */
export const decimal = {
  shape: z.number(),
  type: "DOUBLE",
  text: (value: string) =>
    `CASE WHEN ${value} % 1 = 0 THEN ${value}::BIGINT::VARCHAR ELSE ${value}::VARCHAR END`,
};
export const date = {shape: z.iso.date(), type: "DATE", text: (value: string) => quoted(plain(value))};
export const instant = {
  shape: z.iso.datetime(),
  type: instantType,
  text: (value: string) => quoted(`strftime(${value}, '%Y-%m-%dT%H:%M:%SZ')`),
};
export const texts = {shape: z.array(z.string()), type: "VARCHAR[]", text: words};

/** US dollars with 2 decimals; null if unknown. */
export const money = {
  shape: z.number().nullable(),
  type: "DECIMAL(9,2)",
  text: amount,
  stored: (value: string) => rounded(value, 2),
};

/** A text from a fixed set. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return {...text, shape: z.enum(values), values};
}

/** A list of texts from a fixed set. */
export function someOf<Values extends z.ZodEnum>(values: Values) {
  return {...texts, shape: z.array(values), values: values.options.map(String)};
}

/** A structure, stored as JSON text. */
export function structure<Shape extends z.ZodType>(shape: Shape) {
  return {shape, type: "VARCHAR", text: (value: string) => value, json: true as const};
}

/** The same kind, but null if nothing is known. */
export function orNull<Shape extends z.ZodType>(kind: FieldKind<Shape>): FieldKind<z.ZodNullable<Shape>> {
  return {...kind, shape: z.nullable(kind.shape)};
}
