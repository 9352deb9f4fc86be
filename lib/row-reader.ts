import type {ArrowTable} from "./arrow-table/open.ts";
import {groupNames, type ProvenanceGroup} from "./conform/groups.ts";
import type {ParcelRow, ProvenanceFacts} from "./parcel-row.ts";

type ProvenanceOf = ParcelRow["provenance"];

/** Makes rows of a table in a file; the accessor of a column is looked for once. */
export function rowReader(
  table: ArrowTable,
  provenance: ReadonlyMap<number, ProvenanceFacts>,
): (row: number) => ParcelRow {
  const texts = remembered((column) => table.string(column));
  const numbers = remembered((column) => table.number(column));
  const flags = remembered((column) => table.flag(column));
  const dates = remembered((column) => table.date(column));
  const lists = remembered((column) => table.list(column));
  const originsOf = originsReader(table, provenance);
  return (row) => ({
    text: (column) => texts(column).at(row),
    number: (column) => numbers(column).at(row),
    flag: (column) => flags(column).at(row),
    date: (column) => dates(column).at(row),
    list: (column) => lists(column).at(row) ?? [],
    get provenance() {
      return originsOf(row);
    },
  });
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
