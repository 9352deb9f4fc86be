import {isDeliveryLabel} from "./delivery.ts";
import {columnNames, headingOf, regionOf, sectionOf} from "./headings.ts";
import {isAge, type Token, tokensOf} from "./tokens.ts";

const labels = new Set<string>([...columnNames, "Delivery/Freight"]);
/** The cells of a row read so far, each from its own line. */
type OpenRow = {readonly cells: string[]; readonly kinds: Token["kind"][]};

/**
 * Rejoins a text with one table cell per line, as some PDF tools extract it, into one line per row; other texts are returned
 * unchanged. A row with too few values keeps its lines.
 */
export function fromCellLines(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const isOfCells = lines.some((line, at) => line === "Head" && labels.has(lines[at + 1] ?? ""));
  return isOfCells ? new CellLines().joined(joinReceipts(lines)) : text;
}

const period = /^(?:This Week|Current Week|Last Reported|Last Year)$/;
const receipts = /^\d[\d,]*(?:\(\d+(?:\.\d+)?%\))?$/;

/** Rejoins the periods of the receipts into one line, and each label with its numbers if it has one per period. */
function joinReceipts(lines: readonly string[]): string[] {
  const periods = lines.filter((line) => period.test(line));
  const joined: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const next = lines.slice(at + 1, at + periods.length + 2);
    const numbers = next.findIndex((line) => !receipts.test(line));
    if (period.test(lines[at]!) && period.test(lines[at - 1] ?? ""))
      joined.push(`${joined.pop()}   ${lines[at]}`);
    else if (lines[at]!.endsWith(":") && numbers > 0 && numbers === periods.length) {
      joined.push(lines.slice(at, at + numbers + 1).join("   "));
      at += numbers;
    } else joined.push(lines[at]!);
  }
  return joined;
}

class CellLines {
  private readonly out: string[] = [];
  private header: string[] = [];
  private inTable = false;
  private row: OpenRow = {cells: [], kinds: []};

  joined(lines: readonly string[]): string {
    for (const line of lines) this.readLine(line);
    this.endHeader();
    this.endRow();
    return this.out.join("\n");
  }

  private readLine(line: string): void {
    const cell = line.trim();
    if (labels.has(cell)) {
      this.endRow();
      this.header.push(cell);
      return;
    }
    this.endHeader();
    const tokens = tokensOf(cell);
    if (this.inTable && tokens.length === 1 && tokens[0]!.kind !== "text") this.addValue(tokens[0]!);
    else if (this.inTable && isDeliveryLabel(cell)) this.begin(cell);
    else if (isWhole(this.row) && isComment(cell)) this.row.cells.push(cell);
    else if (cell !== "" || this.row.cells.length === 0) {
      this.endRow();
      this.out.push(line);
    }
  }

  private addValue({text, kind}: Token): void {
    if (isWhole(this.row)) this.endRow();
    this.row.cells.push(text);
    this.row.kinds.push(kind);
  }

  private begin(delivery: string): void {
    this.endRow();
    this.row.cells.push(delivery);
  }

  private endHeader(): void {
    if (this.header.length === 0) return;
    this.out.push(this.header.join("   "));
    this.header = [];
    this.inTable = true;
  }

  private endRow(): void {
    const {cells} = this.row;
    if (isWhole(this.row)) this.out.push(cells.join("   "));
    else this.out.push(...cells);
    this.row = {cells: [], kinds: []};
  }
}

/** True for a complete row: age and stage if any, head, weights, average weight, prices and average price. */
function isWhole({cells, kinds}: OpenRow): boolean {
  const at = kinds.length - 5;
  const [head, weights, weight, prices, price] = kinds.slice(Math.max(at, 0));
  const before = kinds.slice(0, Math.max(at, 0));
  const first = cells.find((cell) => /^[<>\d]/.test(cell)) ?? "";
  return (
    at >= 0 &&
    (head === "integer" || head === "unknown") &&
    (weights === "integer" || weights === "integer_range") &&
    weight === "integer" &&
    (prices === "price" || prices === "price_range") &&
    price === "price" &&
    before.every((kind) => kind === "stage" || isAge({kind, text: first, center: 0}))
  );
}

/** True for words after a row: its dressing, or a comment on the lot. */
function isComment(cell: string): boolean {
  const isOpening = sectionOf(cell) !== null || headingOf(cell, null) !== null || regionOf(cell) !== null;
  return /^[\w&'/ -]*[A-Za-z][\w&'/ -]*$/.test(cell) && cell.split(" ").length <= 6 && !isOpening;
}
