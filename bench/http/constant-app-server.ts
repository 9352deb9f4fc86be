import {readFileSync} from "node:fs";
import {benchEndpoints, benchGeneration, benchState, openBenchState} from "../parcels/state.ts";
import {benchedApp} from "./benched-app.ts";
import {announce} from "./child.ts";

/**
 * The same application (access, limits, headers, ETag, metrics), whose endpoints look nothing up: `constant-app-server.ts ROWS
 * FILE` answers with the object in the file, serialised for every answer as `res.json` does.
 */
const [rows, file] = process.argv.slice(2) as [string, string];
const body: unknown = JSON.parse(readFileSync(file, "utf8"));
const endpoints = benchEndpoints.map((endpoint) => ({
  ...endpoint,
  answer: () => ({body: JSON.stringify(body)}),
}));
announce(
  benchedApp(endpoints, benchGeneration(openBenchState(await benchState(Number(rows)), Number(rows)))),
);
