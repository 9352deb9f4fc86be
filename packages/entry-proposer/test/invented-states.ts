import type {StateFacts, UseSystem} from "../src/index.ts";

/** Boxes of states, roughly. */
const boxes = new Map([
  ["KS", {west: -102, east: -94.5, south: 37, north: 40}],
  ["PA", {west: -80.6, east: -74.7, south: 39.7, north: 42.3}],
]);

/** A code system that has what the pattern of each category takes. */
function system(id: string, uses: Readonly<Record<string, RegExp>>, columns?: readonly string[]): UseSystem {
  const categoryOf = (code: string) =>
    Object.entries(uses).find(([, codes]) => codes.test(code))?.[0] ?? null;
  return {id, columns, knows: (cell) => categoryOf(cell) !== null, categoryOf};
}

const systems = new Map([
  ["CO", system("co-class", {residential: /^1[12]\d\d$/, commercial: /^2\d{3}$/})],
  [
    "NJ",
    system("nj-modiv", {vacant: /^1$/, residential: /^2$/, agriculture: /^3[AB]$/, commercial: /^4[A-C]$/}),
  ],
  [
    "NY",
    system("ny-prclas", {
      agriculture: /^1\d\d$/,
      residential: /^2\d\d$/,
      vacant: /^3\d\d$/,
      commercial: /^4\d\d$/,
    }),
  ],
  [
    "TX",
    system(
      "tx-state-category",
      {residential: /^A\d$/, vacant: /^C\d$/, agriculture: /^[DE]\d$/, commercial: /^F\d$/},
      ["stat_land_use", "loc_land_use"],
    ),
  ],
]);

const words = {residential: /FAMILY|RESID/i, commercial: /STORE|COMM/i, vacant: /VACANT/i};

/** States with code systems of land use as a caller might know them. */
export const invented: StateFacts = {
  boxOf: (state) => boxes.get(state),
  useSystemsOf: (state) => [systems.get(state) ?? []].flat(),
  useOfWords: (text) => Object.entries(words).find(([, pattern]) => pattern.test(text ?? ""))?.[0] ?? null,
};
