import type {Manifest} from "../../schemas/manifest.ts";
import {marketEndpoints} from "../../server/market/market-endpoints.ts";
import {openMarketArtifacts} from "../../server/tables/market-set.ts";
import {benchedApp} from "./benched-app.ts";
import {announce} from "./child.ts";

/** Our server over a folder of market files: `market-server.ts FOLDER AS_OF`. */
const [folder, asOf] = process.argv.slice(2) as [string, string];
announce(
  benchedApp(marketEndpoints, {
    buildId: "20261121-000000",
    builtAt: new Date().toISOString(),
    asOf,
    sample: true,
    manifest: {states: {}} as Manifest,
    market: openMarketArtifacts(folder),
    states: new Map(),
  }),
);
