import {splitDressing} from "../words/lot-words.ts";
import type {ColumnName, HeaderColumn} from "./headings.ts";
import {isAge, type Token} from "./tokens.ts";

/** Values of a table line by column, and the text after them. */
export type LineCells = Partial<Record<ColumnName, string>> & {comment?: string};

const fits: Readonly<Record<ColumnName, (token: Token) => boolean>> = {
  // The words before the first value; they are taken before the values are placed.
  Delivery: () => false,
  Age: isAge,
  Stage: ({kind}) => kind === "stage",
  // A star in the place of a head count says that the count is not told.
  Head: ({kind}) => kind === "integer" || kind === "unknown",
  "Wt Range": ({kind}) => kind === "integer" || kind === "integer_range",
  "Avg Wt": ({kind}) => kind === "integer",
  "Price Range": ({kind}) => kind === "price" || kind === "price_range",
  "Avg Price": ({kind}) => kind === "price",
  Dressing: () => false,
};

type Choice = {cells: LineCells; cost: number};

/**
 * Gives each value of a line its column: in order, by the kinds of the value, and by the nearest column where several
 * fit. Null for a value that fits no column, for a choice on a page where the columns' places are unknown, and for a whole row with
 * a word in the place of a value.
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

/** True where a word that is no dressing stands among the values: it came in the place of one. A comment stands after them. */
function hasWordInside(line: readonly Token[]): boolean {
  const last = line.findLastIndex(({kind}) => kind !== "text");
  return line.slice(0, last).some(({kind, text}) => kind === "text" && splitDressing(text).comment !== null);
}

function onlyComplete(choices: readonly Choice[]): readonly Choice[] {
  const complete = choices.filter(({cells}) => isComplete(cells));
  return complete.length > 0 ? complete : choices;
}

/** True for a line that needs nothing of another one. */
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

/** A dressing is known by its word, also where its label is missing. */
function textCells(texts: readonly string[]): LineCells {
  if (texts.length === 0) return {};
  const {dressing, comment} = splitDressing(texts.join(" "));
  return {...(dressing === null ? {} : {Dressing: dressing}), ...(comment === null ? {} : {comment})};
}
