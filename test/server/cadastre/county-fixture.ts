import type {DeltaUpsert} from "../../../schemas/delta-record.ts";
import {CadastreSource} from "../../../schemas/parcel-source.ts";
import {createAnswerReader} from "../../../server/cadastre/answer-reader.ts";
import {type CadastreOptions, CountyCadastre} from "../../../server/cadastre/county-cadastre.ts";
import {layersOf} from "../../../server/cadastre/county-layers.ts";
import {createUpstream, type UpstreamOptions} from "../../../server/cadastre/upstream.ts";
import type {Discovery, DiscoveryStore} from "../../../server/delta/delta-view.ts";
import type {Generation} from "../../../server/generation/generation.ts";
import {silentLog} from "../../silent-log.ts";
import {asker, generationOfStates} from "../parcels/lookup-fixture.ts";
import type {FakeRow} from "./fake-arcgis.ts";

/** Brazos County, Texas, whose parcels here are invented. */
export const brazos = {key: "48041", lon: -96.35, lat: 30.65};

/** A registered layer that gets queries only on a miss. */
export function layerEntry(
  url: string,
  {county = brazos.key, ...changes}: Partial<CadastreSource> & {county?: string} = {},
): CadastreSource {
  return CadastreSource.parse({
    id: `us-tx-invented-${county}`,
    name: "Invented parcel layer",
    authority: "county",
    coverage: {country: "US", state: "TX", counties: [county]},
    licence: "CC0-1.0",
    terms: {store: true, redistributeOwners: false, bulk: false},
    cadastre: {url, idField: "APN", idForms: ["raw", "tok", "std"], point: true},
    ...changes,
  });
}

/** Three invented parcels side by side. */
export function inventedRows(): FakeRow[] {
  return [
    row({APN: "R-100-1", SITUS: "101 OAKVALE RD", OWNER: "QUISTAD HELGA"}, 0),
    row({APN: "R-100-2", SITUS: "103 OAKVALE RD", OWNER: "QUISTAD HELGA"}, 1),
    row({APN: "R-200-1", SITUS: "7 ELM ST", OWNER: "VANTERPOOL ENZO"}, 2),
  ];
}

function row(attributes: Record<string, string>, place: number): FakeRow {
  const common = {OBJECTID: place + 1, ACRES: 2.5, LASTUPDATE: Date.parse("2026-09-01T00:00:00Z")};
  return {attributes: {...common, ...attributes}, west: brazos.lon + place * 0.01, south: brazos.lat};
}

/** A store that keeps its finds in a list, and can fail. */
export function memoryStore() {
  const discoveries: Discovery[] = [];
  const store = {
    discoveries,
    works: true,
    append(discovery: Discovery) {
      discoveries.push(discovery);
      return Promise.resolve({persisted: store.works, sourceAdded: store.works && discoveries.length === 1});
    },
    preview: (upserts: readonly DeltaUpsert[]) => Promise.resolve(upserts.map(() => null)),
  };
  return store satisfies DiscoveryStore;
}

export type CountyOptions = Partial<CadastreOptions> & {
  limits?: UpstreamOptions["limits"];
  generation?: Partial<Generation>;
};

/** Times are no matter of most tests: a county here answers as soon as the machine lets it. */
const patience = 300_000;
const patient = {connectMs: patience, headersMs: patience, betweenChunksMs: patience};

/** A cadastre of these layers that may dial loopback and reads in this process, with the parts that the endpoints need. */
export function countyDeps(
  entries: readonly CadastreSource[],
  {limits, ...options}: Omit<CountyOptions, "generation"> = {},
) {
  const store = memoryStore();
  const upstream = createUpstream({
    userAgent: "test",
    isAllowedAddress: () => true,
    refusal: () => null,
    limits: {...patient, ...limits},
  });
  const of = (country: string, state: string) =>
    entries.filter(({coverage}) => coverage.country === country && coverage.state === state);
  const cadastre = new CountyCadastre({
    layers: layersOf({bulk: [], cadastre: {of}}),
    upstream,
    discoveries: store,
    log: silentLog,
    now: () => new Date("2026-11-20T10:00:00Z"),
    reader: createAnswerReader(),
    totalMs: patience,
    callMs: patience,
    clock: () => 0,
    ...options,
  });
  const sources = (id: string) => entries.find((entry) => entry.id === id);
  return {deps: {cadastre, sources}, store, close: () => cadastre.close()};
}

/** The parcel endpoints over an empty build, with a cadastre of these layers. */
export function countyAsker(
  entries: readonly CadastreSource[],
  {generation, ...options}: CountyOptions = {},
) {
  const {deps, store, close} = countyDeps(entries, options);
  return {ask: asker(generationOfStates([], generation), deps), store, close};
}
