import type {ArrowTable} from "../../storage/arrow-table/open.ts";
import type {AddressStatus, ScoredAddress} from "../address/parsed-address.ts";
import type {ParcelSet} from "../artifacts.ts";
import type {RowPlace} from "../place/place-question.ts";
import {registeredSource} from "../record/source-facts.ts";

type ReadAddress = (row: number) => ScoredAddress;

/** Readers of tables: the columns of a table are looked up once. */
const readers = new WeakMap<ArrowTable, ReadAddress>();

/** Gives the parts of a row's address as they are compared; the end of a range is null where there is no range. */
export function rowAddress({parcels}: ParcelSet, row: number): ScoredAddress {
  const known = readers.get(parcels) ?? addressReader(parcels);
  readers.set(parcels, known);
  return known(row);
}

/** Gives what is known of the place of a row. */
export function rowPlace({parcels}: ParcelSet, row: number): RowPlace {
  const [lat, lon] = [parcels.number("lat").at(row), parcels.number("lon").at(row)];
  return {
    city: parcels.string("city").at(row),
    zip: parcels.string("zip").at(row),
    county: parcels.string("county_key").at(row),
    point: lat === null || lon === null ? null : {lat, lon},
    covered: coveredBy(parcels.string("owner_source").at(row)),
  };
}

const coveredPlaces = new Map<string, readonly string[] | undefined>();

/** Gives the places that a registered source covers; undefined for one of whole counties. */
function coveredBy(source: string | null): readonly string[] | undefined {
  if (source === null) return undefined;
  if (!coveredPlaces.has(source)) coveredPlaces.set(source, registeredSource(source)?.coverage?.places);
  return coveredPlaces.get(source);
}

function addressReader(parcels: ArrowTable): ReadAddress {
  const [number, fraction, pre, name, type, post] = [
    parcels.string("situs_number"),
    parcels.string("situs_fraction"),
    parcels.string("situs_pre"),
    parcels.string("situs_name"),
    parcels.string("situs_type"),
    parcels.string("situs_post"),
  ];
  const [unitType, unit, city, zip, raw] = [
    parcels.string("situs_unit_type"),
    parcels.string("situs_unit"),
    parcels.string("city"),
    parcels.string("zip"),
    parcels.string("situs_raw"),
  ];
  const [low, high] = [parcels.number("situs_number_lo"), parcels.number("situs_number_hi")];
  const status = parcels.string("situs_status");
  return (row) => {
    const [numberLo, numberHi] = [low.at(row), high.at(row)];
    return {
      number: number.at(row),
      numberLo,
      numberHi: numberHi === numberLo ? null : numberHi,
      fraction: fraction.at(row),
      pre: pre.at(row),
      name: name.at(row),
      type: type.at(row),
      post: post.at(row),
      unitType: unitType.at(row),
      unit: unit.at(row),
      city: city.at(row),
      zip: zip.at(row),
      status: (status.at(row) ?? "blank") as AddressStatus,
      raw: raw.at(row),
    };
  };
}
