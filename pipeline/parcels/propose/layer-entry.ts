import {resolveColumn} from "../../../lib/parcels/conform/cells.ts";
import {provenanceGroups} from "../../../lib/parcels/conform/groups.ts";
import {proposeFields} from "../../../lib/registry/propose-fields.ts";
import type {ArcgisPull} from "../../../schemas/arcgis-pull.ts";
import {type CadastreSource, ParcelSource} from "../../../schemas/parcel-source.ts";

const numericTypes = /^esriFieldType(?:Double|Single|Integer|SmallInteger|BigInteger|OID)$/;

/** The limits of a proposed map; a person's entry in `data/sources/parcels` may say more. */
const plainAcceptance = {minRows: 0, maxRejectShare: 0.02, maxDropShare: 0.1, rows: []};

/**
 * Gives the entry by which a pulled layer of the cadastre registry is read: its own field map, else one proposed from the
 * names and types of its fields, as on a miss. Owners are read only where the terms let them be given. Gives a sentence
 * where no field is known to be the parcel number, or none tells the county.
 */
export function entryOfLayer(source: CadastreSource, {fields}: ArcgisPull["layer"]): ParcelSource | string {
  const columns = fields.map(({name, type}) => ({name, type: type ?? undefined}));
  const {coverage, cadastre, publisher, accept = plainAcceptance, ...facts} = source;
  const names = columns.map(({name}) => name);
  const idField = cadastre.idField === undefined ? undefined : resolveColumn(cadastre.idField, names);
  const proposal = proposeFields(columns, {idField, state: coverage.state});
  const ids = source.ids ?? proposedIds(proposal.ids, columns);
  if (ids === null)
    return `no field of the layer is known to be the parcel number; came ${names.slice(0, 40).join(", ")}`;
  const isOneCounty = coverage.counties !== "all" && coverage.counties.length === 1;
  const countyFrom = coverage.countyFrom ?? (isOneCounty ? undefined : proposal.countyFrom);
  if (countyFrom === null) return "the layer has several counties, and no field of it is known to name them";
  const map =
    source.fields === undefined ? proposal : {...proposal, fields: source.fields, owners: source.owners};
  const {area, use, values} = {...proposal, ...source};
  return ParcelSource.parse({
    ...facts,
    publisher: publisher ?? facts.name,
    coverage: {...coverage, ...(countyFrom === undefined ? {} : {countyFrom})},
    ids,
    fields: withoutSecrets(source, map.fields),
    vintage: source.vintage ?? proposal.vintage,
    owners: mayGiveOwners(source) ? (source.owners ?? proposal.owners) : {published: false, order: "unknown"},
    ...(area === undefined ? {} : {area}),
    ...(use === undefined ? {} : {use}),
    ...(values === undefined ? {} : {values}),
    cadastre,
    accept,
  });
}

function proposedIds(
  ids: ReturnType<typeof proposeFields>["ids"],
  columns: readonly {name: string; type: string | undefined}[],
): ParcelSource["ids"] | null {
  if (ids === null) return null;
  const type = columns.find(({name}) => name === ids.raw)?.type ?? "";
  return {...ids, ...(numericTypes.test(type) ? {numericSource: true} : {})};
}

function mayGiveOwners({owners, terms}: CadastreSource): boolean {
  return owners?.published !== false && terms.redistributeOwners;
}

function withoutSecrets(source: CadastreSource, fields: ParcelSource["fields"]): ParcelSource["fields"] {
  const secret: ReadonlySet<string> = new Set(mayGiveOwners(source) ? [] : provenanceGroups.owner);
  return Object.fromEntries(Object.entries(fields).filter(([column]) => !secret.has(column)));
}
