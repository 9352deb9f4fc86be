import {openStateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {createCadastreMetrics} from "../../server/cadastre/cadastre-metrics.ts";
import {CountyCadastre} from "../../server/cadastre/county-cadastre.ts";
import {registeredLayers} from "../../server/cadastre/county-layers.ts";
import {createUpstream} from "../../server/cadastre/upstream.ts";
import {serve} from "../../server/commands/serve-command.ts";
import {createLog} from "../../server/http/log.ts";
import {marketEndpoints} from "../../server/market/market-endpoints.ts";
import {createParcelEndpoints} from "../../server/parcels/parcel-endpoints.ts";
import {endpoints} from "../../server/routes/routes.ts";

// `cattle serve`, except that its registry's counties are on loopback, which the real one refuses to query.
const settings = readSettings();
process.exitCode = await serve({
  settings,
  version: "test",
  log: createLog(settings),
  openState: openStateArtifacts,
  endpoints({discoveries, log, metrics, atStop}) {
    if (!settings.CATTLE_CADASTRE) return endpoints;
    const cadastre = new CountyCadastre({
      layers: registeredLayers({}),
      upstream: createUpstream({userAgent: "test", isAllowedAddress: () => true, refusal: () => null}),
      metrics: createCadastreMetrics(metrics.registry),
      discoveries,
      log,
    });
    atStop(() => cadastre.close());
    return [...marketEndpoints, ...createParcelEndpoints({cadastre, sources: registeredSource})];
  },
});
