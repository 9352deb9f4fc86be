import {fitsRole} from "./column-fits.ts";
import {ColumnValues} from "./column-values.ts";
import {type FieldRole, isPrefixed, roleFinder, yearInName} from "./field-synonyms.ts";

/** A column of a table or layer. */
export type SourceColumn = {
  readonly name: string;
  /** The type that a layer states (`esriFieldTypeDate`); absent for a file of texts. */
  readonly type?: string | undefined;
  /** Its cells of some rows, the same rows for all columns; an empty text where a row has no value. */
  readonly samples?: readonly string[] | undefined;
  /** For a member of the dictionaries in a column: that column, and the names that lead to the member. */
  readonly memberOf?: {readonly column: string; readonly path: readonly string[]} | undefined;
};

/** A role for which several columns were candidates: the chosen one first, each with its filled cells. */
export type Choice = {
  readonly role: FieldRole;
  readonly candidates: readonly {
    readonly column: string;
    readonly filled: number;
    readonly distinct: number;
  }[];
};

/** Roles that a member of a dictionary may have. */
const memberRole = /^(?:owner_raw|owner_second|mail_|taxpayer)/;

/** Roles of money: a table that prints them without an agency's prefix is not read by the prefixed ones. */
const moneyRole = /_value$|^(?:land|building)_|^total_/;

/** Gives out the columns of a table by role, no column twice and none whose values are not of the role. */
export class ColumnClaims {
  readonly state: string | undefined;
  readonly #columns: ReadonlyMap<string, SourceColumn>;
  readonly #values: ReadonlyMap<string, ColumnValues>;
  readonly #find: ReturnType<typeof roleFinder>;
  readonly #taken = new Set<string>();
  readonly #choices: Choice[] = [];

  /** Throws a `ConfigError` when the table of synonyms is not valid. */
  constructor(columns: readonly SourceColumn[], state?: string) {
    this.state = state;
    this.#columns = new Map(columns.map((column) => [column.name, column]));
    this.#values = new Map(columns.map(({name, samples}) => [name, new ColumnValues(samples)]));
    this.#find = roleFinder([...this.#columns.keys()]);
  }

  /** Takes the surest free column of a role; null when no column is free. */
  take(role: FieldRole): string | null {
    const candidates = this.free(role);
    const [name = null] = candidates;
    if (name !== null) this.claim(name);
    if (candidates.length > 1) this.chose(role, candidates);
    return name;
  }

  /** Notes that a role took the first of several columns. */
  chose(role: FieldRole, candidates: readonly string[]): void {
    const counted = candidates.map((column) => {
      const {filled} = this.values(column);
      return {column, filled: filled.length, distinct: new Set(filled).size};
    });
    this.#choices.push({role, candidates: counted});
  }

  /** The choices between columns so far. */
  get choices(): readonly Choice[] {
    return this.#choices;
  }

  /** All free columns of a role, the surest first; of several years the newest, and a filled one before one that is half as full. */
  free(role: FieldRole): string[] {
    const found = this.#find(role);
    const plain =
      moneyRole.test(role) && this.#hasPlainMoney() ? found.filter(({rank}) => !isPrefixed(rank)) : found;
    const names = plain
      .map(({column}) => column)
      .filter(
        (name) =>
          !this.isTaken(name) &&
          !this.values(name).isNested &&
          (this.column(name).memberOf === undefined || memberRole.test(role)) &&
          fitsRole(role, this.values(name), this.state),
      );
    const newest = Math.max(...names.map((name) => yearInName(name) ?? 0));
    const current = names.filter((name) => [null, newest].includes(yearInName(name)));
    const fullest = Math.max(0, ...current.map((name) => this.values(name).filled.length));
    const isSparse = (name: string) => Number(this.values(name).filled.length * 2 < fullest);
    return current.toSorted((a, b) => isSparse(a) - isSparse(b));
  }

  #hasPlainMoney(): boolean {
    const roles = ["total_value", "assessed_value", "market_value", "land_value", "building_value"];
    return roles.some((role) => this.#find(role).some(({rank}) => !isPrefixed(rank)));
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

  /** Names of all columns in the table's order, without members of dictionaries. */
  get names(): readonly string[] {
    return [...this.#columns.values()].flatMap(({name, memberOf}) => (memberOf === undefined ? [name] : []));
  }
}
