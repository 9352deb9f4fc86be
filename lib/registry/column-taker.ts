import {type FieldRole, roleFinder} from "./field-synonyms.ts";

/** A column of a table or layer. */
export type SourceColumn = {
  readonly name: string;
  /** The type that a layer states (`esriFieldTypeDate`); absent for a file of texts. */
  readonly type?: string | undefined;
  /** A few of its cells, when they are known. */
  readonly samples?: readonly string[] | undefined;
};

/** Gives out the columns of a table by role, and no column twice. */
export class ColumnTaker {
  readonly #columns: ReadonlyMap<string, SourceColumn>;
  readonly #find: (role: FieldRole) => string[];
  readonly #taken = new Set<string>();

  /** Throws a `ConfigError` when the table of synonyms is not valid. */
  constructor(columns: readonly SourceColumn[]) {
    this.#columns = new Map(columns.map((column) => [column.name, column]));
    this.#find = roleFinder([...this.#columns.keys()]);
  }

  /** Takes the surest free column of a role; null when no column is free. */
  take(role: FieldRole): string | null {
    return this.takeAll(role, 1)[0] ?? null;
  }

  /** Takes up to `most` free columns of a role, the surest first. */
  takeAll(role: FieldRole, most: number): string[] {
    const names = this.free(role).slice(0, most);
    for (const name of names) this.claim(name);
    return names;
  }

  /** All free columns of a role, the surest first. */
  free(role: FieldRole): string[] {
    return this.#find(role).filter((name) => !this.isTaken(name));
  }

  claim(name: string): void {
    this.#taken.add(name);
  }

  isTaken(name: string): boolean {
    return this.#taken.has(name);
  }

  column(name: string): SourceColumn {
    return this.#columns.get(name) ?? {name};
  }
}
