import {
  orderedParcelLimitations,
  parcelLimitations as P,
  partialLimitation,
} from "../../lib/parcels/limitations.ts";
import type {ParcelRow} from "../../lib/parcels/parcel-row.ts";
import type {PropertyRecord} from "../../lib/parcels/record/record.ts";
import type {SourceRegistry} from "../../lib/parcels/record/source-facts.ts";
import type {Call} from "../http/endpoint.ts";
import {countyCounts} from "./metadata.ts";

/** A record of the answer with the row it was made from. */
export type AnsweredParcel = {readonly row: ParcelRow; readonly record: PropertyRecord};

const moneyFields = [
  "totalAssessedValue",
  "totalLandValue",
  "totalBuildingValue",
  "taxableValue",
  "useValue",
];

/** What has to be said of the records of an answer (`docs/design/parcels.md` section 11). */
export function recordLimitations(parcels: readonly AnsweredParcel[], sources: SourceRegistry): Set<string> {
  const said = new Set<string>();
  for (const parcel of parcels) {
    for (const sentence of sentencesFor(parcel, sources)) said.add(sentence);
  }
  return said;
}

function* sentencesFor({row, record}: AnsweredParcel, sources: SourceRegistry): Iterable<string> {
  const {facts, provenance} = record;
  const has = (name: string) => facts.has(name);
  const flags = row.list("flags");
  if (has("ownerName")) yield P.P02;
  else if (sources(row.provenance("owner").sourceId)?.owners?.published === false) yield P.P06;
  yield has("latitude") ? P.P03 : P.P15;
  if (has("acresBasis") && row.text("acres_basis") === "computed") yield P.P04;
  if (flags.includes("area_mismatch")) yield P.P05;
  if (has("landUseCategory")) yield P.P07;
  if (!has("totalMarketValue") && moneyFields.some(has)) yield P.P09;
  if (flags.includes("duplicate_id")) yield P.P17;
  if (provenance.onlyRetrieved) yield P.P18;
  if (!has("parcelId")) yield P.P21;
}

/** All sentences of an answer in order: of its records, of the states it touches, of the build. */
export function answerLimitations(
  {generation, oldBuild}: Call<unknown>,
  sentences: Iterable<string>,
  states: Iterable<string>,
): string[] {
  const said = new Set(sentences);
  for (const state of states) {
    const part = generation.manifest.states[state];
    if (part?.coverage !== "partial") continue;
    const {live, total} = countyCounts(part, state);
    said.add(partialLimitation(live, total));
  }
  if (oldBuild) said.add(P.P20);
  return orderedParcelLimitations(said, generation.sample);
}
