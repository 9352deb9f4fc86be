import {type Description, labelledLines, type Table} from "../text/description.ts";

/** Number of records whose claim is shown in full; the others are in the table only. */
const MAX_CLAIMS = 3;

/** Renders an answer as compact Markdown without padding, because a model pays for every character. */
export function shortText(answer: Description): string {
  return [
    ...answer.headline,
    ...answer.claims.slice(0, MAX_CLAIMS),
    ...answer.tables.map(shortTable),
    ...labelledLines(answer).map(([label, text]) => `${label}: ${text}`),
  ].join("\n");
}

/** Returns the same answer as structured content: the records without empty members, and the total for paging with `offset`. */
export function shortContent({facts, records, page, limitations}: Description): Record<string, unknown> {
  const rows = records.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value != null)),
  );
  return {...facts, rows, total: page?.total ?? records.length, limitations};
}

/** Renders a table as lines of cells separated by bars. */
export function shortTable({title, columns, rows}: Table): string {
  const lines = [columns.map(({header}) => header), columns.map(() => "-"), ...rows].map((cells) =>
    cells.map(cellText).join("|"),
  );
  return [...(title === "" ? [] : [title]), ...lines].join("\n");
}

/** Replaces bars and line breaks, which would end the cell. */
function cellText(text: string): string {
  return text.replaceAll("|", "/").replaceAll(/\s+/g, " ");
}
