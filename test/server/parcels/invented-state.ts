import type {InventedParcel} from "./state-fixture.ts";

/** Numbers that look random and are the same in every run (mulberry32). */
export function seededRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {next, below, pick: <T>(items: readonly T[]): T => items[below(items.length)]!};
}

export type Random = ReturnType<typeof seededRandom>;

const streets = "LORIMAR WHITTAKER OAKVALE OAKDALE MARDEN MARLEN QUILL QUELL BRISTLECONE SANDWICK".split(" ");
const types = ["RD", "ST", "AVE", ""];
const towns = ["ASHMERE", "HOLTBY", ""];
const lastNames = "HARLOW HARLOWE QUISTAD VESTBERG LUNDEBY OSGARD SABERG SABERGH".split(" ");
const givenNames = "DALE JUNE RAY ANNA TOMAS ANITA".split(" ");
export const categories = ["agriculture", "residential", "vacant", null] as const;

/** Parcels of an invented state around a point; the same seed gives the same ones. None is a real parcel. */
export function inventedParcels(
  random: Random,
  {count, counties, lon, lat}: {count: number; counties: readonly string[]; lon: number; lat: number},
): InventedParcel[] {
  return Array.from({length: count}, (_, at) => {
    const pointed = random.next() < 0.9;
    const owner = inventedOwner(random);
    return {
      county: random.pick(counties),
      id: inventedId(random, at),
      ...(random.next() < 0.3 ? {alt: [`R${random.below(count)}`]} : {}),
      ...(random.next() < 0.85 ? {situs: inventedAddress(random)} : {}),
      ...(owner === null ? {} : {owner}),
      ...(pointed ? {lon: lon + (random.next() - 0.5) * 0.06, lat: lat + (random.next() - 0.5) * 0.06} : {}),
      columns: {land_use_category: random.pick(categories), acres: 1 + random.below(40)},
    };
  });
}

/** Short numbers in several printed forms, so that forms meet across parcels. */
export function inventedId(random: Random, serial: number): string {
  const digits = String(serial + 1).padStart(4, "0");
  return random.pick([digits, `${digits.slice(0, 2)}-${digits.slice(2)}`, `${digits}A`, `0${digits}`]);
}

export function inventedAddress(random: Random): string {
  const number = random.pick([String(100 + random.below(30)), "120-128", "117A"]);
  const street = [
    number,
    random.pick(["", "N", ""]),
    random.pick(streets),
    random.pick(types),
    random.pick(["", "", "APT 2"]),
  ]
    .filter((part) => part !== "")
    .join(" ");
  const town = random.pick(towns);
  return town === "" ? street : `${street}, ${town}`;
}

export function inventedOwner(random: Random): string | null {
  const last = random.pick(lastNames);
  const [given, other] = [random.pick(givenNames), random.pick(givenNames)];
  return random.pick([
    null,
    `${last} ${given}`,
    `${last} ${given} & ${other}`,
    `${last} ${given}\n${random.pick(lastNames)} ${other}`,
    `${given} ${last} LLC`,
    `${last} FAMILY TRUST`,
    `ESTATE OF ${last}`,
    last,
  ]);
}
