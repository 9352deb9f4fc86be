import type {FakeCounty} from "../delta/fake-county.ts";
import {discoveryOf} from "../delta/fake-county.ts";

/** Path of the lookup by number in the invented county. */
export const byNumber = (id: string) =>
  `/public/land-agent/property/parcel-id-lookup?state=TX&county=Travis&parcelId=${id}`;

/** The owner of a number; an answer with another one is wrong. */
export function ownerOf(id: string): string {
  const letters = [...id].map((sign) => String.fromCharCode(65 + (sign.charCodeAt(0) % 26))).join("");
  return `OWNER ${letters}`;
}

/** A county with a parcel for every number that begins with `M`. */
export function everyParcel(): FakeCounty {
  return {
    up: true,
    asked: 0,
    parcels: {
      get: (tok) =>
        /^M/.test(tok) ? discoveryOf({id: tok, owner: ownerOf(tok), columns: facts}) : undefined,
    },
  };
}

/** As in the county's file, so that no gate sees a loss. */
const facts = {acres: 2, market_value: 1000, currency: "USD", situs_raw: "9 ELM ST"};
