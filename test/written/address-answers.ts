import {parseAddress} from "@open-cattle/us-address";
import {chooseAddress} from "../../lib/parcels/matching/address-choice.ts";
import {findAddress} from "../../lib/parcels/matching/address-match.ts";
import {createMemoryParcels} from "../../lib/parcels/memory/memory-parcel-set.ts";
import type {WrittenCase} from "../../packages/us-address/test/written-lines.ts";
import {addressRow} from "./address-row.ts";

const towns = new Set([
  "BRISTOL",
  "FLINT",
  "BRYANT",
  "CHAPEL GROVE",
  "CHENEY",
  "CARY",
  "WAKE FOREST",
  "APEX",
  "GARNER",
]);
const counties: Readonly<Record<string, string>> = {NC: "37183"};

/** Index of the row that answers a question; null where none does, "several" where it is ambiguous. */
export function rowOfAnswer({rows, question, state}: WrittenCase): number | "several" | null {
  const context = {state, isKnownPlace: (name: string) => towns.has(name)};
  const {set, add} = createMemoryParcels({state, origin: "delta"});
  const county = counties[state] ?? "05001";
  for (const [at, row] of rows.entries()) add(addressRow(row, {at, county, context}));
  const address = {...parseAddress(question, context), raw: question};
  const hits = findAddress(set, {address, counties: null});
  const choice = chooseAddress(hits, {withUnit: address.unit !== null || address.unitType !== null});
  if (choice.kind === "several") return "several";
  return choice.kind === "none" ? null : choice.hit.row;
}
