import {type Description, labelledLines, type Table} from "../text/description.ts";

/** Claims that an answer has in full; the other rows are in the table. */
const MOST_CLAIMS = 3;

/** Gives an answer as short Markdown, without padding: every character is read and paid for by a model. */
export function shortText(answer: Description): string {
  return [
    ...answer.headline,
    ...answer.claims.slice(0, MOST_CLAIMS),
    ...answer.tables.map(shortTable),
    ...labelledLines(answer).map(([label, text]) => `${label}: ${text}`),
  ].join("\n");
}

/** Gives the same answer as structured content: its records, and how many there are in all, since `offset` turns the page. */
export function shortContent({facts, records, page, limitations}: Description): Record<string, unknown> {
  return {...facts, rows: records, total: page?.total ?? records.length, limitations};
}

/** Gives a table as lines of cells between bars. */
export function shortTable({title, columns, rows}: Table): string {
  const lines = [columns.map(({header}) => header), columns.map(() => "-"), ...rows].map((cells) =>
    cells.map(cellText).join("|"),
  );
  return [...(title === "" ? [] : [title]), ...lines].join("\n");
}

/** A bar or a line break within a cell would end it. */
function cellText(text: string): string {
  return text.replaceAll("|", "/").replaceAll(/\s+/g, " ");
}
