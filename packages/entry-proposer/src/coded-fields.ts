import type {FieldProposal, FieldSpec, ProposalContext, SourceColumn} from "./field-proposal.ts";
import {proposeFields} from "./propose-fields.ts";

/** The lists of codes of a layer: by field name, the name of each code. */
export type CodedFields = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Proposes a field map like `proposeFields` for columns of which some hold codes of a list that the layer gives: their words decide what
 * the column is, and the map reads them. The code of a land use stays, and its word is the description.
 */
export function proposeCodedFields(
  columns: readonly SourceColumn[],
  coded: CodedFields,
  context?: ProposalContext,
): FieldProposal {
  const plain = proposeFields(columns, context);
  if (coded.size === 0) return plain;
  const uses = new Set([plain.use?.codeFrom ?? []].flat());
  const words = (name: string, cell: string) => coded.get(name)?.get(cell.trim()) ?? cell;
  const decoded = columns.map((column) =>
    uses.has(column.name)
      ? column
      : {...column, samples: column.samples?.map((cell) => words(column.name, cell))},
  );
  const proposal = proposeFields(decoded, context);
  const fields = Object.fromEntries(
    Object.entries(proposal.fields).map(([role, spec]) => [role, readByCodes(spec, coded)]),
  );
  const [use] = [proposal.use?.codeFrom ?? []].flat();
  const isDescribed = proposal.use?.descriptionFrom !== undefined || fields.use_description !== undefined;
  if (use !== undefined && coded.has(use) && !isDescribed)
    fields.use_description = readByCodes({from: use}, coded);
  return {...proposal, fields};
}

function readByCodes(spec: FieldSpec, coded: CodedFields): FieldSpec {
  const values = typeof spec.from === "string" ? coded.get(spec.from) : undefined;
  if (values === undefined) return spec;
  const pairs = [...values].map(([code, name]) => `${code}=${name.replaceAll("|", "/")}`);
  return {...spec, transform: [`codes:${pairs.join("|")}`, ...(spec.transform ?? [])]};
}
