import {fitsRole} from "./column-fits.ts";
import {ColumnValues} from "./column-values.ts";
import {type FieldRole, roleFinder, yearInName} from "./field-synonyms.ts";

/** A column of a table or layer. */
export type SourceColumn = {
  readonly name: string;
  /** The type that a layer states (`esriFieldTypeDate`); absent for a file of texts. */
  readonly type?: string | undefined;
  /** Its cells of some rows, the same rows for all columns; an empty text where a row has no value. */
  readonly samples?: readonly string[] | undefined;
};

/** Gives out the columns of a table by role, no column twice and none whose values are not of the role. */
export class ColumnTaker {
  readonly state: string | undefined;
  readonly #columns: ReadonlyMap<string, SourceColumn>;
  readonly #values: ReadonlyMap<string, ColumnValues>;
  readonly #find: (role: FieldRole) => string[];
  readonly #taken = new Set<string>();

  /** Throws a `ConfigError` when the table of synonyms is not valid. */
  constructor(columns: readonly SourceColumn[], state?: string) {
    this.state = state;
    this.#columns = new Map(columns.map((column) => [column.name, column]));
    this.#values = new Map(columns.map(({name, samples}) => [name, new ColumnValues(samples)]));
    this.#find = roleFinder([...this.#columns.keys()]);
  }

  /** Takes the surest free column of a role; null when no column is free. */
  take(role: FieldRole): string | null {
    const [name = null] = this.free(role);
    if (name !== null) this.claim(name);
    return name;
  }

  /** All free columns of a role, the surest first; of several years the newest, and a filled one before one that is half as full. */
  free(role: FieldRole): string[] {
    const names = this.#find(role).filter(
      (name) => !this.isTaken(name) && fitsRole(role, this.values(name), this.state),
    );
    const newest = Math.max(...names.map((name) => yearInName(name) ?? 0));
    const current = names.filter((name) => [null, newest].includes(yearInName(name)));
    const fullest = Math.max(0, ...current.map((name) => this.values(name).filled.length));
    const isSparse = (name: string) => Number(this.values(name).filled.length * 2 < fullest);
    return current.toSorted((a, b) => isSparse(a) - isSparse(b));
  }

  claim(...names: readonly string[]): void {
    for (const name of names) this.#taken.add(name);
  }

  isTaken(name: string): boolean {
    return this.#taken.has(name);
  }

  column(name: string): SourceColumn {
    return this.#columns.get(name) ?? {name};
  }

  values(name: string): ColumnValues {
    return this.#values.get(name) ?? new ColumnValues(undefined);
  }

  /** Names of all columns in the table's order. */
  get names(): readonly string[] {
    return [...this.#columns.keys()];
  }
}
