import {findAround} from "../../lib/parcels/matching/location-match.ts";
import {recordMembersOf} from "../../lib/parcels/record/stored-record.ts";
import type {ParcelContext} from "../../schemas/market-fields/venue.ts";
import type {Generation} from "../generation/generation.ts";
import type {Call} from "../http/endpoint.ts";
import {setMember} from "./places.ts";
import type {BarnKey} from "./record-tables.ts";

type BarnText = {readonly text: string; readonly evidenceId: string | null};

/** Facts of a parcel that a barn's record carries, by the names of the parcel lookups. */
const facts = ["parcelUid", "parcelId", "acres", "landUseDetail", "landUseCategory"];

/**
 * The records of barns with the parcels that their yards lie in, and the registry ids of these. A key without the scope of parcels gets
 * none, and `withheld` says so.
 */
export function withParcels(
  {generation, scopes}: Pick<Call<unknown>, "generation" | "scopes">,
  records: readonly BarnText[],
  venues: readonly BarnKey[],
): {records: BarnText[]; sources: string[]; withheld: string | null} {
  if (!scopes.includes("parcel"))
    return {records: [...records], sources: [], withheld: "left out: the key has no scope `parcel`"};
  const found = records.map(({text}, at) =>
    text.includes('"location_basis":"yard"') ? parcelContext(venues[at]!, generation.states) : null,
  );
  return {
    records: records.map((record, at) =>
      found[at] ? {...record, text: setMember(record.text, "parcel_context", found[at])} : record,
    ),
    sources: found.some((context) => context !== null) ? ["open-map-parcel-context"] : [],
    withheld: null,
  };
}

/** The parcel of the build whose outline holds a yard, the smallest of several; never its owner. */
function parcelContext({point, state}: BarnKey, states: Generation["states"]): ParcelContext | null {
  const set = states.get(state);
  if (set === undefined || point === null) return null;
  const around = {
    point,
    radiusMiles: 0,
    use: null,
    residential: null,
    withUnaddressed: true,
    offset: 0,
    limit: 1,
  };
  const [hit] = findAround([set], around).hits;
  if (!hit?.contains) return null;
  const record = set.record(hit.row);
  const {parcelUid, parcelId, acres, landUseDetail, landUseCategory} = recordMembersOf(record) as Facts;
  return {
    parcel_uid: parcelUid,
    parcel_id: parcelId ?? null,
    acres: acres ?? null,
    land_use_code: landUseDetail?.code ?? null,
    land_use_description: landUseDetail?.description ?? null,
    land_use_category: landUseCategory ?? null,
    source_id: "open-map-parcel-context",
    provenance: provenanceOf(record.provenance.json),
  };
}

type Facts = {
  readonly parcelUid: string;
  readonly parcelId?: string;
  readonly acres?: number;
  readonly landUseDetail?: {readonly code?: string; readonly description?: string};
  readonly landUseCategory?: string;
};

/** Provenance of these facts alone: what is said of an owner stays with the parcel lookups. */
function provenanceOf(json: Buffer): ParcelContext["provenance"] {
  const {default: usual, fields} = JSON.parse(json.toString()) as ParcelContext["provenance"];
  const own = Object.entries(fields).filter(([name]) => facts.includes(name));
  return {default: usual, fields: Object.fromEntries(own)};
}
