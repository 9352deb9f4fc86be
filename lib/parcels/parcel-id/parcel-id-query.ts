import {stateOf} from "../../geography/states.ts";
import {type ParcelIdForms, parcelIdForms} from "./parcel-id-forms.ts";

/** A reading of a parcel number in a query: the number, with the county or state of its prefix. */
export type ParcelIdReading = {
  /** 5-digit FIPS code, or `MB` and 3 digits. */
  readonly countyKey: string | null;
  /** Two letters, upper case. */
  readonly state: string | null;
  readonly id: string;
  readonly forms: ParcelIdForms;
};

const fipsPrefix = /^(\d{2})(\d{3})-(.*[A-Za-z0-9].*)$/;
const municipalityPrefix = /^MB(\d{3})-(.*[A-Za-z0-9].*)$/i;
const statePrefix = /^([A-Za-z]{2})-(.*[A-Za-z0-9].*)$/;

/**
 * Gives the readings of a parcel number in a query: always the plain one first, then `<FIPS>-<id>`, `MB<nnn>-<id>` or
 * `<state>-<id>` if it has such a prefix. A lookup unites the hits of all readings (docs/design/parcels.md section 5.1).
 */
export function parcelIdReadings(asked: string): ParcelIdReading[] {
  const forms = parcelIdForms(asked);
  const plain: ParcelIdReading = {countyKey: null, state: null, id: forms.raw, forms};
  const prefixed = prefixedReading(forms.raw);
  return prefixed === null ? [plain] : [plain, prefixed];
}

function prefixedReading(raw: string): ParcelIdReading | null {
  const fips = fipsPrefix.exec(raw);
  if (fips !== null) {
    const state = stateOf(fips[1]!);
    return state === undefined ? null : reading(fips[1]! + fips[2]!, state.state, fips[3]!);
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
  return {countyKey, state, id, forms: parcelIdForms(id)};
}
