import type {ParsedAddress} from "../src/parsed-address.ts";

type StreetParts = Pick<
  ParsedAddress,
  "number" | "numberHi" | "fraction" | "pre" | "name" | "type" | "post" | "unitType" | "unit"
>;

/** Gives number, street and unit in one tidied line (`177 OCEAN LANE DR APT 302`); null when there is no street name. */
export function formatAddress(parts: StreetParts): string | null {
  if (parts.name === null) return null;
  const {pre, name, type, post} = parts;
  return joined([formatNumber(parts), parts.fraction, pre, name, type, post, formatUnit(parts)]);
}

type Locality = {readonly city: string | null; readonly state: string | null; readonly zip: string | null};

/** Adds city, state and ZIP to a formatted street line (`12500 FM 1826, AUSTIN, TX 78737`); null when nothing is known. */
export function withPlace(line: string | null, {city, state, zip}: Locality): string | null {
  return joined([line, city, joined([state, zip])], ", ");
}

/** Gives `APT 1005`, or `# 302` for a unit without designator; null for an address without unit. */
export function formatUnit({unitType, unit}: Pick<ParsedAddress, "unitType" | "unit">): string | null {
  if (unit === null) return unitType;
  return `${unitType ?? "#"} ${unit}`;
}

function formatNumber({number, numberHi}: Pick<ParsedAddress, "number" | "numberHi">): string | null {
  // A row stores the number itself as the end of a range of one.
  const isRange = number !== null && numberHi !== null && numberHi > Number.parseInt(number, 10);
  return isRange ? `${number}-${numberHi}` : number;
}

/** Joins the known parts with `between`; null when no part is known. */
function joined(parts: readonly (string | null)[], between = " "): string | null {
  let text = "";
  for (const part of parts) {
    if (part === null || part === "") continue;
    text = text === "" ? part : text + between + part;
  }
  return text === "" ? null : text;
}
