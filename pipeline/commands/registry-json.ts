const longestLine = 130;

/** Gives a value as the text of a registry file: two blanks a level, one line for a value that fits, and a line feed at the end. */
export function registryJson(value: unknown): string {
  return `${shown(value, 0, 0)}\n`;
}

function shown(value: unknown, indent: number, lead: number): string {
  const line = inline(value);
  if (
    typeof value !== "object" ||
    value === null ||
    (indent > 0 && indent + lead + line.length <= longestLine)
  )
    return line;
  const inner = " ".repeat(indent + 2);
  const items = Array.isArray(value)
    ? value.map((item) => inner + shown(item, indent + 2, 0))
    : known(value).map(
        ([key, item]) => `${inner}${JSON.stringify(key)}: ${shown(item, indent + 2, key.length + 4)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${items.join(",\n")}\n${" ".repeat(indent)}${close}`;
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${known(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${inline(item)}`)
    .join(", ")}}`;
}

function known(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}
