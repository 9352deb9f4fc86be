import {describe, expect, test} from "vitest";
import {allCadastreSources, loadParcelSources} from "../../../lib/registry/parcel-sources.ts";
import {isStated, refusalOfBulk} from "../../../pipeline/parcels/datasets.ts";

const source = (licence: string, bulk: boolean) => ({licence, terms: {bulk}});

describe("a source may be taken whole", () => {
  test("only where its publisher states terms and they allow it", () => {
    expect(refusalOfBulk(source("CC0-1.0", true))).toBeNull();
    expect(refusalOfBulk(source("CC BY-NC 4.0", false))).toContain('"bulk": false');
    for (const licence of ["not stated by the publisher", "Not stated", "Unknown"])
      for (const bulk of [true, false])
        expect(refusalOfBulk(source(licence, bulk)), licence).toContain("states no terms");
  });

  test("and no entry or layer of the registry says otherwise", () => {
    const sources = [...loadParcelSources(), ...allCadastreSources()];
    const wrong = sources.filter(({licence, terms}) => terms.bulk && !isStated(licence));
    expect(wrong.map(({id}) => id)).toEqual([]);
    expect(sources.filter((each) => refusalOfBulk(each) === null).length).toBeGreaterThan(60);
  });
});
