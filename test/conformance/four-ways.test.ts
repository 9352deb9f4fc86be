import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {type ArcgisLayer, type ArcgisPage, readAnswer} from "@open-cattle/arcgis-layers";
import {describe, expect, it} from "vitest";
import {counties} from "../../lib/geography/counties.ts";
import {countyBox} from "../../lib/geography/county-box.ts";
import type {LayerSource} from "../../lib/registry/layers-on-miss.ts";
import {loadCadastreSources, loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import type {AskedCounty} from "../../server/cadastre/asked-county.ts";
import {type AskedReply, differences, fourWays} from "../delta/four-ways.ts";
import {inventedReply} from "../delta/invented-replies.ts";
import {layerEntry} from "../server/cadastre/county-fixture.ts";
import {seededRandom} from "../server/parcels/invented-state.ts";
import {corpus} from "./corpus.ts";

/** The county of each layer whose pages are in the corpus. */
const places: Readonly<Record<string, AskedCounty>> = {
  "us-al-cullman": {country: "US", state: "AL", key: "01043"},
  "us-ca-carson": {country: "US", state: "CA", key: "06037"},
  "us-il-cook": {country: "US", state: "IL", key: "17031"},
  "us-mi-kent": {country: "US", state: "MI", key: "26081"},
  "us-mo-columbia": {country: "US", state: "MO", key: "29019"},
  "us-nm-washington": {country: "US", state: "MN", key: "27163"},
  "us-ny-orange": {country: "US", state: "NY", key: "36071"},
  "us-tx-waco": {country: "US", state: "TX", key: "48309"},
};

/** The parcel-number column of layers whose names do not reveal it. */
const idFields: Readonly<Record<string, string>> = {"us-mo-columbia": "ASSESSOR", "us-il-cook": "ID"};

function pages(): {layer: string; page: string}[] {
  const names = corpus === null ? [] : readdirSync(join(corpus, "arcgis"));
  return names.flatMap((page) => {
    const layer = /^(.+?)-(?:0|page-\w+)\.json$/.exec(page)?.[1];
    return layer === undefined || places[layer] === undefined ? [] : [{layer, page}];
  });
}

const textOf = (name: string) => readFileSync(join(corpus!, "arcgis", name), "utf8");

describe.skipIf(corpus === null)("one parcel, four ways, one record", () => {
  it.each(pages())("in $page of the corpus", async ({layer, page}) => {
    const text = textOf(page).replace(/"exceededTransferLimit"\s*:\s*true/, '"exceededTransferLimit":false');
    const fields = [...fieldsOf(layer, text)].map(({name, type}) => ({
      name,
      type: type ?? "esriFieldTypeString",
    }));
    const county = places[layer]!;
    // The id of a registered layer of the state, so that the registry says the same of the source in every way.
    const [registered] = loadCadastreSources().of("US", county.state);
    const source = layerEntry("https://gis.example.org/0", {
      id: registered!.id,
      coverage: {country: county.country, state: county.state, counties: [county.key]},
      cadastre: {
        url: "https://gis.example.org/0",
        ...(idFields[layer] === undefined ? {} : {idField: idFields[layer]}),
      },
    });
    const found = await fourWays([{source, county, fields, page: text}]);
    process.stderr.write(`four ways: ${page}, ${found.size} parcels\n`);
    // A page that cannot be an answer (a row without number or outline) only gives rows of a file.
    const answered = new Map([...found].filter(([, {answer}]) => answer !== undefined));
    expect(differences(answered)).toEqual([]);
  });
});

/** Fields of the layer's metadata, else those of the page. */
function fieldsOf(layer: string, page: string): ArcgisLayer["fields"] {
  const own = (readAnswer(page) as ArcgisPage).fields;
  if (own.length > 0) return own;
  return (readAnswer(textOf(`${layer}-metadata.json`)) as ArcgisLayer).fields;
}

/** Number of layers per state: a few, or all with `CORPUS_ALL`, which takes half an hour. */
const mostLayers = process.env["CORPUS_ALL"] ? Number.POSITIVE_INFINITY : 2;

describe("one parcel, four ways, one record, of every registered layer", () => {
  const cadastre = loadCadastreSources();
  const bulk = loadParcelSources().filter(
    ({cadastre, joins}) => cadastre !== undefined && joins === undefined,
  );
  const all = [
    ...(bulk as LayerSource[]),
    ...cadastre.states.flatMap(({country, state}) => cadastre.of(country, state)),
  ];
  const states = [...Map.groupBy(all.filter(hasCounty), ({coverage: {state}}) => state)];

  it.each(states.map(([state, sources]) => ({state, sources})))(
    "$state: $sources.length layers",
    async ({state, sources}) => {
      const random = seededRandom(20261123);
      const replies = sources.slice(0, mostLayers).flatMap((source, i): AskedReply[] => {
        const {counties: covered, country} = source.coverage;
        const key = covered === "all" ? placed(state)[0]! : covered[0]!;
        const statewide = covered === "all" || covered.length > 1;
        return [
          inventedReply(random, source, {county: {country, state, key}, statewide, prefix: `R${i}`, rows: 4}),
        ];
      });
      const found = await fourWays(replies);
      const shares = `${replies.length} layers, ${found.size} parcels, ${[...found.values()].filter(({bulk}) => bulk === undefined).length} without a file`;
      process.stderr.write(`four ways: ${state}, ${shares}\n`);
      // A statewide layer whose fields name no county cannot be read as a file.
      expect(differences(found, ["bulk"])).toEqual([]);
    },
  );
});

/** False for a layer that is never asked (`layersOf`): one of a town, and one of a province whose counties are not known. */
function hasCounty({coverage: {counties: covered, state}}: LayerSource): boolean {
  return covered === "all" ? placed(state).length > 0 : covered.length > 0;
}

function placed(state: string): string[] {
  return counties()
    .filter((county) => county.state === state && countyBox(county.fips) !== undefined)
    .map(({fips}) => fips);
}
