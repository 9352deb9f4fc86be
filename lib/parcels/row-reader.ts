import type {ArrowTable, Column} from "../storage/arrow-table/open.ts";
import {groupNames, type ProvenanceGroup} from "./conform/groups.ts";
import type {ParcelRow, ProvenanceFacts} from "./parcel-row.ts";

type ProvenanceOf = ParcelRow["provenance"];

/** Makes rows of a table in a file; the accessor of a column is looked for once. */
export function rowReader(
  table: ArrowTable,
  provenance: ReadonlyMap<number, ProvenanceFacts>,
): (row: number) => ParcelRow {
  const columns: Columns = {
    texts: remembered((column) => table.string(column)),
    numbers: remembered((column) => table.number(column)),
    flags: remembered((column) => table.flag(column)),
    dates: remembered((column) => table.date(column)),
    lists: remembered((column) => table.list(column)),
    originsOf: originsReader(table, provenance),
    ahead: table.ahead,
  };
  return (row) => new FileRow(columns, row);
}

type Columns = {
  readonly texts: (column: string) => Column<string>;
  readonly numbers: (column: string) => Column<number>;
  readonly flags: (column: string) => Column<boolean>;
  readonly dates: (column: string) => Column<string>;
  readonly lists: (column: string) => Column<string[]>;
  readonly originsOf: (row: number) => ProvenanceOf;
  readonly ahead: ArrowTable["ahead"];
};

const none: readonly string[] = [];

/** A row of a file: its number beside the columns, nothing else, because a search makes one for each row that it looks at. */
class FileRow implements ParcelRow {
  private readonly columns: Columns;
  private readonly row: number;

  constructor(columns: Columns, row: number) {
    this.columns = columns;
    this.row = row;
  }

  ahead(): void {
    this.columns.ahead?.(this.row);
  }

  text(column: string): string | null {
    return this.columns.texts(column).at(this.row);
  }

  number(column: string): number | null {
    return this.columns.numbers(column).at(this.row);
  }

  flag(column: string): boolean | null {
    return this.columns.flags(column).at(this.row);
  }

  date(column: string): string | null {
    return this.columns.dates(column).at(this.row);
  }

  list(column: string): readonly string[] {
    return this.columns.lists(column).at(this.row) ?? none;
  }

  get provenance(): ProvenanceOf {
    return this.columns.originsOf(this.row);
  }
}

/** The provenance of a row by group: one function for all rows that have the same. */
function originsReader(
  table: ArrowTable,
  provenance: ReadonlyMap<number, ProvenanceFacts>,
): (row: number) => ProvenanceOf {
  const usual = table.number("prov_default");
  const groups = groupNames
    .map((group) => ({group, ids: table.number(`prov_${group}`)}))
    .filter(({ids}) => ids.isEmpty !== true);
  const made = new Map<number | string, ProvenanceOf>();
  return (row) => {
    const id = usual.at(row) ?? -1;
    const own = groups.map(({group, ids}): [ProvenanceGroup | "default", number | null] => [
      group,
      ids.at(row),
    ]);
    const key = own.length === 0 ? id : `${id} ${own.map(([, ownId]) => ownId).join()}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const byGroup = new Map(own);
    const fresh: ProvenanceOf = (group) => {
      const named = byGroup.get(group) ?? id;
      const facts = provenance.get(named);
      if (facts === undefined)
        throw new Error(`no provenance ${named} in the table that the rows name it of`);
      return facts;
    };
    made.set(key, fresh);
    return fresh;
  };
}

function remembered<T>(find: (name: string) => T): (name: string) => T {
  const found = new Map<string, T>();
  return (name) => {
    const known = found.get(name);
    if (known !== undefined) return known;
    const fresh = find(name);
    found.set(name, fresh);
    return fresh;
  };
}
