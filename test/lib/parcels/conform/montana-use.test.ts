import {expect, test} from "vitest";
import {loadParcelSources} from "../../../../lib/registry/parcel-sources.ts";
import {conformed} from "./conformed.ts";

const entries = loadParcelSources().filter(({id}) => ["us-mt-service", "us-mt-ownerparcel"].includes(id));

/** Printed type, acres by farm use, and the category with the flag; all cells are invented. */
const cases: readonly (readonly [string, Record<string, string>, string | null, boolean])[] = [
  ["Vacant Land", {GrazingAcres: "600"}, "agriculture", false],
  ["Vacant Land", {GrazingAcres: "200", WildHayAcres: "80", IrrigatedAcres: "60"}, "agriculture", false],
  ["Vacant Land", {GrazingAcres: "100"}, "vacant", true],
  ["Vacant Land", {}, "vacant", true],
  ["Improved Property", {ContinuousCropAcres: "500"}, "agriculture", false],
  ["Improved Property", {FarmsiteAcres: "1"}, null, false],
];

test.each(entries.map((entry) => ({id: entry.id, entry})))(
  "$id: a ranch is agriculture by the acres that its roll says are grazed, hayed or cropped",
  async ({entry}) => {
    const cells = cases.map(([PropType, acres], i) => ({
      PARCELID: `2401-${i}`,
      CountyName: "Cascade",
      TaxYear: "2025",
      TotalAcres: "640",
      PropType,
      ...acres,
    }));
    const {rows} = await conformed(entry, cells);
    expect(
      rows.map(({land_use_category, flags}) => [
        land_use_category,
        (flags as string[]).includes("open_range_possible"),
      ]),
    ).toEqual(cases.map(([, , category, isRange]) => [category, isRange]));
  },
);
