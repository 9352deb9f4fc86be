import type {CodedFields} from "./coded-fields.ts";
import {ColumnClaims} from "./column-claims.ts";
import type {FieldProposal, ProposalContext} from "./field-proposal.ts";
import {proposeFields} from "./propose-fields.ts";

/** A field from a layer's metadata. */
export type LayerField = {readonly name: string; readonly type?: string | null | undefined};

/** A field with the list of its codes, where the layer gives one. */
type CodedField = LayerField & {
  readonly domain?: {readonly codedValues?: readonly {code: string | number; name: string}[] | null} | null;
};

/** More codes than these are no list that a map may have. */
const maxCodes = 500;
const numericTypes = /^esriFieldType(?:Double|Single|Integer|SmallInteger|BigInteger|OID)$/;

/** True for a numeric field type in a layer's metadata. */
export function isNumericType(type: string | null | undefined): boolean {
  return numericTypes.test(type ?? "");
}

/** A proposal from the names and types of a layer's fields, which says of the parcel number whether its field holds numbers. */
export function proposeLayerFields(fields: readonly LayerField[], context?: ProposalContext) {
  const proposal = proposeFields(columnsOf(fields), context);
  return {...proposal, ids: proposal.ids === null ? null : withType(proposal.ids, fields)};
}

function withType(
  ids: NonNullable<FieldProposal["ids"]>,
  fields: readonly LayerField[],
): typeof ids & {numericSource?: true} {
  const type = fields.find(({name}) => name === ids.raw)?.type;
  return {...ids, ...(isNumericType(type) ? {numericSource: true} : {})};
}

/** The only field that its name calls the parcel number; undefined where there is none, or more than one. */
export function soleNumberField(fields: readonly LayerField[]): string | undefined {
  const [only, another] = new ColumnClaims(columnsOf(fields)).unclaimed("parcel_id");
  return another === undefined ? only : undefined;
}

/** The lists of codes that a layer gives for its fields. */
export function codedFieldsOf(fields: readonly CodedField[]): CodedFields {
  const lists = fields.flatMap(({name, domain}) => {
    const codes = (domain?.codedValues ?? []).map((each) => [String(each.code), each.name] as const);
    return codes.length === 0 || codes.length > maxCodes ? [] : [[name, new Map(codes)] as const];
  });
  return new Map(lists);
}

function columnsOf(fields: readonly LayerField[]) {
  return fields.map(({name, type}) => ({name, type: type ?? undefined}));
}
