import {join} from "node:path";
import {distanceMiles} from "@open-cattle/parcel-outlines";
import {asOfDate} from "../lib/models/build-facts.ts";
import {ModelRun} from "../lib/models/model-run.ts";
import {openDatabase} from "../lib/sql/duckdb.ts";
import {readSignals} from "../pipeline/market/context/read-signals.ts";
import {pointOfTown} from "../pipeline/market/reference/town-points.ts";
import {listRawFiles} from "../pipeline/raw/raw-files.ts";

/**
 * Prints the distances between towns in `data/reference/places.tsv` and sale yards whose coordinates a roster of the raw folder
 * gives. The goal is 95 % within 3 miles.
 *
 *   node bench/town-distances.ts <raw>
 */
const raw = process.argv[2] ?? "raw";
const goalMiles = 3;

const files = (await listRawFiles(raw)).filter(({feedOrEntryId}) => feedOrEntryId === "directory");
const db = await openDatabase();
const {lists} = await readSignals(new ModelRun(db).give(asOfDate, "2100-01-01"), files, {
  asOf: "2100-01-01",
  tempDir: join("/tmp"),
});
db.close();

const yards = new Map(
  lists.flatMap(({reading: {listings}}) =>
    listings.flatMap(({name, city, state, point}) =>
      point === null || city === null
        ? []
        : [[`${point.lat},${point.lon}`, {name, city, state, point}] as const],
    ),
  ),
);
const measured = [...yards.values()].map(({name, city, state, point}) => {
  const town = pointOfTown(city, state);
  const miles = town === null ? null : Math.round(distanceMiles(town.point, point) * 10) / 10;
  return {yard: name, town: `${city}, ${state}`, miles};
});
console.table(measured);
const near = measured.filter(({miles}) => miles !== null && miles <= goalMiles).length;
console.log(
  `${near} of ${measured.length} towns within ${goalMiles} miles of the yard: ${((100 * near) / measured.length).toFixed(0)} %`,
);
