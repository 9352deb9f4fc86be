import type {ArrowTable} from "../../storage/arrow-table/open.ts";
import {parseAddress} from "../address/parse-address.ts";
import type {AddressStatus, ParsedAddress, ScoredAddress} from "../address/parsed-address.ts";
import type {ParcelSet} from "../parcel-set.ts";
import type {RowPlace} from "../place/place-question.ts";
import {registeredSource} from "../record/source-facts.ts";

type ReadAddress = (row: number) => ScoredAddress;

/** Address readers by table, so that a table's columns are looked up only once. */
const readers = new WeakMap<ArrowTable, ReadAddress>();

/** A row's address for comparison; `numberHi` is null when there is no range. */
export function rowAddress({parcels}: ParcelSet, row: number): ScoredAddress {
  const known = readers.get(parcels) ?? addressReader(parcels);
  readers.set(parcels, known);
  return known(row);
}

/** The place of a stored row. Point and source are read on demand, because few queries need them. */
class StoredPlace implements RowPlace {
  readonly city: string | null;
  readonly zip: string | null;
  readonly county: string | null;
  private readonly parcels: ArrowTable;
  private readonly row: number;

  constructor({parcels}: ParcelSet, row: number) {
    this.city = parcels.string("city").at(row);
    this.zip = parcels.string("zip").at(row);
    this.county = parcels.string("county_key").at(row);
    this.parcels = parcels;
    this.row = row;
  }

  get point(): RowPlace["point"] {
    const [lat, lon] = [this.parcels.number("lat").at(this.row), this.parcels.number("lon").at(this.row)];
    return lat === null || lon === null ? null : {lat, lon};
  }

  get covered(): RowPlace["covered"] {
    return coveredBy(this.parcels.string("owner_source").at(this.row));
  }
}

/** A further address that a source prints for a parcel, parsed as the index was made. */
export function otherAddress(line: string, state: string | null): ParsedAddress {
  return parseAddress(line, {state});
}

const none: readonly ScoredAddress[] = [];

/** True for a row with further addresses. */
export function hasOtherAddresses(parcels: ArrowTable, row: number): boolean {
  // A build of an older program lacks the column.
  return parcels.has("alt_situs") && (parcels.list("alt_situs").at(row)?.length ?? 0) > 0;
}

/** The further addresses of a row. */
export function otherAddresses({parcels, state}: ParcelSet, row: number): readonly ScoredAddress[] {
  if (!hasOtherAddresses(parcels, row)) return none;
  const lines = parcels.list("alt_situs").at(row)!;
  return lines.map((line) => ({...otherAddress(line, state), raw: line}));
}

/** The place of a further address of a row: its own town and ZIP, and all else of the row. */
export function otherPlace(row: RowPlace, {city, zip}: Pick<ScoredAddress, "city" | "zip">): RowPlace {
  return {
    city: city ?? row.city,
    zip: zip ?? (city === null ? row.zip : null),
    county: row.county,
    get point() {
      return row.point;
    },
    get covered() {
      return row.covered;
    },
  };
}

export function rowPlace(set: ParcelSet, row: number): RowPlace {
  return new StoredPlace(set, row);
}

const coveredPlaces = new Map<string, readonly string[] | undefined>();

/** The places that a registered source covers; undefined when it covers whole counties. */
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
