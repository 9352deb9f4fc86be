import {dieWithParent} from "../../lib/system/own-child.ts";
import {CadastreSource} from "../../schemas/parcel-source.ts";
import {createAnswerReader} from "./answer-reader.ts";
import {layerMap} from "./county-layer-map.ts";
import {type CountyReader, largeBytes, type ReplyTask} from "./county-reader.ts";
import type {ReaderMessage, ReaderOrder} from "./reader-child.ts";

/** An invented county layer with one parcel, whose answer resembles real ones. */
const county = {country: "US", state: "TX", key: "48041"} as const;
const source = {
  id: "us-tx-warm-up",
  name: "Invented layer",
  authority: "county",
  coverage: {country: "US", state: "TX", counties: [county.key]},
  licence: "CC0-1.0",
  terms: {store: false, redistributeOwners: false, bulk: false},
  cadastre: {url: "https://warm-up.invalid/0", idField: "APN", idForms: ["raw"]},
};
const attributes = {APN: "1-1", SITUS: "1 ELM ST", ACRES: 1, LASTUPDATE: 0};
const ring = [
  [-96.35, 30.65],
  [-96.35, 30.66],
  [-96.34, 30.66],
  [-96.34, 30.65],
  [-96.35, 30.65],
];

// Entry point of the process that reads the counties' answers (`docs/design/reliability.md` section 5).

dieWithParent();

const reader = createAnswerReader();
const turn = {publisher: "", signal: new AbortController().signal};

process.on("message", async (order: ReaderOrder) => {
  if (order.kind === "end") {
    await reader.close();
    process.disconnect();
    return;
  }
  const message = await resultOf(order);
  // The server replaces a process that holds too much memory. A collection takes 30 ms, starting a process a second.
  if (order.task.body.byteLength > largeBytes) globalThis.gc?.();
  tell(message);
});
await warmUp(reader);
tell({ready: true});

function resultOf({kind, task}: Exclude<ReaderOrder, {kind: "end"}>): Promise<ReaderMessage> {
  return reader.read(kind, task as never, turn).then(
    (result) => ({result}),
    (fault: unknown) => ({fault}),
  );
}

function tell(message: ReaderMessage): void {
  process.send?.(message);
}

/** Reads one made-up answer, so that the first real one does not pay for one-time opening and compiling. */
async function warmUp(reader: CountyReader): Promise<void> {
  const turn = {publisher: "", signal: new AbortController().signal};
  await reader.read("reply", warmUpTask(), turn);
}

function warmUpTask(): ReplyTask {
  const fields = Object.keys(attributes).map((name) => ({name, type: "esriFieldTypeString"}));
  const facts = {geometryType: "esriGeometryPolygon", fields, maxRecordCount: null, lastEditDate: null};
  const map = layerMap({source: CadastreSource.parse(source), statewide: false}, facts, county);
  const page = {spatialReference: {wkid: 4326}, features: [{attributes, geometry: {rings: [ring]}}]};
  return {
    body: Buffer.from(JSON.stringify(page)),
    entry: map!.entry,
    comparisons: [],
    county: county.key,
    asked: 200,
    provesCounty: false,
    point: null,
    layerEdit: null,
    retrievedAt: "2026-01-01T00:00:00.000Z",
  };
}
