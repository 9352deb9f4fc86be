import {expect, test} from "vitest";
import {newestOfSources} from "../../../lib/parcels/record/provenance-text.ts";
import {parcelEndpoints} from "../../../server/parcels/parcel-endpoints.ts";
import {generationOfBuilt} from "../../server/parcels/lookup-fixture.ts";
import {testServer} from "../../server/server-fixture.ts";
import {built, csv, rawFiles, row} from "./raw-folder.ts";

type Said = {
  property: {provenance: {default: {vintage: string; vintageBasis: string}}};
  metadata: {sources: {vintage: string}[]; coverage: {vintage: string}[]};
};

/** Looks up parcels of a file that states the year of some rows and was retrieved on 1 November 2026. */
async function vintagesOf(years: Record<string, string>): Promise<(id: string) => Promise<string[]>> {
  const rows = Object.entries(years).map(([id, YEAR]) => row(id, {YEAR}));
  const generation = generationOfBuilt(await built(await rawFiles({"a.csv": csv(rows)})));
  const server = await testServer({endpoints: parcelEndpoints, generation: () => generation});
  return async (id) => {
    const path = `/public/land-agent/property/parcel-id-lookup?parcelId=48453-${id}`;
    const {property, metadata} = (await server.get(path)).json() as unknown as Said;
    const [source, coverage] = [metadata.sources[0]!, metadata.coverage[0]!];
    return [property.provenance.default.vintage, source.vintage, coverage.vintage];
  };
}

test("gives source and coverage the newest year stated in the rows instead of the retrieval date", async () => {
  const vintages = await vintagesOf({"1-1": "2025", "2-2": "", "3-3": "2024"});
  expect(await vintages("1-1")).toEqual(["2025", "2025", "2025"]);
  expect(await vintages("3-3")).toEqual(["2024", "2025", "2025"]);
});

test("uses the retrieval date everywhere if no row states a year", async () => {
  const vintages = await vintagesOf({"1-1": "", "2-2": ""});
  expect(await vintages("1-1")).toEqual(["2026-11-01", "2026-11-01", "2026-11-01"]);
});

test("prefers a stated vintage of a source, then the later one", () => {
  const retrieved = {id: "a", vintage: "2026-11-01", isRetrieval: true};
  const stated = (vintage: string) => ({id: "a", vintage, isRetrieval: false});
  expect(newestOfSources([retrieved, stated("2024"), stated("2025"), retrieved])).toEqual([stated("2025")]);
  expect(newestOfSources([retrieved])).toEqual([retrieved]);
});
