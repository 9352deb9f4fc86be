import {type DefaultTreeAdapterTypes, parse} from "parse5";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Maximum plausible column span; a larger number in a page is a mistake. */
const widestSpan = 100;
/** Elements that separate the words before and after them. */
const gaps: ReadonlySet<string> = new Set(["br", "p", "div", "li"]);
/** Elements whose text is invisible. */
const unseen: ReadonlySet<string> = new Set(["script", "style", "template"]);

/**
 * Returns the cell texts of every innermost table of a web page, by row; omitted end tags are inferred as the HTML standard says. A cell
 * that spans columns fills the first, and the others are empty.
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
    // A table that closes right after it was opened contains no other table.
    if (isEnd && opened === node) found.push(node as Element);
    opened = node as Element;
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

/** Walks the nodes below a node in document order, yielding each at its start and its end. */
function* below(root: Node): Generator<{node: Node; isEnd: boolean}> {
  // An explicit stack, because a page may be nested deeper than the call stack allows.
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
