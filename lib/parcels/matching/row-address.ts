import type {ArrowTable, Column} from "@open-cattle/mapped-index";
import {
  type AddressStatus,
  type ParsedAddress,
  parseAddress,
  type ScoredAddress,
  streetColumns,
} from "@open-cattle/us-address";
import type {ParcelSet} from "../parcel-set.ts";
import type {RowPlace} from "../place/place-question.ts";
import {registeredSource} from "../record/source-facts.ts";

/** The columns of a table that lookups by address read, looked up only once. */
type AddressColumns = Readonly<Record<(typeof textColumns)[number], Column<string>>> & {
  readonly low: Column<number>;
  readonly high: Column<number>;
  /** Lines of further addresses. */
  readonly furtherLines: Column<string[]>;
};

const textColumns = [...streetColumns, "situs_raw", "situs_status", "city", "zip", "county_key"] as const;
const noLines: Column<string[]> = {rows: 0, isEmpty: true, at: () => null};

const columnsByTable = new WeakMap<ArrowTable, AddressColumns>();

function columnsOf(parcels: ArrowTable): AddressColumns {
  const opened = columnsByTable.get(parcels);
  if (opened !== undefined) return opened;
  const texts = Object.fromEntries(textColumns.map((name) => [name, parcels.string(name)]));
  const columns = {
    ...(texts as Record<(typeof textColumns)[number], Column<string>>),
    low: parcels.number("situs_number_lo"),
    high: parcels.number("situs_number_hi"),
    // A build of an older program lacks the column.
    furtherLines: parcels.has("alt_situs") ? parcels.list("alt_situs") : noLines,
  };
  columnsByTable.set(parcels, columns);
  return columns;
}

/** A row's address for comparison; `numberHi` is null when there is no range. */
export function rowAddress(
  set: ParcelSet,
  row: number,
  {city, zip}: Pick<RowPlace, "city" | "zip"> = rowPlace(set, row),
): ScoredAddress {
  const columns = columnsOf(set.parcels);
  const [numberLo, numberHi] = [columns.low.at(row), columns.high.at(row)];
  return {
    number: columns.situs_number.at(row),
    numberLo,
    numberHi: numberHi === numberLo ? null : numberHi,
    fraction: columns.situs_fraction.at(row),
    pre: columns.situs_pre.at(row),
    name: columns.situs_name.at(row),
    type: columns.situs_type.at(row),
    post: columns.situs_post.at(row),
    unitType: columns.situs_unit_type.at(row),
    unit: columns.situs_unit.at(row),
    city,
    zip,
    status: (columns.situs_status.at(row) ?? "blank") as AddressStatus,
    raw: columns.situs_raw.at(row),
  };
}

/** The printed line of a row. */
export function rowLine({parcels}: ParcelSet, row: number): string | null {
  return columnsOf(parcels).situs_raw.at(row);
}

/** The place of a stored row. Point and source are read on demand, because few queries need them. */
class StoredPlace implements RowPlace {
  readonly city: string | null;
  readonly zip: string | null;
  readonly county: string | null;
  private readonly parcels: ArrowTable;
  private readonly row: number;

  constructor({parcels}: ParcelSet, row: number) {
    const columns = columnsOf(parcels);
    this.city = columns.city.at(row);
    this.zip = columns.zip.at(row);
    this.county = columns.county_key.at(row);
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
  const lines = columnsOf(parcels).furtherLines;
  return lines.isEmpty !== true && (lines.at(row)?.length ?? 0) > 0;
}

/** The further addresses of a row. */
export function otherAddresses({parcels, state}: ParcelSet, row: number): readonly ScoredAddress[] {
  const lines = columnsOf(parcels).furtherLines;
  if (lines.isEmpty === true) return none;
  return lines.at(row)?.map((line) => ({...otherAddress(line, state), raw: line})) ?? none;
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
