import {cityKey} from "./fold-text.ts";

/** The kind of a situs line (docs/design/parcels.md section 5.2). */
export type AddressStatus =
  | "numbered"
  | "street_only"
  | "name_only"
  | "legal_only"
  | "po_box"
  | "rural_route"
  | "blank";

/** Columns of a parcel for the parts of a street, in the order of a line. */
export const streetColumns = [
  "situs_number",
  "situs_fraction",
  "situs_pre",
  "situs_name",
  "situs_type",
  "situs_post",
  "situs_unit_type",
  "situs_unit",
] as const;

/** The parts of an address line; text is upper case, and a missing part is null. */
export type ParsedAddress = {
  /** House number without fraction: `123`, `123A`, `N65W21234`, `112-15`; for a range, its low end. */
  number: string | null;
  /** Numeric part of the number; null for grid numbers. */
  numberLo: number | null;
  /** High end of a range, else null. */
  numberHi: number | null;
  fraction: string | null;
  /** Directional before the name: N, NE, E, SE, S, SW, W, NW. */
  pre: string | null;
  /** Normalised street name without type: `MAIN`, `22ND`, `FM 1826`. */
  name: string | null;
  /** Publication 28 abbreviation. */
  type: string | null;
  post: string | null;
  unitType: string | null;
  unit: string | null;
  secondStreet: string | null;
  city: string | null;
  /** Name of a county beside a city (`AUSTIN, TRAVIS COUNTY`), without its last word. */
  county: string | null;
  /** Two letters. */
  state: string | null;
  /** Five digits. */
  zip: string | null;
  zipPlusFour: string | null;
  status: AddressStatus;
  /** Number of words that no part holds, not counting box parts and the place. */
  dropped: number;
  /** The words of the line, before its place, that neither a part nor a rule accounts for; only listed on request. */
  leftOver: readonly string[];
  /** Names of the parts that were left out or corrected. */
  notes: string[];
};

/** What is known about a line from outside it. */
export type AddressContext = {
  /** Two letters. */
  readonly state?: string | null;
  /** County name or key; the five counties of New York City number their houses with hyphens. */
  readonly county?: string | null;
  /**
   * Tells whether the state has a place of that name; without it, a line without commas is split by its form
   * alone.
   */
  readonly isKnownPlace?: (city: string, state: string | null) => boolean;
  /** Lists the words that are left over, which lookups compare; else they are only counted. */
  readonly listsLeftOver?: boolean;
};

/** The compared parts of an address, with the line they were parsed from. */
export type ScoredAddress = Omit<
  ParsedAddress,
  "secondStreet" | "county" | "state" | "zipPlusFour" | "notes" | "dropped" | "leftOver"
> & {
  /** Number of words of the line that are left over. */
  readonly dropped?: number;
  readonly leftOver?: readonly string[];
  readonly notes?: readonly string[];
  /**
   * True for a reading whose name is not as written: a direction and a name are joined or divided, or THE, DR or
   * JR is added or removed.
   */
  readonly isNameChanged?: boolean;
  /** The line of the query, or the published line of the row. */
  readonly raw: string | null;
};

/** Note of a name before the address, which a comma ends. */
export const recipientNote = "recipient_dropped";

/** Note of a town that only its place behind the street shows: no comma precedes it (a bracket, hyphen or slash is none). */
const townByForm = "town by its place in the line";

/** Notes whether words behind the street were taken for the town for want of anything that shows more. */
export function noteTownByForm(address: ParsedAddress, isByForm: boolean): void {
  const others = address.notes.filter((note) => note !== townByForm);
  address.notes.splice(0, address.notes.length, ...others, ...(isByForm ? [townByForm] : []));
}

/** The words that were taken for a town and are none: the row's own is another, and no place is called so. They are left over. */
export function wordsOfNoTown(
  {city, notes}: ParsedAddress,
  own: string | null,
  isPlace: (city: string) => boolean,
): readonly string[] {
  if (city === null || !notes.includes(townByForm)) return [];
  return cityKey(city) === cityKey(own) || isPlace(city) ? [] : city.split(" ");
}

/**
 * Records that words were left out. Box parts and Canadian postal codes are noted but do not count as
 * dropped.
 */
export function leaveOut(address: ParsedAddress, note: string, words: number): void {
  address.notes.push(note);
  address.dropped += words;
}

/** An address without parts. */
export function emptyAddress(status: AddressStatus): ParsedAddress {
  return {
    number: null,
    numberLo: null,
    numberHi: null,
    fraction: null,
    pre: null,
    name: null,
    type: null,
    post: null,
    unitType: null,
    unit: null,
    secondStreet: null,
    city: null,
    county: null,
    state: null,
    zip: null,
    zipPlusFour: null,
    status,
    dropped: 0,
    leftOver: [],
    notes: [],
  };
}
