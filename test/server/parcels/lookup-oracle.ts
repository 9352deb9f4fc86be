import {parseAddress, type ScoredAddress} from "@open-cattle/us-address";
import {expect} from "vitest";
import {chooseAddress} from "../../../lib/parcels/matching/address-choice.ts";
import {type AddressHit, findAddress} from "../../../lib/parcels/matching/address-match.ts";
import {findAround, type LocationQuestion} from "../../../lib/parcels/matching/location-match.ts";
import {findOwners, type OwnerTotals, type OwnerWords} from "../../../lib/parcels/matching/owner-match.ts";
import {chooseParcelId, findParcelId} from "../../../lib/parcels/matching/parcel-id-match.ts";
import {parcelIdReadings} from "../../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import type {ParcelSet} from "../../../lib/parcels/parcel-set.ts";
import type {SourceRegistry} from "../../../lib/parcels/record/source-facts.ts";
import {type PlainRow, plainRows} from "./plain-rows.ts";
import {scanAddress, scanIds, scanOwners, scanPlace} from "./plain-scan.ts";

type Located = {readonly set: ParcelSet; readonly row: number};

/** Parcels that are asked through the index and by a plain scan; each check throws where the answers differ. */
export type LookupOracle = {
  readonly rows: readonly PlainRow[];
  /** Gives the number of hits. */
  checkId(asked: string): number;
  /** Gives the types of the hits. */
  checkAddress(set: ParcelSet, line: string): string[];
  checkPlace(question: LocationQuestion): number;
  /** Checks total, order and scores of a page and of the first; gives the scores. */
  checkOwners(words: OwnerWords, page: {offset: number; limit: number}): number[];
};

/** Reads all rows of the sets once. */
export function lookupOracle(sets: readonly ParcelSet[], sources: SourceRegistry): LookupOracle {
  const rows = plainRows(sets, sources);
  const uids = new Map(sets.map((set) => [set, set.parcels.text("parcel_uid")]));
  const uidOf = ({set, row}: Located) => uids.get(set)!.at(row) ?? "";
  const rowsOf = new Map(sets.map((set) => [set, rows.filter((row) => row.set === set)]));
  return {
    rows,
    checkId(asked) {
      const choice = chooseParcelId(findParcelId(sets, {readings: parcelIdReadings(asked), counties: null}));
      const hits = choice.kind === "none" ? [] : choice.kind === "one" ? [choice.hit] : choice.hits;
      const found = hits.map((hit) => `${uidOf(hit)} ${hit.match.score}`).sort();
      expect([asked, ...found]).toEqual([asked, ...scanIds(rows, asked).sort()]);
      return hits.length;
    },
    checkAddress(set, line) {
      const address: ScoredAddress = {...parseAddress(line, {state: set.state}), raw: line};
      const chosen = (hits: readonly AddressHit[]) => {
        const withUnit = address.unit !== null || address.unitType !== null;
        const choice = chooseAddress(hits, {withUnit});
        const best = choice.kind === "none" ? [] : choice.kind === "one" ? [choice.hit] : choice.hits;
        return best.map((hit) => `${uidOf(hit)} ${hit.match.type} ${hit.match.score}`).sort();
      };
      const found = chosen(findAddress(set, {address, counties: null}));
      expect([line, ...found]).toEqual([line, ...chosen(scanAddress(rowsOf.get(set)!, address))]);
      return found.map((hit) => hit.split(" ").at(-2)!);
    },
    checkPlace(question) {
      const {hits, total, beforeUse, unclassified} = findAround(sets, question);
      const found = hits.map((hit) => ({
        uid: uidOf(hit),
        miles: hit.miles,
        contains: hit.contains,
      }));
      expect({hits: found, total, beforeUse, unclassified}).toEqual(scanPlace(rows, question));
      return total;
    },
    checkOwners(words, page) {
      const scanned = scanOwners(rows, words);
      const expected = scanned.map(({score, row}) => `${row.uid} ${score}`);
      for (const {offset, limit} of [page, {offset: 0, limit: 10}]) {
        const {hits, total, totals} = findOwners(
          sets,
          {words, counties: null, use: null, residential: null, offset, limit},
          sources,
        );
        const found = hits.map((hit) => `${uidOf(hit)} ${hit.match.score}`);
        expect([words, total, ...found]).toEqual([
          words,
          scanned.length,
          ...expected.slice(offset, offset + limit),
        ]);
        expect([words, totals]).toEqual([words, sumsOf(scanned.map(({row}) => row))]);
      }
      return scanned.map(({score}) => score);
    },
  };
}

/** Sums of rows by the acres that their records print. */
function sumsOf(rows: readonly PlainRow[]): OwnerTotals {
  const acres = rows.flatMap(({set, row}) => set.parcels.number("acres").at(row) ?? []);
  return {
    parcels: rows.length,
    acres: acres.reduce((sum, each) => sum + Math.round(each * 1e4), 0) / 1e4,
    parcelsWithAcres: acres.length,
    counties: new Set(rows.map(({county}) => county)).size,
    states: new Set(rows.map(({state}) => state)).size,
  };
}
