import {type AddressKeyParts, addressKeys} from "@open-cattle/us-address";
import type {ParcelSet} from "./parcel-set.ts";

/** Limit of hits per key, large enough for all rows of a condominium's address. */
const maxHits = 10_000_000;

/**
 * Looks up `wanted` evenly spaced rows of a state (the same ones for the same build) by parcel number,
 * address key and point, as far as the row has them, in the indexes that lookups use. Returns a sentence for
 * each miss.
 */
export function goldenMisses(artifacts: ParcelSet, wanted: number): string[] {
  const {rows} = artifacts.parcels;
  const count = Math.min(wanted, rows);
  return Array.from({length: count}, (_, i) => Math.floor((i * rows) / count)).flatMap((row) => [
    ...missedById(artifacts, row),
    ...missedByAddress(artifacts, row),
    ...missedByPoint(artifacts, row),
  ]);
}

function missedById({parcels, ids}: ParcelSet, row: number): string[] {
  const key = parcels.text("parcel_id_std").at(row);
  if (key === null || key === "" || ids.find(key, maxHits).some((hit) => hit.row === row)) return [];
  return [`row ${row} by its parcel number`];
}

function missedByAddress({parcels, addresses}: ParcelSet, row: number): string[] {
  const parts: AddressKeyParts = {
    number: parcels.text("situs_number").at(row),
    numberLo: parcels.number("situs_number_lo").at(row),
    numberHi: parcels.number("situs_number_hi").at(row),
    name: parcels.text("situs_name").at(row),
    status: parcels.dictionary("situs_status").at(row) as AddressKeyParts["status"],
  };
  const keys = addressKeys(parts, parcels.text("situs_raw").at(row));
  const missed = keys.filter(({key}) => !addresses.find(key, maxHits).some((hit) => hit.row === row));
  return missed.map(({form}) => `row ${row} by its address (form ${form})`);
}

function missedByPoint({parcels, points}: ParcelSet, row: number): string[] {
  const lon = parcels.number("lon").at(row);
  const lat = parcels.number("lat").at(row);
  if (lon === null || lat === null) return [];
  const here = points?.within({minX: lon, minY: lat, maxX: lon, maxY: lat}, (found) => found === row) ?? [];
  return here.length > 0 ? [] : [`row ${row} by its point`];
}
