/** How a table or layer of parcels is read, proposed from the names, types and cells of its columns. */
export {proposeCodedFields} from "./coded-fields.ts";
export {memberPattern, quoted} from "./column-values.ts";
export type {FieldProposal, SourceColumn, StateFacts, UseSystem} from "./field-proposal.ts";
export {fittingHeader} from "./fitting-header.ts";
export {
  codedFieldsOf,
  isNumericType,
  type LayerField,
  proposeLayerFields,
  soleNumberField,
} from "./layer-fields.ts";
export {proposeFields} from "./propose-fields.ts";
