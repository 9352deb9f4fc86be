import {describe, expect, test} from "vitest";
import {parseAddress} from "../../../../lib/parcels/address/parse-address.ts";
import {chooseAddress} from "../../../../lib/parcels/matching/address-choice.ts";
import {findAddress} from "../../../../lib/parcels/matching/address-match.ts";
import {createMemoryParcels} from "../../../../lib/parcels/memory/memory-parcel-set.ts";
import {kinds, type WrittenCase, writtenCases} from "../address/written-lines.ts";

const towns = new Set(["BRISTOL", "FLINT", "BRYANT", "CHAPEL GROVE", "CHENEY"]);

/** Index of the row that answers a question; null where none does, "several" where it is ambiguous. */
function answerOf({rows, question, state}: WrittenCase): {row: number | "several" | null; score: number} {
  const context = {state, isKnownPlace: (name: string) => towns.has(name)};
  const {set, add} = createMemoryParcels({state, origin: "delta"});
  for (const [at, {situs, city}] of rows.entries()) {
    const {number, numberLo, numberHi, fraction, pre, name, type, post, unitType, unit, ...rest} =
      parseAddress(situs, context);
    add({
      columns: {
        parcel_uid: `05001-${at}`,
        parcel_id: String(at),
        county_key: "05001",
        situs_raw: situs,
        situs_number: number,
        situs_number_lo: numberLo,
        situs_number_hi: numberHi ?? numberLo,
        situs_fraction: fraction,
        situs_pre: pre,
        situs_name: name,
        situs_type: type,
        situs_post: post,
        situs_unit_type: unitType,
        situs_unit: unit,
        situs_status: rest.status,
        city: city ?? rest.city,
        zip: rest.zip,
        flags: rest.dropped > 0 ? ["partly_read"] : [],
      },
      record: {} as never,
    });
  }
  const address = {...parseAddress(question, context), raw: question};
  const hits = findAddress(set, {address, counties: null});
  const choice = chooseAddress(hits, {withUnit: address.unit !== null || address.unitType !== null});
  if (choice.kind === "several") return {row: "several", score: choice.hits[0]!.match.score};
  return choice.kind === "none"
    ? {row: null, score: 0}
    : {row: choice.hit.row, score: choice.hit.match.score};
}

describe.each(kinds)("200 written lines: %s", (kind) => {
  test("no question is answered with another parcel, and each is answered that has one", () => {
    const answers = writtenCases(kind, 200).map((written) => ({...written, row: answerOf(written).row}));
    expect(answers.filter(({row, right}) => row !== right)).toEqual([]);
  });
});
