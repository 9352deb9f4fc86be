import type {ParsedAddress} from "./parsed-address.ts";

type StreetParts = Pick<
  ParsedAddress,
  "number" | "numberHi" | "fraction" | "pre" | "name" | "type" | "post" | "unitType" | "unit"
>;

/** Number, street and unit in one tidied line (`177 OCEAN LANE DR APT 302`); null when there is no street name. */
export function formatAddress(parts: StreetParts): string | null {
  if (parts.name === null) return null;
  const {pre, name, type, post} = parts;
  return joined([formatNumber(parts), parts.fraction, pre, name, type, post, formatUnit(parts)]);
}

/** The address with city, state and ZIP (`12500 FM 1826, AUSTIN, TX 78737`); null when nothing is known. */
export function formatAddressFull(
  parts: StreetParts,
  {city, state, zip}: {city: string | null; state: string | null; zip: string | null},
): string | null {
  const place = [formatAddress(parts), city, joined([state, zip])].filter(
    (part) => part !== null && part !== "",
  );
  return place.length === 0 ? null : place.join(", ");
}

/** `APT 1005`; a unit without designator as `# 302`; null when there is none. */
export function formatUnit({unitType, unit}: Pick<ParsedAddress, "unitType" | "unit">): string | null {
  if (unit === null) return unitType;
  return `${unitType ?? "#"} ${unit}`;
}

function formatNumber({number, numberHi}: Pick<ParsedAddress, "number" | "numberHi">): string | null {
  // A row stores the number itself as the end of a range of one.
  const isRange = number !== null && numberHi !== null && numberHi > Number.parseInt(number, 10);
  return isRange ? `${number}-${numberHi}` : number;
}

function joined(parts: readonly (string | null)[]): string | null {
  const text = parts.filter((part) => part !== null && part !== "").join(" ");
  return text === "" ? null : text;
}
