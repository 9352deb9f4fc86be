import type {Cells} from "@open-cattle/parcel-files";
import {
  type ProvenanceGroup as Group,
  provenanceGroupNames,
} from "../../../schemas/parcel-fields/parcel-field.ts";
import {parcelFields} from "../../../schemas/parcel-fields/parcel-field-table.ts";
import {UserError} from "../../errors.ts";

export type ProvenanceGroup = Group;

/** The groups in the order of the `prov_*` columns. */
export const groupNames = provenanceGroupNames;

/**
 * Columns of the parcel row by provenance group. A source publishes the facts of a group together, and a
 * merge takes them from one row.
 */
export const provenanceGroups = Object.fromEntries(
  groupNames.map((name) => [
    name,
    parcelFields.flatMap(({group, column}) => (group === name && column !== undefined ? [column.name] : [])),
  ]),
) as unknown as Readonly<Record<ProvenanceGroup, readonly string[]>>;

/**
 * Cleaning codes that describe the facts of one group and move with it; all others describe the parcel, from
 * whichever row.
 */
export const groupFlags: Partial<Record<ProvenanceGroup, readonly string[]>> = {
  situs: ["address_partly_read", "address_unparsed", "several_addresses", "situs_is_mailing"],
  owner: ["mail_partly_read", "owner_withheld"],
  land: ["area_implausible", "area_mismatch", "area_scale", "area_unit_unknown"],
  use: ["code_implausible_for_area", "code_lost_zero", "open_range_possible"],
  value: ["value_parts_contradict", "zero_value"],
  transfer: ["nominal_price"],
  location: [
    ...["geometry_unread", "invalid_geometry", "no_geometry", "outline_partly_read", "point_outside"],
    "shared_outline",
  ],
};

/** The codes of the parts of a row that are only partly read; any of them gives it `partly_read` as well. */
export const partlyReadCodes: Partial<Record<ProvenanceGroup, string>> = {
  situs: "address_partly_read",
  owner: "mail_partly_read",
  location: "outline_partly_read",
};

/**
 * Groups whose rows are ordered by a column before their vintage, the highest rank first: a deed's area before an assessor's before a
 * computed one (`docs/design/parcels.md` section 5.4), and an address before a town alone (section 9).
 */
export const groupRanks: Partial<Record<ProvenanceGroup, GroupRank>> = {
  land: {column: "acres_basis", ranks: {deeded: 2, assessed: 1}, other: 0},
  situs: {column: "situs_status", ranks: {blank: 0}, other: 1},
};
type GroupRank = {
  readonly column: string;
  readonly ranks: Readonly<Record<string, number>>;
  /** The rank of all other values, and of null. */
  readonly other: number;
};

const dbfNameLength = 10;
/** The widest registered table has some 300 columns; each name costs time in every row. */
export const maxColumns = 5_000;
/**
 * Finds the column for a name in an entry: an exact match, else a case-insensitive one, else the name
 * truncated to the 10 characters of a DBF; undefined when there is none (`docs/design/parcels.md` section 3).
 */
export function resolveColumn(wanted: string, columns: readonly string[]): string | undefined {
  if (columns.includes(wanted)) return wanted;
  const lower = wanted.toLowerCase();
  const cut = lower.slice(0, dbfNameLength);
  return (
    columns.find((column) => column.toLowerCase() === lower) ??
    (lower.length > dbfNameLength ? columns.find((column) => column.toLowerCase() === cut) : undefined)
  );
}

/**
 * Column names of a staged table for the names of an entry, in their order. A name is changed only if DuckDB
 * would confuse it with another one (it ignores case) or with its own `rowid`.
 */
export function stagedNames(names: readonly string[]): string[] {
  const taken = new Set(["rowid"]);
  return names.map((name) => {
    let unique = name;
    for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${name}~${n}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** Rows have more than `maxColumns` distinct column names in total. */
export class TooManyColumns extends UserError {
  readonly names: readonly string[];
  /** The first name past the limit. */
  readonly next: string;

  constructor(names: readonly string[], next: string) {
    super(`more than ${maxColumns} column names, ${JSON.stringify(next.slice(0, 40))} among them.`);
    this.names = names;
    this.next = next;
  }
}

/** Picks the wanted cells from rows, learning the source's column names as they appear. */
export class CellResolver {
  readonly #wanted: readonly string[];
  readonly #known = new Set<string>();
  readonly #columns: (string | undefined)[];

  constructor(wanted: readonly string[]) {
    this.#wanted = wanted;
    this.#columns = wanted.map(() => undefined);
  }

  /**
   * The wanted cells of a row as text, null where the row lacks one. Throws `TooManyColumns` beyond
   * `maxColumns`.
   */
  texts(cells: Cells): (string | null)[] {
    for (const name of Object.keys(cells)) if (!this.#known.has(name)) this.#learn(name);
    return this.#columns.map((column) => (column === undefined ? null : cellText(cells[column])));
  }

  /** All column names so far, in order of appearance. */
  seen(): string[] {
    return [...this.#known];
  }

  /** The wanted names that have matched a column so far. */
  found(): Set<string> {
    return new Set(this.#wanted.filter((_, i) => this.#columns[i] !== undefined));
  }

  #learn(name: string): void {
    if (this.#known.size === maxColumns) throw new TooManyColumns(this.seen(), name);
    this.#known.add(name);
    this.#wanted.forEach((wanted, i) => {
      const resolved = this.#columns[i];
      this.#columns[i] = resolveColumn(wanted, resolved === undefined ? [name] : [resolved, name]);
    });
  }
}

/**
 * Converts a cell to text: numbers as JavaScript prints them, lists and objects as JSON. A whole number beyond 2^53 keeps an exponent, since
 * a double does not hold its last digits.
 */
function cellText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    return value.toExponential();
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  return JSON.stringify(value);
}

/** The group of a parcel column; undefined for a column that follows the default. */
export function groupOf(column: string): ProvenanceGroup | undefined {
  return groupNames.find((group) => provenanceGroups[group].includes(column));
}
