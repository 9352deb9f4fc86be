/** The cells of one source row by the source's own column names. */
export type Cells = Readonly<Record<string, unknown>>;

const dbfNameLength = 10;

/**
 * The column that an entry's name means: the equal one, else the only one that is equal without regard to case, else the one
 * that is its cut to the 10 characters of a DBF; undefined when there is none (`docs/design/parcels.md` section 3).
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

/** Gives names to columns: an empty one by its place, a second of a name `_2`, a third `_3`. */
export function uniqueNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((cell, place) => {
    const name = cell.trim() === "" ? `column_${place + 1}` : cell.trim();
    let unique = name;
    for (let n = 2; taken.has(unique); n++) unique = `${name}_${n}`;
    taken.add(unique);
    return unique;
  });
}

/**
 * Columns of a staged table for the names that an entry uses, in their order: the names, but for those that DuckDB would take for
 * one with another (it does not look at case) or with its own `rowid`.
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

/** Finds the wanted cells of rows whose names come to light row by row. */
export function cellResolver(wanted: readonly string[]) {
  const known = new Set<string>();
  let columns: (string | undefined)[] = wanted.map(() => undefined);
  const learn = (cells: Cells) => {
    let news = false;
    for (const name of Object.keys(cells)) {
      if (known.has(name)) continue;
      known.add(name);
      news = true;
    }
    if (news) columns = wanted.map((name) => resolveColumn(name, [...known]));
  };
  return {
    /** The wanted cells of a row as text, null where the row has none. */
    texts(cells: Cells): (string | null)[] {
      learn(cells);
      return columns.map((column) => (column === undefined ? null : cellText(cells[column])));
    },
    seen: (): string[] => [...known],
    found: (): Set<string> => new Set(wanted.filter((_, i) => columns[i] !== undefined)),
  };
}

/** A cell as text: numbers in plain decimals where they have few enough digits, lists and objects as JSON. */
function cellText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  return JSON.stringify(value);
}
