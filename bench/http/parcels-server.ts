import {benchEndpoints, benchGeneration, benchState, openBenchState} from "../parcels/state.ts";
import {benchedApp} from "./benched-app.ts";
import {announce} from "./child.ts";

/** Our server over a generated state: `parcels-server.ts ROWS`. */
const rows = Number(process.argv[2]);
announce(benchedApp(benchEndpoints, benchGeneration(openBenchState(await benchState(rows), rows))));
