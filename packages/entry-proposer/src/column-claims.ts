import {fitsRole, provesRole} from "./column-fits.ts";
import {ColumnValues} from "./column-values.ts";
import type {Choice, SourceColumn, StateFacts} from "./field-proposal.ts";
import {type FieldRole, isPrefixed, needsProof, roleFinder, yearInName} from "./field-synonyms.ts";

/** Roles that a dictionary member may have. */
const memberRole = /^(?:owner_raw|owner_second|mail_|taxpayer)/;

/** Money roles. Agency-prefixed names are ignored for them when the table also has plain ones. */
const moneyRole = /_value$|^(?:land|building)_|^total_/;

/**
 * Assigns the columns of a table to roles. A column is assigned at most once, and only if its values fit the
 * role.
 */
export class ColumnClaims {
  readonly state: string | undefined;
  readonly facts: StateFacts;
  readonly #columns: ReadonlyMap<string, SourceColumn>;
  readonly #values: ReadonlyMap<string, ColumnValues>;
  readonly #find: ReturnType<typeof roleFinder>;
  readonly #taken = new Set<string>();
  readonly #choices: Choice[] = [];

  constructor(columns: readonly SourceColumn[], state?: string, facts: StateFacts = {}) {
    this.state = state;
    this.facts = facts;
    this.#columns = new Map(columns.map((column) => [column.name, column]));
    this.#values = new Map(columns.map(({name, samples}) => [name, new ColumnValues(samples)]));
    this.#find = roleFinder([...this.#columns.values()]);
  }

  /** Claims the best unclaimed column for a role; null when there is none. */
  take(role: FieldRole): string | null {
    const candidates = this.unclaimed(role);
    const [name = null] = candidates;
    if (name !== null) this.claim(name);
    if (candidates.length > 1) this.recordChoice(role, candidates);
    return name;
  }

  /** Records that a role has the first of several columns. */
  recordChoice(role: FieldRole, candidates: readonly string[]): void {
    const counted = candidates.map((column) => {
      const {filled} = this.values(column);
      return {column, filled: filled.length, distinct: new Set(filled).size};
    });
    this.#choices.push({role, candidates: counted});
  }

  /** The choices recorded so far. */
  get choices(): readonly Choice[] {
    return this.#choices;
  }

  /**
   * All unclaimed columns for a role, best first. Of columns with a year, only the newest year counts;
   * columns less than half as full as the fullest come last.
   */
  unclaimed(role: FieldRole): string[] {
    const found = this.#find(role);
    const plain =
      moneyRole.test(role) && this.#hasPlainMoney() ? found.filter(({rank}) => !isPrefixed(rank)) : found;
    const names = plain
      .filter(({column, rank}) => !needsProof(rank) || provesRole(role, this.values(column), this.state))
      .map(({column}) => column)
      .filter(
        (name) =>
          !this.isTaken(name) &&
          !this.values(name).isNested &&
          !(moneyRole.test(role) && isBlank(this.values(name))) &&
          (this.column(name).memberOf === undefined || memberRole.test(role)) &&
          fitsRole(role, this.values(name), this.state, this.facts.boxOf),
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

  /** Names of all columns in table order, without dictionary members. */
  get names(): readonly string[] {
    return [...this.#columns.values()].flatMap(({name, memberOf}) => (memberOf === undefined ? [name] : []));
  }
}

/** True for a column of which cells were seen, all of them empty. */
function isBlank({cells, filled}: ColumnValues): boolean {
  return cells.length > 0 && filled.length === 0;
}
