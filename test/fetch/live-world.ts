import {type LayerHabits, layer} from "./arcgis-world.ts";
import {type MarketWorld, marketWorld, playMarket} from "./market-world.ts";
import {ReplayServer} from "./replay-server.ts";
import {writeWorldRegistry} from "./world-registry.ts";

/** All publishers in one server, with a registry that points to it. */
export type LiveWorld = {
  readonly server: ReplayServer;
  readonly market: MarketWorld;
  /** The layer of Cochise County, which has an entry, and that of Santa Cruz County, which is queried on a miss. */
  readonly county: {habits: LayerHabits};
  readonly miss: {habits: LayerHabits};
};

/** Starts the publishers as of a day, and writes their registry into a folder. */
export async function startLiveWorld(registry: string, today: string, rows = 1200): Promise<LiveWorld> {
  const server = await ReplayServer.start();
  const market = marketWorld(today);
  playMarket(server, market);
  const edited = Date.parse("2026-11-01T00:00:00Z");
  const county = {habits: {rows, maxRecordCount: 500, lastEdit: () => edited} as LayerHabits};
  const place = {lon: -110.95, lat: 31.5, county: "SANTA CRUZ"};
  const miss = {habits: {rows: 700, maxRecordCount: 500, lastEdit: () => edited, place} as LayerHabits};
  server.on("/county/FeatureServer/0", (request, reply) => layer(county.habits)(request, reply));
  server.on("/miss/FeatureServer/0", (request, reply) => layer(miss.habits)(request, reply));
  writeWorldRegistry(registry, server.origin);
  return {server, market, county, miss};
}
