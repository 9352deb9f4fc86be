import {splitDressing} from "../words/lot-words.ts";
import type {ColumnName, HeaderColumn} from "./headings.ts";
import {isAge, type Token} from "./tokens.ts";

/** Values of a table line by column, and the text after them. */
export type LineCells = Partial<Record<ColumnName, string>> & {comment?: string};

const fits: Readonly<Record<ColumnName, (token: Token) => boolean>> = {
  Age: isAge,
  Stage: ({kind}) => kind === "stage",
  Head: ({kind}) => kind === "integer",
  "Wt Range": ({kind}) => kind === "integer" || kind === "integer_range",
  "Avg Wt": ({kind}) => kind === "integer",
  "Price Range": ({kind}) => kind === "price" || kind === "price_range",
  "Avg Price": ({kind}) => kind === "price",
  Dressing: () => false,
};

type Choice = {cells: LineCells; cost: number};

/**
 * Gives each value of a line its column: in order, by the kinds of the value, and by the nearest column where several
 * fit. Null for a value that fits no column, and for a choice on a page where the columns' places are unknown.
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
  return {
    ...best.cells,
    ...textCells(texts),
  };
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
