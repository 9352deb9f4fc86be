import {describe, expect, it} from "vitest";
import {allCadastreSources} from "../../../lib/registry/parcel-sources.ts";
import type {ParcelSource} from "../../../schemas/parcel-source.ts";
import {publisherOf} from "../../../server/cadastre/county-calls.ts";
import {type Layers, layersOf, registeredLayers} from "../../../server/cadastre/county-layers.ts";
import {refusalOfUrl} from "../../../server/cadastre/upstream.ts";
import {invented} from "../../pipeline/parcels/invented-source.ts";
import {layerEntry} from "./county-fixture.ts";

const url = "https://gis.example.org/rest/0";
const travis = {country: "US", state: "TX", key: "48453"} as const;
const statewide = {country: "US" as const, state: "TX", counties: "all" as const};
const town = {country: "US" as const, state: "TX", counties: [], places: ["Austin"]};

describe("the layer of a county", () => {
  const bulk: ParcelSource[] = [
    invented({id: "us-tx-bulk", coverage: {...statewide, countyFrom: "FIPS"}, cadastre: {url}}),
  ];
  const chosen = (entries: Parameters<typeof layerEntry>[1][]) =>
    layersOf({bulk, cadastre: {of: () => entries.map((changes) => layerEntry(url, changes))}}).forCounty(
      travis,
    )[0];

  it("is the county's own before a statewide one, and a bulk source's before another statewide one", () => {
    expect(chosen([{coverage: statewide}, {county: "48453"}])).toMatchObject({
      statewide: false,
      source: {id: "us-tx-invented-48453"},
    });
    expect(chosen([{coverage: statewide}])).toMatchObject({statewide: true, source: {id: "us-tx-bulk"}});
  });

  it("is not that of a town, nor of another county", () => {
    expect(
      layersOf({
        bulk: [],
        cadastre: {of: () => [layerEntry(url, {coverage: town}), layerEntry(url)]},
      }).forCounty(travis),
    ).toEqual([]);
  });

  it("is registered for most states, on hosts that may be asked", () => {
    const layers = registeredLayers({});
    expect(layers.forCounty({country: "US", state: "TX", key: "48041"})[0]?.source.id).toBe("us-tx-brazos");
    expect(layers.forCounty({country: "US", state: "UT", key: "49035"})[0]?.source).toMatchObject({
      fields: {},
    });
    const urls = allCadastreSources().map(({cadastre}) => cadastre.url);
    expect(urls.length).toBeGreaterThan(800);
    expect(urls.filter((each) => refusalOfUrl(each) !== null)).toEqual([]);
  });
});

it("asks no layer whose publisher forbids programs to ask, unless the operator has decided otherwise", () => {
  const six = ["19055", "19083", "19119", "19179", "19189", "19197"];
  const hostOf = (county: string, layers: Layers) =>
    layers.forCounty({country: "US", state: "IA", key: county})[0]?.source.cadastre.url ?? "";
  for (const county of six)
    expect(hostOf(county, registeredLayers({})), county).not.toContain("schneidercorp.com");
  const decision = {licence: "by contract", evidence: "https://example.org/c", decided_at: "2026-11-20"};
  expect(hostOf("19055", registeredLayers({"us-ia-delaware": decision}))).toContain("schneidercorp.com");
});

it("C1: tells publishers apart that share a host of Esri", () => {
  expect(publisherOf("https://services1.arcgis.com/AbC/arcgis/rest/services/P/FeatureServer/0")).toBe(
    "services1.arcgis.com/AbC",
  );
  expect(publisherOf("https://gis.example.org/arcgis/rest/services/P/MapServer/0/query")).toBe(
    "gis.example.org",
  );
});
