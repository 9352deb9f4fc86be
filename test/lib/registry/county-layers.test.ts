import {expect, test} from "vitest";
import {counties, countiesNamed, countyOf} from "../../../lib/geography/counties.ts";
import {loadCadastreSources} from "../../../lib/registry/parcel-sources.ts";

const folded = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/**
 * Names of the state's counties that an address bears as such: `…/alleganCounty…`, `gis.allegancounty.org`, `MarshallWV_Service`. A name
 * alone proves nothing, because streets, towns and people are called like counties.
 */
function countiesInAddress(url: string, state: string): string[] {
  const text = folded(url);
  return counties()
    .filter((county) => county.state === state)
    .map(({name}) => folded(name))
    .filter(
      (name) => text.includes(`${name}county`) || text.includes(`${name}${state.toLowerCase()}service`),
    );
}

const registry = loadCadastreSources();
const layers = registry.states
  .filter(({country}) => country === "US")
  .flatMap(({country, state}) => registry.of(country, state))
  .filter(({coverage}) => coverage.counties !== "all" && coverage.counties.length === 1);

test("a layer that is named after a county is of that county", () => {
  const wrong = layers.flatMap(({id, name, coverage}) => {
    const said = /^Parcel layer of (.*), [A-Z]{2}$/.exec(name)?.[1] ?? "";
    const keys = countiesNamed(said.replace(/^Saint /, "St. "), coverage.state).map(({fips}) => fips);
    const key = coverage.counties[0]!;
    return keys.length === 0 || keys.includes(key) ? [] : [`${id}: ${key} is ${countyOf(key)?.fullName}`];
  });
  expect(wrong).toEqual([]);
});

test("no county is asked by a layer whose address bears the name of another county of its state", () => {
  const wrong = layers.flatMap(({id, coverage, cadastre}) => {
    const own = folded(counties().find(({fips}) => fips === coverage.counties[0])?.name ?? "");
    const named = countiesInAddress(cadastre?.url ?? "", coverage.state);
    const isOwn =
      named.length === 0 ||
      folded(cadastre?.url ?? "").includes(own) ||
      named.some((name) => own.includes(name));
    return isOwn ? [] : [`${id}: ${named.join(", ")}`];
  });
  expect(wrong).toEqual([]);
});
