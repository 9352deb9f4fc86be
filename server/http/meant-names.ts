import {editDistance} from "../../lib/parcels/address/edit-distance.ts";

/** Other words for parameters, folded: lower case, without brackets, hyphens and underscores. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  state: ["st", "statecode", "stateabbr", "province", "usstate"],
  zip: ["zipcode", "postalcode", "postcode", "zcta", "near", "nearzip"],
  zipCode: ["zip", "postalcode", "postcode", "zcta"],
  county: ["fips", "countyfips", "countyname", "countycode"],
  lat: ["latitude", "y"],
  lon: ["longitude", "lng", "long", "x"],
  latitude: ["lat", "y"],
  longitude: ["lon", "lng", "long", "x"],
  radius: ["miles", "distance", "within", "range", "radiusmi", "radiusmiles"],
  parcelId: ["apn", "pin", "parcel", "parcelnumber", "parcelno"],
  address: ["street", "streetaddress", "addr", "line"],
  owner: ["name", "ownername"],
  use: ["landuse", "landusecategory", "category", "usecode"],
  status: ["barnstatus"],
  venue: ["barn", "venueid", "venuename", "name"],
  limit: ["max", "size", "pagesize", "perpage", "count", "top", "rows"],
  offset: ["start", "skip", "from", "page"],
  commodity: ["commodities", "product"],
  class: ["classes", "sex", "kind", "cattleclass", "type"],
  weight: ["lb", "lbs", "pounds", "weightlb", "weightlbs", "weightbin"],
  history: ["weeks", "past"],
  evidence: ["proof", "sources"],
};

/** Gives the parameters among the known ones that a wrong name may mean: by another case, a synonym, or one letter. */
export function meantNames(given: string, known: readonly string[]): string[] {
  const folded = given.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const same = known.filter((name) => name.toLowerCase() === folded || synonyms[name]?.includes(folded));
  if (same.length > 0) return same;
  return known.filter((name) => editDistance(folded, name.toLowerCase(), 1) <= 1);
}
