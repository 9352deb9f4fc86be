import {type FieldRole, roleFinder} from "./field-synonyms.ts";

/** A column of a table or layer. */
export type SourceColumn = {
  readonly name: string;
  /** Type as a layer states it (`esriFieldTypeDate`); absent for a file of texts. */
  readonly type?: string | undefined;
  /** A few of its cells, where some are known. */
  readonly samples?: readonly string[] | undefined;
};

/** Gives out the columns of a table by role, each once. */
export type ColumnTaker = {
  /** The best free column of a role, which is then taken; null when there is none. */
  take(role: FieldRole): string | null;
  takeAll(role: FieldRole, most: number): string[];
  /** All free columns of a role, the surest first. */
  free(role: FieldRole): string[];
  claim(name: string): void;
  column(name: string): SourceColumn;
  readonly taken: ReadonlySet<string>;
};

/** A taker over the columns of a table. */
export function columnTaker(columns: readonly SourceColumn[]): ColumnTaker {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const find = roleFinder([...byName.keys()]);
  const taken = new Set<string>();
  const free = (role: FieldRole): string[] => find(role).filter((name) => !taken.has(name));
  const takeAll = (role: FieldRole, most: number): string[] => {
    const names = free(role).slice(0, most);
    for (const name of names) taken.add(name);
    return names;
  };
  return {
    take: (role) => takeAll(role, 1)[0] ?? null,
    takeAll,
    free,
    claim: (name) => void taken.add(name),
    column: (name) => byName.get(name) ?? {name},
    taken,
  };
}
