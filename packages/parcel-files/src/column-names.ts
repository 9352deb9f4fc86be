/**
 * Makes column names unique: an empty name becomes `column_<n>`, and repeated names get the suffixes `_2`,
 * `_3` and so on.
 */
export function uniqueNames(header: readonly string[]): string[] {
  const usedNames = new Set<string>();
  const next = new Map<string, number>();
  return header.map((cell, place) => {
    const name = cell.trim() === "" ? `column_${place + 1}` : cell.trim();
    let unique = name;
    for (let n = next.get(name) ?? 2; usedNames.has(unique); n++) {
      unique = `${name}_${n}`;
      next.set(name, n);
    }
    usedNames.add(unique);
    return unique;
  });
}
