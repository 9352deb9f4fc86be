/** The forms in which a parcel number is kept and looked for (docs/design/parcels.md section 5.1). */
export type ParcelIdForms = {
  /** NFKC, every dash as `-`, trimmed, inner runs of blanks as one. */
  readonly raw: string;
  /** Upper case, with one `-` for each run of characters outside A-Z and 0-9, but not at the ends. */
  readonly tok: string;
  /** `tok` without `-`; leading zeros kept. */
  readonly std: string;
  /** Leading zeros of each part of `tok` removed, parts joined; empty for an id of zeros only. */
  readonly loose: string;
};

const longestId = 200;
const dashes = /\p{Pd}|\u2212/gu;
const blanks = /\s+/gu;
const plain = /^[A-Z0-9]+(?:-[A-Z0-9]+)*$/;

/** Gives the forms of a parcel number; never throws. Of a text longer than 200 characters, the first 200 count. */
export function parcelIdForms(text: string): ParcelIdForms {
  const cut = text.length > longestId ? text.slice(0, longestId) : text;
  // Most ids are plain already; the two general steps cost ten times the rest.
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
 * The part of a uid after its county, where it is more than the number: a digest in the place of one, or a number with a suffix. Null
 * for any other uid.
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
