import {afterEach, expect, it} from "vitest";
import {openStateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import {readSettings} from "../../../lib/read-settings.ts";
import {build} from "../../../pipeline/publish/build.ts";
import {createCadastreMetrics} from "../../../server/cadastre/cadastre-metrics.ts";
import {CountyCadastre} from "../../../server/cadastre/county-cadastre.ts";
import {layersOf} from "../../../server/cadastre/county-layers.ts";
import {createUpstream} from "../../../server/cadastre/upstream.ts";
import {type RunningServer, startServer} from "../../../server/commands/start.ts";
import {createParcelEndpoints} from "../../../server/parcels/parcel-endpoints.ts";
import {ask, deltaWorkshop, rollNumbers, until} from "../../delta/delta-workshop.ts";
import {silentLog} from "../../silent-log.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {inventedRows, layerEntry} from "./county-fixture.ts";
import {startFakeArcgis} from "./fake-arcgis.ts";

const open: {close(): Promise<void>}[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const lookup = "/public/land-agent/property/parcel-id-lookup?state=TX&county=Travis&parcelId=R-100-1";

it("D5, C4: a missing parcel comes from the county, then from the delta with the county down, then from the next build", async () => {
  const fake = await startFakeArcgis(
    inventedRows().map((row) => ({...row, west: row.west - 1.4, south: row.south - 0.3})),
  );
  const layer = layerEntry(fake.url, {county: "48453"});
  const shop = deltaWorkshop(temporaryFolder(), {up: false, asked: 0, parcels: new Map()});
  const options = () => shop.options({stages: {...shop.options().stages, layers: () => [layer]}});
  shop.roll(rollNumbers(40));
  await build(options());
  const settings = {
    CATTLE_DATA: shop.data.root,
    CATTLE_PORT: "0",
    CATTLE_METRICS_PORT: "0",
    CATTLE_DRAIN_MS: "0",
  };
  const server: RunningServer = await startServer({
    settings: readSettings({...settings, CATTLE_POLL_MS: "100", CATTLE_MAX_LOOP_DELAY_MS: "60000"}),
    version: "test",
    log: silentLog,
    openState: openStateArtifacts,
    // The clock of the build's day: finds of a later year would not be believed.
    now: () => new Date("2026-11-22T00:00:00Z"),
    endpoints({discoveries, log, metrics, atStop}) {
      const cadastre = new CountyCadastre({
        layers: layersOf({bulk: [], cadastre: {of: () => [layer]}}),
        upstream: createUpstream({userAgent: "test", isAllowedAddress: () => true, refusal: () => null}),
        metrics: createCadastreMetrics(metrics.registry),
        discoveries,
        log,
        now: () => new Date("2026-11-20T10:00:00Z"),
      });
      atStop(() => cadastre.close());
      return createParcelEndpoints({cadastre, sources: (id) => (id === layer.id ? layer : undefined)});
    },
  });
  open.push(fake, {close: () => server.stop()});

  const first = await ask(shop, server, lookup);
  expect(first.body).toMatchObject({
    property: {parcelUid: "48453-R-100-1", provenance: {default: {source: layer.id}}},
    metadata: {lookup: {origin: "cadastre", persisted: true, sourceAdded: true}},
  });
  expect(first.etag).toBeUndefined();
  fake.misbehave = (response) => response.writeHead(500).end() !== undefined;
  const again = await ask(shop, server, lookup);
  expect(again.body.metadata?.lookup).toEqual({origin: "delta", cadastreStatus: "not_asked"});
  expect(await build(options())).toMatchObject({outcome: "published", heldBack: []});
  await until(async () => (await ask(shop, server, lookup)).body.metadata?.lookup.origin === "dataset");
  const {body} = await ask(shop, server, lookup);
  expect(body.property?.provenance.default).toMatchObject({source: layer.id, vintage: "2026-09-01"});
  expect(fake.queries()).toHaveLength(1);
});
