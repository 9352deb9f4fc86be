import {currentCountyKey} from "../../geography/printed-county.ts";
import {stateOf} from "../../geography/states.ts";
import {isNullText} from "../../text/null-text.ts";

/** One interpretation of a parcel number in a query: the number, and the county or state of its prefix. */
export type ParcelIdReading = {
  /** 5-digit FIPS code, or `MB` and 3 digits. */
  readonly countyKey: string | null;
  /** Two letters, upper case. */
  readonly state: string | null;
  readonly id: string;
  readonly spellings: ParcelIdSpellings;
};

const fipsPrefix = /^(\d{2})(\d{3})-(.*[A-Za-z0-9].*)$/;
const municipalityPrefix = /^MB(\d{3})-(.*[A-Za-z0-9].*)$/i;
/** Labels that people put before a number: `APN 12-34`, `Parcel ID: 12-34`, `Tax Map No. 12-34`. */
const label =
  /^(?:(?:COUNTY|TAX|ASSESSOR'?S?|PROPERTY|REAL ESTATE)\s+)?(?:APN|AIN|PIN|PID|UPI|TMK|FOLIO|GEO ?ID|(?:PARCEL|PROPERTY|PROP|TAX|ACCOUNT|ACCT|MAP|SCHEDULE|ROLL)(?:\s+(?:ID|NO|NUM|NUMBER|PARCEL))?)(?:\s*(?:#|NO\.?|NUMBER))?\s*[:#.\s]\s*(?=.*\d)/i;
const statePrefix = /^([A-Za-z]{2})-(.*[A-Za-z0-9].*)$/;

/** Why a parcel number is unusable, which rejects the row (codes of docs/design/parcels.md section 5). */
type ParcelIdReject = "null_id" | "non_parcel" | "id_precision_lost" | "control_character";

/** A usable parcel number, as published but trimmed, or the reason why it is unusable. */
type CleanParcelId = {readonly id: string} | {readonly reject: ParcelIdReject};

const wordsOfNoParcel = `ROW ROWS RW R-W RIGHT RIGHTS OF WAY WAYS RAILROAD RAILWAY RAIL RR ROAD ROADS RD ROADWAY STREET STREETS ALLEY ALLEYS AVENUE HIGHWAY
  HWY INTERSTATE DEDICATED PUBLIC PRIVATE COUNTY STATE CITY TOWNSHIP UNIDENTIFIED UNKNOWN UNASSIGNED NEW NO PARCEL PARCELS PIN NUMBER ID MIGRATION COMMON ELEMENT
  ELEMENTS AREA AREAS DLB WATER LAKE RIVER POND CREEK STREAM DITCH CANAL EASEMENT GAP OVERLAP SLIVER PARENT VOID TEMP RETIRED PENDING
  TOTAL TOTALS SUBTOTAL GRAND GRANDTOTAL SUB COUNT PAGE END REPORT`;

/**
 * Pattern for the `tok` spelling of text in place of a parcel number that names no parcel: rights of way,
 * water, `<New parcel>`, totals.
 */
export const notParcelPattern = (() => {
  const word = `(?:${wordsOfNoParcel.split(/\s+/).join("|")})`;
  return `${word}(?:-${word})*`;
})();

const notParcel = new RegExp(`^${notParcelPattern}$`);
const numericExponent = /^[+-]?\d+(?:\.\d*)?E[+-]?\d+$/i;
// A spreadsheet writes long numbers as 4.10106E+11; `12E5` without the sign may be a printed id.
const spreadsheetExponent = /^\d(?:\.\d+)?E\+\d{1,3}$/i;
const zeroDecimals = /^(\d+)\.0+$/;

/** The spellings under which a parcel number is stored and searched (docs/design/parcels.md section 5.1). */
export type ParcelIdSpellings = {
  /** NFKC, every dash as `-`, trimmed, runs of blanks collapsed. */
  readonly raw: string;
  /** Upper case, with runs of other characters than A-Z and 0-9 replaced by one `-`, and none at the ends. */
  readonly tok: string;
  /** `tok` without `-`; leading zeros are kept. */
  readonly std: string;
  /** The parts of `tok` without their leading zeros, joined; empty when the id is all zeros. */
  readonly loose: string;
};

const longestId = 200;
const dashes = /\p{Pd}|\u2212/gu;
const blanks = /\s+/gu;
const plain = /^[A-Z0-9]+(?:-[A-Z0-9]+)*$/;

/** The spellings of a parcel number; never throws. Only the first 200 characters count. */
export function parcelIdSpellings(text: string): ParcelIdSpellings {
  const cut = text.length > longestId ? text.slice(0, longestId) : text;
  // Most ids are plain already; the two general steps cost ten times as much as the rest.
  const raw = plain.test(cut) ? cut : cut.normalize("NFKC").replace(dashes, "-").replace(blanks, " ").trim();
  const tok = tokOf(raw);
  return {raw, tok, std: tok.replaceAll("-", ""), loose: looseOf(tok)};
}

function tokOf(raw: string): string {
  const upper = raw.toUpperCase();
  if (plain.test(upper)) return upper;
  return upper
    .split(/[^A-Z0-9]+/)
    .filter((part) => part !== "")
    .join("-");
}

/**
 * The part of a uid after its county when it is more than the number: a digest instead of a number, or a
 * number with a suffix. Null for any other uid.
 */
export function uidTail(uid: string, county: string): string | null {
  return uid.includes("~") ? uid.slice(county.length + 1) : null;
}

function looseOf(tok: string): string {
  let loose = "";
  for (const part of tok.split("-")) {
    let at = 0;
    while (part[at] === "0") at++;
    loose += part.slice(at);
  }
  return loose;
}

/**
 * True when the cuts of one number, given as its parts, are among those of the other: `12-3-4` and `12-34`, never
 * `1-23-4` and `12-34` (docs/design/parcels.md section 5.1). A number without separators has no cuts.
 */
export function haveSharedCuts(parts: readonly string[], others: readonly string[]): boolean {
  const [cuts, otherCuts] = [cutsOf(parts), cutsOf(others)];
  return cuts.every((cut) => otherCuts.includes(cut)) || otherCuts.every((cut) => cuts.includes(cut));
}

/** The places at which separators cut a number, in characters from its first one that is no zero. */
function cutsOf(parts: readonly string[]): number[] {
  let end = parts.join("").replace(/^0+/, "").length - parts.join("").length;
  return parts
    .slice(0, -1)
    .map((part) => {
      end += part.length;
      return end;
    })
    .filter((cut) => cut > 0);
}

/**
 * Cleans a parcel number. In a `numeric` source column `.0` is dropped, and digits beyond 2^53 are already
 * lost. Text keeps its zeros, suffix letters and decimals.
 */
export function cleanParcelId(
  value: string | number | bigint | null | undefined,
  {numeric = false}: {numeric?: boolean} = {},
): CleanParcelId {
  if (value === null || value === undefined) return {reject: "null_id"};
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return {reject: "id_precision_lost"};
  }
  const id = idText(String(value), numeric || typeof value !== "string");
  if (id === null) return {reject: "id_precision_lost"};
  if (/\p{Cc}/u.test(id)) return {reject: "control_character"};
  if (isNullText(id)) return {reject: "null_id"};
  const {std, tok} = parcelIdSpellings(id);
  if (/^0*$/.test(std)) return {reject: "null_id"};
  return notParcel.test(tok) ? {reject: "non_parcel"} : {id};
}

function idText(value: string, numeric: boolean): string | null {
  const id = value.trim();
  if ((numeric ? numericExponent : spreadsheetExponent).test(id)) return null;
  return numeric ? (zeroDecimals.exec(id)?.[1] ?? id) : id;
}

/**
 * The interpretations of a parcel number in a query: first the plain one, then `<FIPS>-<id>`, `MB<nnn>-<id>`
 * or `<state>-<id>` if it has such a prefix. After a label (`APN 12-34`), these apply to the number, and the
 * full text comes last. A lookup merges the hits of all interpretations (docs/design/parcels.md section 5.1).
 */
export function parcelIdReadings(asked: string): ParcelIdReading[] {
  const printed = plainReading(asked);
  const labelled = label.exec(printed.id);
  const plain = labelled === null ? printed : plainReading(printed.id.slice(labelled[0].length));
  const prefixed = prefixedReading(plain.id);
  return [plain, ...(prefixed === null ? [] : [prefixed]), ...(labelled === null ? [] : [printed])];
}

function plainReading(text: string): ParcelIdReading {
  const spellings = parcelIdSpellings(text);
  return {countyKey: null, state: null, id: spellings.raw, spellings};
}

function prefixedReading(raw: string): ParcelIdReading | null {
  const fips = fipsPrefix.exec(raw);
  if (fips !== null) {
    const state = stateOf(fips[1]!);
    return state === undefined ? null : reading(currentCountyKey(fips[1]! + fips[2]!), state.state, fips[3]!);
  }
  const municipality = municipalityPrefix.exec(raw);
  if (municipality !== null) return reading(`MB${municipality[1]}`, "MB", municipality[2]!);
  const state = statePrefix.exec(raw);
  const code = state?.[1]?.toUpperCase();
  if (state === null || code === undefined) return null;
  return code === "MB" || stateOf(code) !== undefined ? reading(null, code, state[2]!) : null;
}

function reading(countyKey: string | null, state: string, text: string): ParcelIdReading {
  const id = text.trim();
  return {countyKey, state, id, spellings: parcelIdSpellings(id)};
}
