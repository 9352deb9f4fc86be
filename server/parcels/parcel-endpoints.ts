import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import type {Generation} from "../generation/generation.ts";
import type {Endpoint} from "../http/endpoint.ts";
import {addressLookup} from "./address-lookup.ts";
import {noCadastre, type ParcelDeps} from "./cadastre-port.ts";
import {locationSearch} from "./location-search.ts";
import {ownerSearch} from "./owner-search.ts";
import {parcelIdLookup} from "./parcel-id-lookup.ts";

/** The four parcel endpoints, in the order of the contract. */
export function createParcelEndpoints(deps: ParcelDeps): readonly Endpoint[] {
  const endpoints = [addressLookup(deps), parcelIdLookup(deps), locationSearch(deps), ownerSearch(deps)];
  return endpoints.map((endpoint) => ({
    ...endpoint,
    position: ({delta}: Generation) => delta?.position() ?? "",
  }));
}

/** The parcel endpoints over the dataset only: a miss asks no county. */
export const parcelEndpoints: readonly Endpoint[] = createParcelEndpoints({
  cadastre: noCadastre,
  sources: registeredSource,
});
