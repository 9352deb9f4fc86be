import type {ColumnName, HeaderColumn} from "./headings.ts";
import {splitDressing} from "./lot-words.ts";
import {isAge, type Token} from "./tokens.ts";

/** Values of a table line by column, and the text after them. */
export type LineCells = Partial<Record<ColumnName, string>> & {comment?: string};

const fits: Readonly<Record<ColumnName, (token: Token) => boolean>> = {
  // Words before the first value, removed before values are assigned.
  Delivery: () => false,
  Age: isAge,
  Stage: ({kind}) => kind === "stage",
  // An asterisk means that the head count is not stated.
  Head: ({kind}) => kind === "integer" || kind === "unknown",
  "Wt Range": ({kind}) => kind === "integer" || kind === "integer_range",
  "Avg Wt": ({kind}) => kind === "integer",
  "Price Range": ({kind}) => kind === "price" || kind === "price_range",
  "Avg Price": ({kind}) => kind === "price",
  Dressing: () => false,
};

type Choice = {cells: LineCells; cost: number};

/**
 * Assigns each value of a line to a column: in order, by kind, and to the nearest column if several fit. Null if a value fits
 * no column, if the choice is ambiguous on a page without column positions, and for a complete row with a word among its
 * values.
 */
export function cellsOf(
  line: readonly Token[],
  columns: readonly HeaderColumn[],
  placed: boolean,
): LineCells | null {
  const values = line.filter(({kind}) => kind !== "text");
  const texts = line.filter(({kind}) => kind === "text").map(({text}) => text);
  const choices = assign(
    values,
    columns.filter(({name}) => name !== "Dressing"),
  );
  const usable = placed ? choices : onlyComplete(choices);
  if (usable.length === 0 || (usable.length > 1 && !placed)) return null;
  const best = usable.reduce((a, b) => (b.cost < a.cost ? b : a));
  if (isComplete(best.cells) && hasWordInside(line)) return null;
  return {
    ...best.cells,
    ...textCells(texts),
  };
}

/** True if a word other than a dressing stands among the values, in place of one; comments come after them. */
function hasWordInside(line: readonly Token[]): boolean {
  const last = line.findLastIndex(({kind}) => kind !== "text");
  return line.slice(0, last).some(({kind, text}) => kind === "text" && splitDressing(text).comment !== null);
}

function onlyComplete(choices: readonly Choice[]): readonly Choice[] {
  const complete = choices.filter(({cells}) => isComplete(cells));
  return complete.length > 0 ? complete : choices;
}

/** True for a line that needs no value from another line. */
export function isComplete(cells: LineCells): boolean {
  return cells.Head !== undefined && cells["Price Range"] !== undefined && cells["Avg Price"] !== undefined;
}

function assign(values: readonly Token[], columns: readonly HeaderColumn[]): Choice[] {
  const [value, ...laterValues] = values;
  if (value === undefined) return [{cells: {}, cost: 0}];
  return columns.flatMap((column, index) =>
    fits[column.name](value)
      ? assign(laterValues, columns.slice(index + 1)).map(({cells, cost}) => ({
          cells: {[column.name]: value.text, ...cells},
          cost: cost + Math.abs(value.center - column.center),
        }))
      : [],
  );
}

/** A dressing is recognised by its word, even if the column has no label. */
function textCells(texts: readonly string[]): LineCells {
  if (texts.length === 0) return {};
  const {dressing, comment} = splitDressing(texts.join(" "));
  return {...(dressing === null ? {} : {Dressing: dressing}), ...(comment === null ? {} : {comment})};
}
