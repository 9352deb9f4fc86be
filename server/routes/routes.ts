import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import {readDecisions} from "../../lib/registry/layer-terms.ts";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import {createCadastreMetrics} from "../cadastre/cadastre-metrics.ts";
import {CountyCadastre} from "../cadastre/county-cadastre.ts";
import {registeredLayers} from "../cadastre/county-layers.ts";
import {keepLayerMemory, LayerMemory} from "../cadastre/layer-memory.ts";
import {createUpstream} from "../cadastre/upstream.ts";
import type {ServerParts} from "../commands/start.ts";
import {coverage} from "../coverage/coverage.ts";
import type {Endpoint} from "../http/endpoint.ts";
import {faultFacts} from "../http/log.ts";
import {marketEndpoints} from "../market/market-endpoints.ts";
import {createParcelEndpoints, parcelEndpoints} from "../parcels/parcel-endpoints.ts";

/** The ten contract endpoints, in order, plus coverage, over the build alone: a parcel miss does not ask the county. */
export const endpoints: readonly Endpoint[] = [...marketEndpoints, ...parcelEndpoints, coverage];

/** The same endpoints for a running server: a parcel miss goes to the county, if the settings allow it. */
export function serverEndpoints(parts: ServerParts): readonly Endpoint[] {
  const {settings, log, metrics, version, discoveries, atStop} = parts;
  if (!settings.CATTLE_CADASTRE) return endpoints;
  const contact = settings.CATTLE_CONTACT === "" ? "" : ` (${settings.CATTLE_CONTACT})`;
  const data = dataFolder(settings.CATTLE_DATA);
  const memory = new LayerMemory();
  const memoryKeeper = keepLayerMemory(memory, {
    data,
    process: settings.CATTLE_PROCESS_NUMBER,
    failed: (error) => log.warn(faultFacts(error), "the health of county layers could not be kept"),
  });
  const cadastre = new CountyCadastre({
    layers: registeredLayers(readDecisions(data)),
    upstream: createUpstream({userAgent: `cattle-market-intelligence/${version}${contact}`}),
    discoveries,
    log,
    metrics: createCadastreMetrics(metrics.registry, memory),
    memory,
    totalMs: settings.CATTLE_CADASTRE_MS,
  });
  atStop(async () => {
    await cadastre.close();
    await memoryKeeper.close();
  });
  return [...marketEndpoints, ...createParcelEndpoints({cadastre, sources: registeredSource}), coverage];
}
