import type {ProposalContext} from "./field-proposal.ts";
import {proposeFields} from "./propose-fields.ts";

/**
 * Removes the surplus name from a header whose rows all have one cell less; of the possible headers the best match for the cells wins.
 * Null if the header matches, differs in another way, or fewer than five rows are known.
 */
export function fittingHeader(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  context: ProposalContext,
): readonly string[] | null {
  if (rows.length < 5 || rows.some((cells) => cells.length !== header.length - 1)) return null;
  const [best] = header
    .map((_, left) => header.filter((__, i) => i !== left))
    .map((names) => ({names, fits: fitsOf(names, rows, context)}))
    .toSorted((a, b) => b.fits - a.fits);
  return best?.names ?? null;
}

/** Scores names by the number of roles that their columns fill, plus one for an area whose name states its unit. */
function fitsOf(names: readonly string[], rows: readonly (readonly string[])[], context: ProposalContext) {
  const columns = names.map((name, i) => ({name, samples: rows.map((cells) => cells[i] ?? "")}));
  const {fields, ids, use, area} = proposeFields(columns, context);
  const unit = {acres: /AC/i, sqft: /SQ|SF/i}[area?.unit === "acres" ? "acres" : "sqft"];
  const areas = [area?.from ?? []].flat();
  return (
    Object.keys(fields).length +
    [ids, use, area].filter((part) => part !== undefined && part !== null).length +
    (areas.length > 0 && areas.every((name) => unit.test(name)) ? 1 : 0)
  );
}
