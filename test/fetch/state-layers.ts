import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {mainNames, namesOf} from "../../lib/parcels/conform/column-references.ts";
import {loadParcelSources, parcelSourcesDir} from "../../lib/registry/parcel-sources.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {type LayerHabits, layer} from "./arcgis-world.ts";
import type {ReplayServer} from "./replay-server.ts";

/** A statewide layer as played here: its entry, where its invented rows lie, and how they state their county. */
type PlayedState = {
  readonly id: string;
  readonly lon: number;
  readonly lat: number;
  readonly county: Readonly<Record<string, string>>;
};

const played: readonly PlayedState[] = [
  {id: "us-mt-service", lon: -109.1, lat: 45.2, county: {CountyName: "Carbon"}},
  {id: "ca-mb-roll-entry", lon: -98.6, lat: 50.8, county: {Municipality: "601 - RM OF ALONSA"}},
  {id: "us-ar-statewide", lon: -91.4, lat: 34.3, county: {countyfips: "05001"}},
  {id: "us-ct-statewide", lon: -72.7, lat: 41.8, county: {}},
  {id: "us-dc-statewide", lon: -77.02, lat: 38.9, county: {}},
  {id: "us-nj-modiv", lon: -74.7, lat: 40.3, county: {COUNTY: "MERCER"}},
  {id: "us-ut-statewide", lon: -112.9, lat: 41.5, county: {FIPS: "49003"}},
  {id: "us-nc-onemap", lon: -78.6, lat: 35.8, county: {cntyfips: "183"}},
];

/** An entry with another host, because a host that asks to wait is not queried for its other layers. */
const sickId = "us-ar-statewide";

/** The layers by the id of their entry; a demo changes their habits. */
export type StateLayers = Map<string, {habits: LayerHabits; isSick: boolean}>;

/**
 * Plays the statewide layers of eight states, with rows in the fields that their own entries name, and writes entries that lead to them
 * into a registry. Only address, pace and the number of rows to expect differ from the entries of the program; that of North Carolina
 * states no terms.
 */
export function playStates(
  servers: {readonly here: ReplayServer; readonly sick: ReplayServer},
  registry: string,
  lastEdit: () => number,
): StateLayers {
  const layers: StateLayers = new Map();
  for (const state of played) {
    const entry = loadParcelSources().find(({id}) => id === state.id)!;
    const path = `/${state.id}/FeatureServer/0`;
    const server = state.id === sickId ? servers.sick : servers.here;
    const habits: LayerHabits = {
      ...{rows: 300, maxRecordCount: 200, lastEdit, name: entry.layerName ?? "Parcels"},
      place: {lon: state.lon, lat: state.lat, county: ""},
      attributes: (row) => attributesOf(entry, state, row),
    };
    const one = {habits, isSick: false};
    layers.set(state.id, one);
    server.on(path, (request, reply) =>
      one.isSick
        ? void reply.writeHead(503, {"retry-after": "3600"}).end()
        : layer(one.habits)(request, reply),
    );
    const own = JSON.parse(readFileSync(join(parcelSourcesDir, `${state.id}.json`), "utf8")) as object;
    writeFileSync(
      join(registry, "parcels", `${state.id}.json`),
      JSON.stringify({
        ...{...own, url: server.origin + path, cadastre: undefined},
        // The words stand by the publisher's address, which is another one here: they are those of the program nevertheless.
        ...(state.id === "us-nc-onemap" ? {} : {licence: entry.licence, terms: entry.terms}),
        ...{rate: {perSecond: 400, atOnce: 2}, cadence: {everyHours: 20}},
        accept: {minRows: 100, maxRejectShare: 0.02, maxDropShare: 0.1, rows: []},
      }),
    );
  }
  return layers;
}

/** A row with all fields that an entry names: its own number, its county, and meaningless text or numbers. */
function attributesOf(entry: ParcelSource, {county}: PlayedState, row: number): Record<string, unknown> {
  const ids = "none" in entry.ids ? [] : namesOf(entry.ids.raw);
  const numbers = new Set([...[entry.area?.from ?? []].flat(), ...Object.keys(entry.values ?? {})]);
  const value = (name: string): unknown => {
    if (name in county) return county[name];
    if (ids.includes(name)) return `${10_000 + row}`;
    if (/year|yr$/i.test(name)) return 2026;
    return numbers.has(name) ? 1.5 : null;
  };
  const names = mainNames(entry).filter((name) => name !== "OBJECTID");
  return Object.fromEntries(names.map((name) => [name, value(name)]));
}
