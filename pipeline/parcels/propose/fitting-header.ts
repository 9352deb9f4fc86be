import {proposeFields} from "../../../lib/registry/propose-fields.ts";
import {firstRows} from "../readers/delimited.ts";
import type {Dataset} from "../readers/reader.ts";

const tried = 100;

/**
 * Gives the header of delimited text without the name that has no column, for a file whose rows all have one cell less than
 * its header; the names that fit their cells best win. Null for a file whose header fits, or differs in another way.
 */
export async function fittingHeader(dataset: Dataset, state: string): Promise<readonly string[] | null> {
  const {header, rows} = await firstRows(dataset, tried);
  if (rows.length < 5 || rows.some((cells) => cells.length !== header.length - 1)) return null;
  const [best] = header
    .map((_, left) => header.filter((__, i) => i !== left))
    .map((names) => ({names, fits: fitsOf(names, rows, state)}))
    .toSorted((a, b) => b.fits - a.fits);
  return best?.names ?? null;
}

/** The number of roles that columns fill under these names, and one more for an area in the unit of its name. */
function fitsOf(names: readonly string[], rows: readonly (readonly string[])[], state: string): number {
  const columns = names.map((name, i) => ({name, samples: rows.map((cells) => cells[i] ?? "")}));
  const {fields, ids, use, area} = proposeFields(columns, {state});
  const unit = {acres: /AC/i, sqft: /SQ|SF/i}[area?.unit === "acres" ? "acres" : "sqft"];
  const areas = [area?.from ?? []].flat();
  return (
    Object.keys(fields).length +
    [ids, use, area].filter((part) => part !== undefined && part !== null).length +
    (areas.length > 0 && areas.every((name) => unit.test(name)) ? 1 : 0)
  );
}
