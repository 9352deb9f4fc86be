import type {ParcelSet} from "../artifacts.ts";
import {type ParcelIdMatch, parcelIdMatchLevel} from "../parcel-id/parcel-id-match.ts";
import type {ParcelIdReading} from "../parcel-id/parcel-id-query.ts";
import type {Choice} from "./address-choice.ts";
import {inCounties} from "./county-filter.ts";

/** A row whose parcel number, or another id of it, is the one asked for. */
export type ParcelIdHit = {readonly set: ParcelSet; readonly row: number; readonly match: ParcelIdMatch};

export type ParcelIdQuestion = {
  readonly readings: readonly ParcelIdReading[];
  /** County keys; null for any county. */
  readonly counties: ReadonlySet<string> | null;
};

/** The rows of the sets that have the number in any form, each with its best form over all readings. */
export function findParcelId(sets: readonly ParcelSet[], question: ParcelIdQuestion): ParcelIdHit[] {
  return sets.flatMap((set) => {
    const found = new Map<number, ParcelIdHit>();
    for (const reading of question.readings) {
      if (reading.state === null || reading.state === set.state) addHits(found, {set, reading, ...question});
    }
    return [...found.values()];
  });
}

/** Hits of the first level that has any; several are left to the caller, with the parcel's own number before other ids. */
export function chooseParcelId(hits: readonly ParcelIdHit[]): Choice<ParcelIdHit> {
  const level = Math.min(...hits.map(({match}) => match.level));
  const winning = hits
    .filter(({match}) => match.level === level)
    .sort((a, b) => b.match.score - a.match.score || compareUids(a, b));
  const [best] = winning;
  if (best === undefined) return {kind: "none"};
  return winning.length === 1 ? {kind: "one", hit: best, stack: false} : {kind: "several", hits: winning};
}

type Search = {set: ParcelSet; reading: ParcelIdReading; counties: ReadonlySet<string> | null};

function addHits(found: Map<number, ParcelIdHit>, {set, reading, counties}: Search): void {
  const inCounty = inCounties(set, counties);
  const inReading = reading.countyKey === null ? inCounty : inCounties(set, new Set([reading.countyKey]));
  for (const key of new Set([reading.forms.std, reading.forms.loose])) {
    if (key === "") continue;
    for (const {row} of set.ids.find(key)) {
      if (!inCounty(row) || !inReading(row)) continue;
      const match = matchOf(set, row, reading);
      const known = found.get(row);
      if (match !== null && (known === undefined || match.score > known.match.score))
        found.set(row, {set, row, match});
    }
  }
}

function matchOf({parcels}: ParcelSet, row: number, {forms}: ParcelIdReading): ParcelIdMatch | null {
  return parcelIdMatchLevel(forms, parcels.text("parcel_id").at(row), parcels.list("alt_ids").at(row) ?? []);
}

function compareUids(a: ParcelIdHit, b: ParcelIdHit): number {
  const [first, second] = [uidOf(a), uidOf(b)];
  return first < second ? -1 : Number(first > second);
}

function uidOf({set, row}: ParcelIdHit): string {
  return set.parcels.text("parcel_uid").at(row) ?? "";
}
