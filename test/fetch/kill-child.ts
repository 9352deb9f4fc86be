import {sourceOfParcels} from "../../pipeline/fetch/jobs/source-address.ts";
import {CadastreSource} from "../../schemas/parcel-source.ts";
import {night} from "./fetched.ts";

// Fetches one layer in its own process, which a test kills; arguments are the URL and the raw folder.
const [url, rawDir] = process.argv.slice(2) as [string, string];
const source = sourceOfParcels(
  CadastreSource.parse({
    ...{id: "us-az-test", name: "Test", authority: "county", licence: "invented"},
    rate: {perSecond: 500, atOnce: 2},
    coverage: {country: "US", state: "AZ", counties: ["04003"]},
    terms: {store: true, bulk: true},
    cadastre: {url, idField: "PARCEL_ID"},
  }),
)!;
const [outcome] = await night([source], {rawDir, now: new Date("2026-11-20T05:30:00Z")});
// A pull that ended just before its process was killed is no longer due.
if (!["new", "unchanged", "not due"].includes(outcome!.status)) throw new Error(JSON.stringify(outcome));
