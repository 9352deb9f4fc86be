import {openStateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import {createReaderLanes} from "../../server/cadastre/reader-process.ts";
import {startServer} from "../../server/commands/start.ts";
import {createParcelEndpoints} from "../../server/parcels/parcel-endpoints.ts";
import {collectGarbage} from "../collect-garbage.ts";
import {settingsOf} from "../delta/delta-workshop.ts";
import {countyDeps, layerEntry} from "../server/cadastre/county-fixture.ts";
import {silentLog} from "../silent-log.ts";

// A server in a process of its own that asks counties on loopback. Arguments: its data folder, by how much the times of the cadastre
// client are divided, and `[{url, county}]` as JSON. It sends its port.
const [root = "", divisor = "1", counties = "[]"] = process.argv.slice(2);
const part = (ms: number) => ms / Number(divisor);
const layers = (JSON.parse(counties) as {url: string; county: string}[]).map(({url, county}) =>
  layerEntry(url, {county}),
);
const server = await startServer({
  settings: settingsOf(dataFolder(root)),
  version: "test",
  log: silentLog,
  openState: openStateArtifacts,
  now: () => new Date("2026-11-22T00:00:00Z"),
  endpoints({discoveries, log, atStop}) {
    const {deps, close} = countyDeps(layers, {
      limits: {connectMs: part(2_000), headersMs: part(5_000), betweenChunksMs: part(3_000)},
      totalMs: part(8_000),
      callMs: part(5_000),
      // The window of a breaker is over before its county is queried again: each call meets the county and not the breaker.
      clock: () => performance.now() * 40,
      reader: createReaderLanes(),
      discoveries,
      log,
    });
    atStop(close);
    return createParcelEndpoints(deps);
  },
});
process.send?.(server.port);

// Memory is compared after a collection: what is left then is held.
process.on("SIGUSR2", collectGarbage);
