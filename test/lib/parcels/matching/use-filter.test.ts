import fc from "fast-check";
import {describe, expect, it} from "vitest";
import {
  countedRows,
  filtersUse,
  isHit,
  openRangeCounter,
  type UseQuestion,
  useTest,
} from "../../../../lib/parcels/matching/use-filter.ts";
import type {ParcelSet} from "../../../../lib/parcels/parcel-set.ts";

type Row = {
  readonly category: string | null;
  readonly acres: number | null;
  readonly county: string;
  readonly isRange?: boolean;
};

const categories = ["agriculture", "residential", "vacant"];
const counties = ["48453", "48491"];

/** A set with the columns that filters read. */
function setOf(rows: readonly Row[], hidden?: ReadonlySet<number>): ParcelSet {
  const dictionaries: Record<string, {values: string[]; of: (row: Row) => string | null}> = {
    land_use_category: {values: categories, of: ({category}) => category},
    county_key: {values: counties, of: ({county}) => county},
  };
  const parcels = {
    has: () => true,
    flag: () => ({at: (row: number) => rows[row]!.isRange === true || null}),
    number: () => ({at: (row: number) => rows[row]!.acres}),
    dictionary: (name: string) => {
      const {values, of} = dictionaries[name]!;
      return {values, codeAt: (row: number) => values.indexOf(of(rows[row]!) ?? "")};
    },
  };
  return {parcels, hidden} as unknown as ParcelSet;
}

const row = fc.record<Row>({
  category: fc.constantFrom(null, ...categories),
  acres: fc.constantFrom(null, 0, 0.5, 1, 40, 160),
  county: fc.constantFrom(...counties),
  isRange: fc.boolean(),
});
const question = fc.record<UseQuestion>({
  use: fc.constantFrom(null, ["agriculture"], ["residential", "vacant"]),
  residential: fc.constantFrom(null, true, false),
  includeOpenRange: fc.constantFrom(undefined, true, false),
  minAcres: fc.constantFrom(undefined, 0, 0.5, 40),
  maxAcres: fc.constantFrom(undefined, 0.5, 40),
});

/** True, false, or null where it is not known. */
function hasUse({category}: Row, {use, residential}: UseQuestion): boolean | null {
  if (use === null && residential === null) return true;
  if (category === null) return null;
  return (
    (use === null || use.includes(category)) &&
    (residential === null || residential === (category === "residential"))
  );
}

function hasAcres({acres}: Row, {minAcres, maxAcres}: UseQuestion): boolean | null {
  if (minAcres === undefined && maxAcres === undefined) return true;
  if (acres === null) return null;
  return (minAcres === undefined || acres >= minAcres) && (maxAcres === undefined || acres <= maxAcres);
}

describe("the filter by category and acres", () => {
  it("leaves out what does not fit, and calls unclassified what fits as far as it is known", () => {
    fc.assert(
      fc.property(fc.array(row, {minLength: 1}), question, (rows, asked) => {
        const verdictOf = useTest(setOf(rows), asked);
        for (const [at, each] of rows.entries()) {
          if (verdictOf(at) === "open_range") {
            expect([each.isRange, each.category, hasAcres(each, asked)]).toEqual([true, "vacant", true]);
            continue;
          }
          const isTaken = each.isRange === true && each.category === "vacant" && isHit("open_range", asked);
          const isAsked =
            asked.use?.some((use) => use !== "residential") === true && asked.residential !== true;
          const answers = [(isTaken && isAsked) || hasUse(each, asked), hasAcres(each, asked)];
          const wanted = answers.includes(false)
            ? "left_out"
            : answers.includes(null)
              ? "unclassified"
              : "kept";
          expect(verdictOf(at), JSON.stringify([each, asked])).toBe(wanted);
        }
      }),
      {numRuns: 500},
    );
  });

  it("counts vacant land that may be open range beside farms, and takes it where that is asked", () => {
    const land = {category: "vacant", county: "48453", isRange: true};
    const rows: Row[] = [
      {...land, acres: 640},
      {...land, acres: null},
      {...land, acres: 40, isRange: false},
      {...land, category: "agriculture", acres: 160, isRange: false},
    ];
    const answer = (asked: Partial<UseQuestion>) => {
      const whole = {use: ["agriculture"], residential: null, ...asked};
      const [set, count] = [setOf(rows), {parcels: 0, acreUnits: 0}];
      const [verdictOf, counted] = [useTest(set, whole), openRangeCounter(set, count)];
      const verdicts = rows.map((_, at) => verdictOf(at));
      verdicts.forEach((verdict, at) => void (verdict === "open_range" && counted(at)));
      return [count.parcels, count.acreUnits / 10_000, verdicts.map((verdict) => isHit(verdict, whole))];
    };
    expect(answer({})).toEqual([2, 640, [false, false, false, true]]);
    expect(answer({includeOpenRange: true})).toEqual([2, 640, [true, true, false, true]]);
    expect(answer({use: ["agriculture", "vacant"]})).toEqual([2, 640, [true, true, true, true]]);
    expect(answer({use: ["residential"], includeOpenRange: true})).toEqual([
      0,
      0,
      [false, false, false, false],
    ]);
    expect(answer({residential: true})).toEqual([0, 0, [false, false, false, false]]);
    expect(answer({minAcres: 100})).toEqual([1, 640, [false, false, false, true]]);
  });

  it("is one as soon as one of the four is asked", () => {
    const none: UseQuestion = {use: null, residential: null};
    expect(filtersUse(none)).toBe(false);
    for (const asked of [{use: ["vacant"]}, {residential: false}, {minAcres: 0}, {maxAcres: 9}])
      expect(filtersUse({...none, ...asked}), JSON.stringify(asked)).toBe(true);
  });
});

describe("rows that may be answered", () => {
  it("are those of the chosen counties that are not hidden", () => {
    const rows = counties.flatMap((county) => [0, 1].map(() => ({county, category: null, acres: null})));
    const counted = (hidden: ReadonlySet<number> | undefined, chosen: ReadonlySet<string> | null) => {
      const test = countedRows(setOf(rows, hidden), chosen);
      return rows.flatMap((_, at) => (test(at) ? [at] : []));
    };
    expect(counted(undefined, null)).toEqual([0, 1, 2, 3]);
    expect(counted(new Set([1, 2]), null)).toEqual([0, 3]);
    expect(counted(undefined, new Set(["48491"]))).toEqual([2, 3]);
    expect(counted(new Set([1, 2]), new Set(["48491", "17031"]))).toEqual([3]);
  });
});
