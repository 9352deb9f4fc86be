import {type ProvenanceGroup as Group, provenanceGroupNames} from "../../../schemas/parcel-fields/field.ts";
import {parcelFields} from "../../../schemas/parcel-fields/table.ts";
import {UserError} from "../../errors.ts";

export type ProvenanceGroup = Group;

/** The groups in the order of the `prov_*` columns. */
export const groupNames = provenanceGroupNames;

/**
 * Columns of the parcel row by provenance group: facts that a source publishes together, and that are taken from one row
 * when sources are merged.
 */
export const provenanceGroups = Object.fromEntries(
  groupNames.map((name) => [
    name,
    parcelFields.flatMap(({group, column}) => (group === name && column !== undefined ? [column.name] : [])),
  ]),
) as unknown as Readonly<Record<ProvenanceGroup, readonly string[]>>;

/** The cells of a source row by the column names of the source. */
export type Cells = Readonly<Record<string, unknown>>;

const dbfNameLength = 10;
/** The widest registered table has some 300 columns; each name takes time in every row. */
export const mostColumns = 5_000;

/**
 * Gives the column that an entry's name means: the equal one, else one that is equal without regard to case, else one that
 * is the name cut to the 10 characters of a DBF; undefined without such a column (`docs/design/parcels.md` section 3).
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

/** Gives unique names to columns: an empty one is named by its place, a second of one name gets `_2`, a third `_3`. */
export function uniqueNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return header.map((cell, place) => {
    const name = cell.trim() === "" ? `column_${place + 1}` : cell.trim();
    let unique = name;
    for (let n = next.get(name) ?? 2; taken.has(unique); n++) {
      unique = `${name}_${n}`;
      next.set(name, n);
    }
    taken.add(unique);
    return unique;
  });
}

/**
 * Gives the columns of a staged table for the names that an entry uses, in their order. A name is changed only if DuckDB
 * would take it for another one (it ignores case) or for its own `rowid`.
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

/** The fault of rows that have more than `mostColumns` names together. */
export class TooManyColumns extends UserError {
  readonly names: readonly string[];

  constructor(names: readonly string[], next: string) {
    super(`more than ${mostColumns} names of columns came, ${JSON.stringify(next.slice(0, 40))} among them.`);
    this.names = names;
  }
}

/** Finds the wanted cells of rows that reveal the column names of their source one by one. */
export class CellResolver {
  readonly #wanted: readonly string[];
  readonly #known = new Set<string>();
  readonly #columns: (string | undefined)[];

  constructor(wanted: readonly string[]) {
    this.#wanted = wanted;
    this.#columns = wanted.map(() => undefined);
  }

  /** Gives the wanted cells of a row as text, null for a cell that the row does not have. Throws a `UserError` past `mostColumns`. */
  texts(cells: Cells): (string | null)[] {
    for (const name of Object.keys(cells)) if (!this.#known.has(name)) this.#learn(name);
    return this.#columns.map((column) => (column === undefined ? null : cellText(cells[column])));
  }

  /** Gives the names of all columns so far, in order of appearance. */
  seen(): string[] {
    return [...this.#known];
  }

  /** Gives the wanted names that have a column so far. */
  found(): Set<string> {
    return new Set(this.#wanted.filter((_, i) => this.#columns[i] !== undefined));
  }

  #learn(name: string): void {
    if (this.#known.size === mostColumns) throw new TooManyColumns(this.seen(), name);
    this.#known.add(name);
    this.#wanted.forEach((wanted, i) => {
      const known = this.#columns[i];
      this.#columns[i] = resolveColumn(wanted, known === undefined ? [name] : [known, name]);
    });
  }
}

/** Gives a cell as text: numbers in plain decimals if they have few enough digits, lists and objects as JSON. */
function cellText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  return JSON.stringify(value);
}

/** Gives the group of a column of the parcel row; undefined for a column that follows the default. */
export function groupOf(column: string): ProvenanceGroup | undefined {
  return groupNames.find((group) => provenanceGroups[group].includes(column));
}
