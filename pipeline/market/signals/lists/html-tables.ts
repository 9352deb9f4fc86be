import {parseHTML} from "linkedom";
import {gridTable, type ListTable} from "./list-tables.ts";

/** The members of a page's element that this reader uses. */
type Element = {
  readonly textContent: string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  getAttribute(name: string): string | null;
  append(text: string): void;
};

/** Cells that one cell may span; a larger number in a page is a mistake. */
const widestSpan = 100;

/** Gives the tables of a web page that hold no other table. A cell that spans columns stands in the first of them. */
export function htmlTables(text: string): ListTable[] {
  const {document} = parseHTML(text);
  return [...(document.querySelectorAll("table") as Iterable<Element>)]
    .filter((table) => table.querySelector("table") === null)
    .map((table, index) => {
      const rows = [...table.querySelectorAll("tr")].map(rowCells);
      return {...gridTable(`table ${index + 1}`, rows), isPart: true};
    });
}

function rowCells(row: Element): string[] {
  return [...row.querySelectorAll("th, td")].flatMap((cell) => {
    const span = Number(cell.getAttribute("colspan") ?? 1);
    const more = Number.isInteger(span) && span > 1 && span <= widestSpan ? span - 1 : 0;
    return [cellText(cell), ...Array.from({length: more}, () => "")];
  });
}

function cellText(cell: Element): string {
  for (const gap of cell.querySelectorAll("br, p, div")) gap.append(" ");
  return (cell.textContent ?? "").replaceAll(/[\s\u00a0]+/g, " ").trim();
}
