import type {LocationQuestion} from "../../../lib/parcels/matching/location-match.ts";
import type {OwnerWords} from "../../../lib/parcels/matching/owner-match.ts";
import {categories, type Random} from "./invented-state.ts";
import type {PlainRow} from "./plain-rows.ts";

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** A parcel number of a row in some printed form, with a prefix or with a digit lost; null where the row has none. */
export function idQuestion({id, altIds, state, county}: PlainRow, random: Random): string | null {
  const asked = random.pick([id, id, altIds[0] ?? id]);
  if (asked === null) return null;
  return random.pick([
    asked,
    asked.toLowerCase(),
    asked.replace(/[^A-Za-z0-9]/g, ""),
    asked.replace(/^0+/, ""),
    asked.replace(/[^A-Za-z0-9]+/g, " "),
    `${state}-${asked}`,
    `${county}-${asked}`,
    asked.slice(0, -1),
    `0${asked}`,
  ]);
}

/** A line with the parts of a row's address in other forms, one or two letters wrong, or parts left out. */
export function addressQuestion({address}: PlainRow, random: Random): string {
  const {number, fraction, pre, name, type, post, unit, city, zip, raw} = address;
  if (raw !== null && random.next() < 0.2) return random.next() < 0.5 ? raw : raw.toLowerCase();
  const maybe = (part: string | null, share: number) =>
    part !== null && random.next() < share ? part : null;
  const errors = random.pick([0, 1, 1, 2]);
  const street = [
    number,
    fraction,
    maybe(pre, 0.9),
    misspelt(name ?? "", errors, random),
    random.next() < 0.05 ? "CT" : maybe(type, 0.8),
    maybe(post, 0.9),
    unit === null ? maybe("APT 7", 0.1) : maybe(`# ${unit}`, 0.7),
  ];
  const place = [maybe(city, 0.5), maybe(zip, 0.4)].filter((part) => part !== null).join(" ");
  const line = street.filter((part) => part !== null && part !== "").join(" ");
  return place === "" ? line : `${line}, ${place}`;
}

/** A circle around or beside a row, with or without a choice of categories, on some page; null where the row has no point. */
export function placeQuestion({lat, lon}: PlainRow, random: Random): LocationQuestion | null {
  if (lat === null || lon === null) return null;
  const aside = random.pick([0, 0.001, 0.01]);
  const [agriculture, , vacant] = categories;
  return {
    point: {lat: lat + (random.next() - 0.5) * aside, lon: lon + (random.next() - 0.5) * aside},
    radiusMiles: random.pick([0, 0.05, 0.2, 1, 2]),
    use: random.pick([null, [agriculture!], [agriculture!, vacant!]]),
    residential: random.pick([null, null, true, false]),
    withUnaddressed: random.pick([true, false]),
    offset: random.below(20),
    limit: 1 + random.below(40),
  };
}

/** One to three words of a row's owner in any order, the last one begun or one misspelt, or its first words as roles. */
export function ownerQuestion({owner}: PlainRow, random: Random): OwnerWords | null {
  const words = owner?.tokens ?? [];
  if (words.length === 0) return null;
  if (random.next() < 0.25) {
    const given = words[1];
    const firstName = given === undefined ? null : random.pick([null, given, given.slice(0, 1)]);
    return {lastName: words[0]!, firstName};
  }
  const chosen = random.pick([words.slice(0, 1 + random.below(3)), [random.pick(words), random.pick(words)]]);
  const tokens = [...new Set(random.next() < 0.3 ? [...chosen].reverse() : chosen)];
  const last = tokens.at(-1)!;
  const error = random.next();
  if (error < 0.3) tokens[tokens.length - 1] = last.slice(0, 3 + random.below(3));
  else if (error < 0.6) tokens[0] = misspelt(tokens[0]!, 1, random);
  return {tokens: [...new Set(tokens)].filter((token) => token !== "")};
}

/** So many letters of a text changed, dropped, doubled or swapped. */
function misspelt(text: string, errors: number, random: Random): string {
  let made = text;
  for (let left = errors; left > 0 && made.length > 1; left--) {
    const at = random.below(made.length - 1);
    const [before, letter, after] = [made.slice(0, at), made[at]!, made.slice(at + 1)];
    made = random.pick([
      before + random.pick(letters) + after,
      before + after,
      before + letter + random.pick(letters) + after,
      before + after.slice(0, 1) + letter + after.slice(1),
    ]);
  }
  return made.trim();
}
