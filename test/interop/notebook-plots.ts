// Evaluates the Observable cells of a Quarto page with the rows that its Python cells handed over, and checks that each draws them.
// Argument: a JSON file with `values` by name and the texts of `cells`.
import {readFileSync} from "node:fs";
import {runInNewContext} from "node:vm";
import * as Plot from "@observablehq/plot";
import {parseHTML} from "linkedom";

const {values, cells} = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as {
  values: Record<string, unknown[]>;
  cells: string[];
};
const {document} = parseHTML("<!doctype html><html><body></body></html>");
const library = {...Plot, plot: (options: Plot.PlotOptions) => Plot.plot({...options, document})};

for (const cell of cells) {
  const drawing = runInNewContext(`(${cell})`, {...values, Plot: library, Date}) as {outerHTML: string};
  if (!drawing.outerHTML.includes("<circle")) throw new Error(`a cell draws no row:\n${cell}`);
}
process.stdout.write(`${cells.length} Observable cells that draw\n`);
