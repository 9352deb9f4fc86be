import {z} from "zod";
import type {ColumnKind} from "../vocabulary/described-file.ts";
import * as text from "./texts.ts";

/** Groups of facts that a source publishes together; merging sources takes a group from one row. In the order of the `prov_*` columns. */
export const provenanceGroupNames = [
  "identity",
  "situs",
  "owner",
  "land",
  "use",
  "value",
  "transfer",
  "building",
  "location",
] as const;
export type ProvenanceGroup = (typeof provenanceGroupNames)[number];

/** How a fact is derived from the row. This decides the method factor of its confidence (`docs/design/parcels.md` section 8). */
export type FactKind = "verbatim" | "parsed" | "area" | "squareFeet" | "outline" | "point" | "category";

/** A member of the record that has provenance. */
export type RecordMember = {
  readonly name: string;
  readonly shape: z.ZodType;
  readonly about: string;
  readonly made: FactKind;
  /** Column that a source's field map fills for this member; null if no map can. */
  readonly mapped: string | null;
  /** SQL over the columns of a row for the member's value as JSON text; NULL if unknown. */
  readonly json: string;
  /** Section of the record, if it differs from the group. */
  readonly section?: ProvenanceGroup;
  /** True for a member that every record has. */
  readonly always?: true;
};

/** One field of a parcel: a column of the row, a member of the record, or both. */
export type ParcelField = {
  /** Provenance group; null if the row's default applies. */
  readonly group: ProvenanceGroup | null;
  readonly column?: {
    readonly name: string;
    readonly kind: ColumnKind;
    readonly about: string;
    /** The values of an enumeration. */
    readonly values?: readonly string[];
    readonly required: boolean;
    /** True for a column that lookups search: the server maps it. */
    readonly finds: boolean;
  };
  readonly member?: RecordMember;
};

type Traits = {required?: true; finds?: true; values?: readonly string[]};
type MemberOptions = Partial<Pick<RecordMember, "made" | "mapped" | "json" | "section" | "always">> & {
  shape?: z.ZodType;
};

export const string = z.string();
export const integer = z.int();
export const number = z.number();

/** A column that does not appear in the record by itself. */
export function column(
  group: ProvenanceGroup | null,
  name: string,
  kind: ColumnKind,
  about: string,
  {
    required = false,
    finds = false,
    values,
  }: {required?: boolean; finds?: boolean; values?: readonly string[]} = {},
): ParcelField {
  const named = values === undefined ? {} : {values};
  return {group, column: {name, kind, about, ...named, required, finds}};
}

/** A member of the record that is derived from other columns. */
export function member(
  group: ProvenanceGroup | null,
  name: string,
  about: string,
  {shape = string, made = "verbatim", mapped = null, json = "NULL", ...placed}: MemberOptions,
): ParcelField {
  return {group, member: {name, shape, about, made, mapped, json, ...placed}};
}

/** A column that is also a member of the record under another name, with one description for both. */
export function fact(
  group: ProvenanceGroup,
  [columnName, kind]: readonly [string, ColumnKind],
  name: string,
  [about, recordAbout = about]: readonly [string, string?],
  {traits = {}, ...options}: MemberOptions & {traits?: Traits} = {},
): ParcelField {
  const {shape, json} = defaultForm(columnName, kind);
  return {
    ...column(group, columnName, kind, about, {...valuesOf(options.shape), ...traits}),
    ...member(group, name, recordAbout, {shape, json, mapped: columnName, ...options}),
  };
}

/** The values of a column whose member is an enumeration. */
function valuesOf(shape: z.ZodType | undefined): {values?: readonly string[]} {
  return shape instanceof z.ZodEnum ? {values: shape.options.map(String)} : {};
}

/** Shape and JSON text of a column that appears in the record unchanged. */
function defaultForm(name: string, kind: ColumnKind): {shape: z.ZodType; json: string} {
  switch (kind) {
    case "text":
    case "dictionary":
      return {shape: string, json: text.words(name)};
    case "list":
      return {shape: z.array(string), json: text.list(name)};
    case "bool":
      return {shape: z.boolean(), json: text.wholeText(name)};
    case "int16":
    case "int32":
      return {shape: integer, json: text.wholeText(name)};
    case "money":
      return {shape: number, json: text.money(name)};
    case "float32":
      return {shape: number, json: text.narrow(name, 2)};
    case "float64":
      return {shape: number, json: text.decimals(name, 4)};
    case "date":
      return {shape: string, json: text.day(name)};
  }
}

export const finds = {finds: true} as const;
export const required = {required: true} as const;
