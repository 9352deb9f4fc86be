import type {Readable, ReadableTable} from "../readable/readable.ts";

/** Gives an answer as short Markdown, without padding: every character is read and paid for by a model. */
export function shortText({above, tables, below}: Readable, claims: readonly string[] = []): string {
  return [
    ...above,
    ...claims,
    ...tables.map(shortTable),
    ...below.map(([label, text]) => `${label}: ${text}`),
  ].join("\n");
}

function shortTable({title, columns, rows}: ReadableTable): string {
  const lines = [columns.map(({name}) => name), columns.map(() => "-"), ...rows].map((cells) =>
    cells.map(cellText).join("|"),
  );
  return [...(title === undefined ? [] : [title]), ...lines].join("\n");
}

/** A bar or a line break within a cell would end it. */
function cellText(text: string): string {
  return text.replaceAll("|", "/").replaceAll(/\s+/g, " ");
}
