import {openStateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import {writeData} from "../../lib/text/terminal-output.ts";
import {createReaderLanes} from "../../server/cadastre/reader-process.ts";
import {startServer} from "../../server/commands/start.ts";
import {coverage} from "../../server/coverage/coverage.ts";
import {marketEndpoints} from "../../server/market/market-endpoints.ts";
import {createParcelEndpoints} from "../../server/parcels/parcel-endpoints.ts";
import {serverServices} from "../../server/routes/services.ts";
import {openLog} from "../../server/system/json-log.ts";
import {settingsOf} from "../../test/delta/delta-workshop.ts";
import {countyDeps, layerEntry} from "../../test/server/cadastre/county-fixture.ts";

// The whole server in a process of its own, which asks a county on loopback. Arguments: its data folder and the county's layer; it
// sends its port.
const [root = "", layer = ""] = process.argv.slice(2);
const entry = layerEntry(layer);
const server = await startServer({
  settings: {
    ...settingsOf(dataFolder(root)),
    CATTLE_FILES: true,
    CATTLE_POLL_MS: 1_000,
    CATTLE_KEEP_ALIVE_MS: 65_000,
  },
  version: "soak",
  log: openLog("error", writeData),
  openState: openStateArtifacts,
  services: serverServices,
  endpoints({discoveries, log, atStop}) {
    const {deps, close} = countyDeps([entry], {
      now: () => new Date(),
      clock: () => performance.now(),
      totalMs: 8_000,
      callMs: 5_000,
      limits: {connectMs: 2_000, headersMs: 5_000, betweenChunksMs: 3_000},
      reader: createReaderLanes(),
      discoveries,
      log,
    });
    atStop(close);
    const sources = (id: string) => (id === entry.id ? entry : registeredSource(id));
    return [...marketEndpoints, ...createParcelEndpoints({cadastre: deps.cadastre, sources}), coverage];
  },
});
process.send?.(server.port);
process.on("SIGTERM", () => void server.stop().then(() => process.exit(0)));
