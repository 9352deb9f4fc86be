import {proposedLayerMap} from "../../../lib/registry/layer-map.ts";
import type {ArcgisPull} from "../../../schemas/arcgis.ts";
import {type CadastreSource, ParcelSource} from "../../../schemas/parcel-source.ts";

/** The limits of a proposed map; a person's entry in `data/sources/parcels` may say more. */
const plainAcceptance = {minRows: 0, maxRejectShare: 0.02, maxDropShare: 0.1, rows: []};

/**
 * Gives the entry by which a pulled layer of the cadastre registry is read, with the map of its answers on a miss. Gives a sentence
 * where no field is known to be the parcel number, or none tells the county.
 */
export function entryOfLayer(source: CadastreSource, {fields}: ArcgisPull["layer"]): ParcelSource | string {
  const {coverage, cadastre, publisher, accept = plainAcceptance, ...facts} = source;
  const proposal = proposedLayerMap(source, fields);
  if (proposal === null) {
    const names = fields.map(({name}) => name);
    return `no field of the layer is known to be the parcel number; came ${names.slice(0, 40).join(", ")}`;
  }
  const {countyFrom: proposed, ...map} = proposal;
  const isOneCounty = coverage.counties !== "all" && coverage.counties.length === 1;
  const countyFrom = coverage.countyFrom ?? (isOneCounty ? undefined : proposed);
  if (countyFrom === null) return "the layer has several counties, and no field of it is known to name them";
  return ParcelSource.parse({
    ...facts,
    ...map,
    publisher: publisher ?? facts.name,
    coverage: {...coverage, ...(countyFrom === undefined ? {} : {countyFrom})},
    cadastre,
    accept,
    ...(isWhole(source) ? {} : {proposedMap: true}),
  });
}

/** True for a source whose map a person wrote. */
function isWhole({ids, fields, vintage}: CadastreSource): boolean {
  return ids !== undefined && fields !== undefined && vintage !== undefined;
}
