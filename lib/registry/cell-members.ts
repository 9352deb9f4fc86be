/**
 * A member's value in a cell that is a dictionary in JSON or in Python's spelling: text without its quotes, members of a list on lines of
 * their own, and a dictionary as it stands; null where it is absent. The transform `member` reads the same in SQL.
 */
export function memberOf(cell: string, name: string): string | null {
  const value = new RegExp(memberPattern(name)).exec(cell)?.[1]?.trim();
  if (value === undefined || /^(?:None|null|)$/.test(value)) return null;
  if (value.startsWith("["))
    return [...value.matchAll(new RegExp(quoted, "g"))].map(([text]) => text.slice(1, -1)).join("\n");
  return /^['"]/.test(value) ? value.slice(1, -1) : value;
}

/** A text in either kind of quotes. */
export const quoted = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;

/** Pattern of a member, whose first group is its value; a dictionary in it holds no further one. */
export function memberPattern(name: string): string {
  return String.raw`['"]${name}['"]\s*:\s*(\{[^{}]*\}|\[[^\[\]]*\]|${quoted}|[^,}\]]+)`;
}

/** The paths of the texts in the dictionaries of a column: names of members, and of members of those. */
export function memberPaths(cells: readonly string[]): string[][] {
  const counted = new Map<string, number>();
  for (const cell of cells) {
    const inner = new Set<string>();
    for (const name of namesIn(cell)) {
      const value = memberOf(cell, name);
      if (value?.startsWith("{"))
        for (const member of namesIn(value)) inner.add(member).add(`${name} ${member}`);
    }
    for (const name of [
      ...namesIn(cell).filter((each) => !inner.has(each)),
      ...[...inner].filter((each) => each.includes(" ")),
    ])
      counted.set(name, (counted.get(name) ?? 0) + 1);
  }
  return [...counted].filter(([, n]) => n * 10 >= cells.length).map(([path]) => path.split(" "));
}

function namesIn(cell: string): string[] {
  return [...new Set([...cell.matchAll(/['"]([A-Za-z]\w*)['"]\s*:/g)].map(([, name]) => name!))];
}
