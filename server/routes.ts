import type {Endpoint} from "./endpoint.ts";
import {marketEndpoints} from "./market/routes.ts";
import {parcelEndpoints} from "./parcels/routes.ts";

/** The ten endpoints, in the order of the contract. */
export const endpoints: readonly Endpoint[] = [...marketEndpoints, ...parcelEndpoints];
