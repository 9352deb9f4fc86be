import {type DefaultTreeAdapterTypes, parse} from "parse5";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Cells that one cell may span; a larger number in a page is a mistake. */
const widestSpan = 100;
/** Elements that part the words before them from those behind. */
const gaps: ReadonlySet<string> = new Set(["br", "p", "div", "li"]);
/** Elements whose text nobody sees. */
const unseen: ReadonlySet<string> = new Set(["script", "style", "template"]);

/**
 * Gives the texts of the cells of each row of the tables of a web page that hold no other table, with end tags that are left out put in as
 * HTML says. A cell that spans columns stands in the first of them.
 */
export function htmlTables(text: string): string[][][] {
  return innermostTables(parse(text)).map((table) =>
    [...below(table)].flatMap(({node, isEnd}) =>
      isEnd || node.nodeName !== "tr" ? [] : [rowCells(node as Element)],
    ),
  );
}

function innermostTables(document: Node): Element[] {
  const found: Element[] = [];
  let opened: Element | null = null;
  for (const {node, isEnd} of below(document)) {
    if (node.nodeName !== "table") continue;
    // A table that ends while it is the one that was opened last holds no other.
    if (isEnd && opened === node) found.push(node as Element);
    opened = isEnd ? null : (node as Element);
  }
  return found;
}

function rowCells(row: Element): string[] {
  const cells = row.childNodes.filter(({nodeName}) => nodeName === "th" || nodeName === "td") as Element[];
  return cells.flatMap((cell) => {
    const span = Number(cell.attrs.find(({name}) => name === "colspan")?.value ?? 1);
    const more = Number.isInteger(span) && span > 1 && span <= widestSpan ? span - 1 : 0;
    return [cellText(cell), ...Array.from({length: more}, () => "")];
  });
}

function cellText(cell: Element): string {
  const texts: string[] = [];
  for (const {node, isEnd} of below(cell)) {
    if (!isEnd && node.nodeName === "#text" && "value" in node) texts.push(node.value);
    if (isEnd && gaps.has(node.nodeName)) texts.push(" ");
  }
  return texts
    .join("")
    .replaceAll(/[\s\u00a0]+/g, " ")
    .trim();
}

/** The nodes below a node in the order of the page, each at its start and, where it may hold others, at its end. */
function* below(root: Node): Generator<{node: Node; isEnd: boolean}> {
  // A stack of our own: a page may nest deeper than calls can.
  const open: {node: Node; next: number}[] = [{node: root, next: 0}];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const children = "childNodes" in top.node && !unseen.has(top.node.nodeName) ? top.node.childNodes : [];
    const child = children[top.next++];
    if (child !== undefined) {
      yield {node: child, isEnd: false};
      open.push({node: child, next: 0});
      continue;
    }
    open.pop();
    if (open.length > 0) yield {node: top.node, isEnd: true};
  }
}
