import {readFileSync} from "node:fs";
import {join} from "node:path";
import {gunzipSync} from "node:zlib";
import {type ArcgisPage, readAnswer} from "@open-cattle/arcgis-layers";
import {afterEach, describe, expect, it} from "vitest";
import {countyAsker, layerEntry} from "../server/cadastre/county-fixture.ts";
import {type FakeArcgis, startFakeArcgis} from "../server/cadastre/fake-arcgis.ts";
import {corpus} from "./corpus.ts";

type Place = {state: string; county: string};
const mcLennan = {state: "TX", county: "48309"};
const washington = {state: "MN", county: "27163"};
const kent = {state: "MI", county: "26081"};

const open: {close(): Promise<void>}[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

function payload(name: string): string {
  const bytes = readFileSync(join(corpus!, "arcgis", name));
  return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

/** A cadastre whose layer answers with real payloads, whatever the query is. */
async function replay({state, county}: Place, texts: {metadata: string; page: string}, idField?: string) {
  const fake: FakeArcgis = await startFakeArcgis();
  fake.misbehave = (response, {isQuery}) => response.end(isQuery ? texts.page : texts.metadata) !== undefined;
  const cadastre = {
    url: fake.url,
    ...(idField === undefined ? {} : {idField, idForms: ["raw" as const]}),
    point: true,
  };
  const entry = layerEntry(fake.url, {
    id: `us-${state.toLowerCase()}-replayed`,
    coverage: {country: "US", state, counties: [county]},
    cadastre,
  });
  const asked = countyAsker([entry]);
  open.push(fake, asked);
  return {...asked, asking: (parcelId: string) => asked.ask("parcel", {parcelId, state, county})};
}

const whole = (page: string) =>
  page.replace(/"exceededTransferLimit"\s*:\s*true/, '"exceededTransferLimit":false');

/** The parcel numbers of a page, by the field that holds them. */
function numbersIn(page: string, field: string): string[] {
  return (readAnswer(page) as ArcgisPage).features.map(({attributes}) => String(attributes[field]).trim());
}

type Miss = {lookup: {cadastreStatus: string}};

describe.skipIf(corpus === null)("C1: layers that answer with payloads of the corpus", () => {
  it.each([
    {name: "us-tx-waco", idField: "PROP_ID", place: mcLennan},
    {name: "us-nm-washington", idField: "PIN", place: washington},
  ])(
    "gives the parcel that was asked for of $name, of which the map is proposed",
    async ({name, idField, place}) => {
      const page = whole(payload(`${name}-0.json`));
      const [number] = numbersIn(page, idField);
      const {asking, store} = await replay(
        place,
        {metadata: payload(`${name}-metadata.json`), page},
        idField,
      );
      const {json} = await asking(number!);
      expect(json.property).toMatchObject({parcelUid: `${place.county}-${number}`, match: {type: "exact"}});
      expect(json.metadata.lookup).toMatchObject({
        origin: "cadastre",
        cadastreStatus: "found",
        persisted: true,
      });
      expect(store.discoveries.map(({upsert}) => upsert.proposedMap)).toEqual([true]);
    },
  );

  it("refuses a page that says that more rows are there", async () => {
    const page = payload("us-nm-washington-0.json");
    const metadata = payload("us-nm-washington-metadata.json");
    const {asking} = await replay(washington, {metadata, page}, "PIN");
    expect(((await asking(numbersIn(page, "PIN")[0]!)).json as unknown as Miss).lookup.cadastreStatus).toBe(
      "rejected",
    );
  });

  it("reads a reply in the layer's own coordinates, though others were asked for", async () => {
    const page = whole(payload("us-mi-kent-0.json"));
    const [number] = numbersIn(page, "PNUM");
    const {asking, store} = await replay(kent, {metadata: payload("us-mi-kent-metadata.json"), page}, "PNUM");
    const {json} = await asking(number!);
    expect(json.property).toMatchObject({parcelUid: `${kent.county}-${number}`, match: {type: "exact"}});
    expect(json.metadata.lookup).toMatchObject({origin: "cadastre", cadastreStatus: "found"});
    const [lon, lat] = [json.property.longitude, json.property.latitude].map(Number);
    expect([Math.abs(lon! + 85.6) < 0.5, Math.abs(lat! - 43) < 0.5]).toEqual([true, true]);
    expect(store.discoveries).toHaveLength(1);
  });

  it.each([
    ["a count", "us-mi-kent-metadata.json", "us-mi-kent-count-only.json", "PNUM", "rejected"],
    ["object ids", "us-mi-kent-metadata.json", "us-mi-kent-ids-only.json", "PNUM", "rejected"],
    [
      "statistics it cannot make",
      "us-mi-kent-metadata.json",
      "us-mi-kent-statistics.json",
      "PNUM",
      "unavailable",
    ],
    [
      "an error inside a 200",
      "us-mi-kent-metadata.json",
      "us-nm-washington-probe.json",
      "PNUM",
      "unavailable",
    ],
    [
      "features of quite another layer",
      "us-mi-kent-metadata.json",
      "us-il-cook-count-only.json.gz",
      "PNUM",
      "rejected",
    ],
    [
      "a request for a token in place of metadata",
      "us-tx-runnels-metadata.json",
      "us-mi-kent-0.json",
      "PNUM",
      "unsupported",
    ],
    ["a layer that lost its number", "us-ks-brown-metadata.json", "us-mi-kent-0.json", "PNUM", "rejected"],
    [
      "a layer of lines, of which no number is known",
      "us-ks-brown-metadata.json",
      "us-mi-kent-0.json",
      undefined,
      "unsupported",
    ],
  ])("makes no parcel of %s", async (_, metadata, page, idField, status) => {
    const {asking, store} = await replay(kent, {metadata: payload(metadata), page: payload(page)}, idField);
    const number = numbersIn(payload("us-mi-kent-0.json"), "PNUM")[0]!;
    expect(((await asking(number)).json as unknown as Miss).lookup.cadastreStatus).toBe(status);
    expect(store.discoveries).toEqual([]);
  });
});
