/** Deterministic pseudo-random numbers. */
type Random = {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an integer from `low` to `high`, both inclusive. */
  int(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
};

/** A generated piece of land: a rectangle in degrees, with an invented address and owner. */
export type Lot = {
  readonly number: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly acres: number;
  readonly kind: "ranch" | "home" | "shop" | "vacant";
  readonly houseNumber: number;
  readonly direction: "N" | "S" | "E" | "W";
  readonly street: string;
  readonly streetType: "RD" | "LN" | "TRL";
  readonly owner: string;
  readonly year: number;
};

type Grid = {
  readonly south: number;
  readonly west: number;
  readonly rows: number;
  readonly columns: number;
};

const streets = ["BLUESTEM", "COTTONWOOD DRAW", "WINDMILL", "SALT LICK", "DRY FORK", "MEADOWLARK"] as const;
const families = [
  "BRAMBLEGATE",
  "TUMBLEFORD",
  "SAGEWALLOW",
  "QUARRYTHORN",
  "MESQUITESON",
  "DUSTINGER",
] as const;
const givens = ["ALDABERRY", "FENWYN", "HOLLISTRA", "JOSSAMY", "MARLOWENA", "PERRINGTON"] as const;
const companies = [
  "SAMPLE RANCH LLC",
  "EXAMPLE CATTLE CO",
  "GENERATED LAND TRUST",
  "SPECIMEN FEEDERS INC",
] as const;

/** Miles of latitude per degree (WGS 84, near 33 degrees north). */
const milesPerDegree = 69.05;
const acresPerSquareMile = 640;

/** Generates lots on a grid: quarter-mile squares of ranch land around a few rows of homes, shops and empty lots. */
export function lotsOn(grid: Grid, random: Random): Lot[] {
  const lots: Lot[] = [];
  for (let row = 0; row < grid.rows; row++) {
    const town = row >= grid.rows / 2 - 1 && row < grid.rows / 2 + 1;
    for (let column = 0; column < grid.columns; column++)
      lots.push(lotAt(grid, row, column, town, random, lots.length + 1));
  }
  return lots;
}

function lotAt(grid: Grid, row: number, column: number, town: boolean, random: Random, number: number): Lot {
  const miles = town ? 0.05 : 0.25;
  const south = grid.south + (row * 0.25) / milesPerDegree;
  const degreesEast = milesPerDegree * Math.cos((south * Math.PI) / 180);
  const west = grid.west + (column * 0.25) / degreesEast;
  const company = random.next() < (town ? 0.1 : 0.4);
  return {
    number,
    west: round(west),
    south: round(south),
    east: round(west + miles / degreesEast),
    north: round(south + miles / milesPerDegree),
    acres: Math.round(miles * miles * acresPerSquareMile * 100) / 100,
    kind: town ? random.pick(["home", "home", "home", "shop", "vacant"]) : "ranch",
    houseNumber: 100 + row * 200 + column * 8,
    direction: row % 2 === 0 ? "W" : "E",
    street: streets[row % streets.length]!,
    streetType: town ? "LN" : "RD",
    owner: company ? random.pick(companies) : `${random.pick(families)} ${random.pick(givens)}`,
    year: random.int(1948, 2019),
  };
}

/** Rounds degrees to about a centimetre. */
function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** Returns the lot's outline, closed and counter-clockwise (RFC 7946). */
export function ringOf({west, south, east, north}: Lot): [number, number][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** Creates a generator seeded by a word, so that every file of the sample has its own (mulberry32 over FNV-1a). */
export function seededBy(word: string): Random {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(word)) state = Math.imul(state ^ byte, 0x01000193);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {next, int, pick: (list) => list[int(0, list.length - 1)]!};
}
