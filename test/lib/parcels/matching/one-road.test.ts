import {parseAddress} from "@open-cattle/us-address";
import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {findAddress} from "../../../../lib/parcels/matching/address-match.ts";
import {createMemoryParcels} from "../../../../lib/parcels/memory/memory-parcel-set.ts";
import {addressRow} from "../../../written/address-row.ts";

/** Spellings of one road: the state and county, then the lines. `#` stands for the road's number. */
const spellingsOfOne: readonly (readonly [state: string, county: string, lines: readonly string[]])[] = [
  ["MI", "26093", ["E M-#", "E M #", "E M#", "East M-#"]],
  ["KS", "20091", ["K-# Hwy", "K # Highway", "K# HWY"]],
  ["OK", "40133", ["NS-# Rd", "NS # RD", "NS# Road"]],
  ["IN", "18095", ["SR-#", "SR #", "S.R. #", "SR#", "STATE ROUTE #"]],
  ["TX", "48491", ["CR-#", "CR #", "CR#", "Co Rd-#", "CO RD #", "County Road #"]],
  ["TX", "48491", ["N IH-#", "N IH #", "N IH#", "N INTERSTATE #", "N I-#"]],
  ["TX", "48491", ["RM-#", "RM #", "FM-#", "FM# RD", "RANCH ROAD #"]],
  ["OH", "39031", ["TR-#", "TR #", "TR#", "TWP RD-#", "Township Road #"]],
  ["WI", "55135", ["CTH-B", "CTH B", "COUNTY HIGHWAY B", "Co Hwy B"]],
  ["NC", "37037", ["NC #", "NC-#", "NC # HWY", "NC Hwy #", "N.C. Highway #", "STATE HIGHWAY #"]],
  ["IL", "17113", ["N # EAST RD", "N # E RD", "N #E RD", "North # E. Road"]],
  ["IL", "17113", ["N 1500 EAST RD", "N 1500 E RD", "N 1500E RD"]],
  ["IL", "17113", ["E COUNTY ROAD # N", "E CR #N", "E County Road # North"]],
  ["KS", "20045", ["E 1500TH RD", "E 1500 RD", "East 1500 Road"]],
  ["SC", "45051", ["HWY # BYP", "Highway # Bypass"]],
  ["TX", "48215", ["W US HWY # BUS", "W US Highway # Business", "W BUS US #"]],
  ["TX", "48215", ["W BUSINESS HWY #", "W Business #", "W BUS #", "W HWY # BUS"]],
  ["TX", "48001", ["PR #", "Private Road #", "PVT RD #", "PR-#"]],
  ["TX", "48001", ["AN COUNTY ROAD #", "County Road #", "Anderson County Road #", "CR #"]],
  ["TX", "48467", ["VZ COUNTY ROAD #", "CR #", "VAN ZANDT COUNTY RD #"]],
  ["CO", "08123", ["WELD COUNTY ROAD #", "COUNTY ROAD #", "Weld County Rd #"]],
  ["MO", "29107", ["SE # HWY", "SE Highway #", "SE HWY-#"]],
  ["MO", "29107", ["BB HWY", "Highway BB", "HWY BB"]],
];

/** Two roads: the state and county, then one line and the other. */
const two: readonly (readonly [state: string, county: string, one: string, other: string])[] = [
  ["NC", "37037", "US 15-501", "US 15"],
  ["NC", "37037", "US 15-501", "US 501"],
  ["NC", "37037", "US 15-501", "US 15501"],
  ["NC", "37037", "NC 9", "US 9"],
  ["NC", "37037", "NC-9", "US HWY 9"],
  ["NC", "37037", "NC HWY 9", "US-9"],
  ["MI", "26093", "M-59", "M-5"],
  ["MI", "26093", "M-59", "I-59"],
  ["MI", "26093", "M-59", "MM-59"],
  ["KS", "20091", "K-7 HWY", "M-7 HWY"],
  ["WI", "55135", "CTH-B", "CTH-BB"],
  ["WI", "55135", "CTH-B", "CTH-D"],
  ["IL", "17113", "N 1500 E RD", "N 1500 N RD"],
  ["IL", "17113", "N 1500 E RD", "N 1500 RD"],
  ["KS", "20045", "E 1500 RD", "E 150 RD"],
  ["SC", "45051", "HWY 17 BYP", "HWY 17"],
  ["SC", "45051", "HWY 17 BYP", "HWY 17 BUS"],
  ["TX", "48215", "BUSINESS 83", "HWY 83"],
  ["MB", "MB601", "PR 304", "PRIVATE ROAD 304"],
  ["CO", "08069", "WELD COUNTY ROAD 12", "COUNTY ROAD 12"],
  ["CO", "08069", "LARIMER COUNTY ROAD 12", "WELD COUNTY ROAD 12"],
  ["TX", "48001", "VZ COUNTY ROAD 404", "COUNTY ROAD 404"],
  ["MO", "29107", "BB HWY", "HWY B"],
  ["MO", "29107", "13 HWY", "HWY 31"],
];

type Place = {state: string; county: string};

/** The match of a question with a printed row of the county; undefined where it is another address. */
function matchOf(question: string, situs: string, {state, county}: Place) {
  const {set, add} = createMemoryParcels({state, origin: "delta"});
  const context = {state, isKnownPlace: () => false};
  add(addressRow({situs}, {at: 0, county, context}));
  const address = {...parseAddress(question, {...context, listsLeftOver: true}), raw: question};
  return findAddress(set, {address, counties: new Set([county])})[0]?.match;
}

describe("a road", () => {
  test.each(spellingsOfOne)("is one in %s, %s: %j", (state, county, lines) => {
    fc.assert(
      fc.property(fc.integer({min: 1, max: 99_000}), fc.integer({min: 4, max: 499}), (house, number) => {
        const printed = lines.map((line) => `${house} ${line}`.replace("#", String(number)));
        for (const question of printed)
          for (const situs of printed)
            expect({question, situs, score: matchOf(question, situs, {state, county})?.score}).toEqual({
              question,
              situs,
              score: 1,
            });
      }),
      {numRuns: 20, examples: [[100, 9]]},
    );
  });

  test.each(two)("is another in %s, %s: %s and %s", (state, county, one, other) => {
    const of = (question: string, situs: string) =>
      matchOf(`100 ${question}`, `100 ${situs}`, {state, county});
    expect([of(one, one)?.score, of(other, other)?.score]).toEqual([1, 1]);
    expect([of(one, other), of(other, one)]).toEqual([undefined, undefined]);
  });
});
