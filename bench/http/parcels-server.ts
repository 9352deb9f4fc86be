import {benchEndpoints, benchGeneration, benchState, openBenchState} from "../parcels/state.ts";
import {benchedApp} from "./benched-app.ts";
import {announce} from "./child.ts";

/** Our server over a generated state: `parcels-server.ts ROWS CACHE_MB`, without a cache of answers where the second is 0. */
const [rows, cacheMb] = process.argv.slice(2).map(Number) as [number, number];
announce(benchedApp(benchEndpoints, benchGeneration(openBenchState(await benchState(rows), rows)), cacheMb));
