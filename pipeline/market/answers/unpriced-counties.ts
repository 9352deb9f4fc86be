import {type County, counties} from "../../../lib/geography/counties.ts";
import {limitations} from "../../../lib/limitations.ts";
import type {Evidence} from "../../../schemas/market-evidence.ts";
import type {CountyPrice} from "../../../schemas/market-records.ts";
import type {CellFacts} from "./aggregates.ts";
import {estimate, methodVersion, widenedWindowDays} from "./bounds.ts";
import {standingCells} from "./cells.ts";
import {unpricedClaim} from "./claims.ts";
import {priceConfidence} from "./confidence.ts";
import {areaOf, type CountyInputs, countyEntities, placeOf} from "./county-prices.ts";
import {evidenceOf, priceSources} from "./evidence.ts";
import {emptyMembers, type Finished, judged} from "./price-record.ts";

/** Limitation of the `none` records of a county that no market is near enough to. */
const nothingInReach = `No reporting venue in the county or within ${estimate.maxMiles} miles sold such cattle in the window.`;

/** The `none` records of one county, under one piece of evidence. */
type UnpricedAnswer = {finished: Finished<CountyPrice>[]; evidence: Evidence};

/**
 * Records that say `none`, for the standing headline cells of counties that have neither an observation nor an estimate.
 * `priced` holds `<county>|<cell>`.
 */
export function unpricedAnswers(priced: ReadonlySet<string>, inputs: CountyInputs): UnpricedAnswer[] {
  return counties().flatMap((county) => {
    const cells = standingCells.filter((cell) => !priced.has(`${county.fips}|${cell.cell_id}`));
    return cells.length === 0 ? [] : [unpricedAnswer(county, cells, inputs)];
  });
}

function unpricedAnswer(
  county: County,
  cells: readonly CellFacts[],
  {context, earlier}: CountyInputs,
): UnpricedAnswer {
  const evidenceId = `pc-${county.fips}-none`;
  const finished = cells.map((cell) => unpricedRecord(county, cell, evidenceId, earlier));
  const evidence = evidenceOf(
    context,
    {
      id: evidenceId,
      kind: "no_price",
      claim: unpricedClaim(placeOf(county)),
      entities: [
        ...countyEntities(county, cells[0]!.cell_id, [], []),
        ...cells.map((cell) => `cell:${cell.cell_id}`),
      ],
      sources: priceSources(["ams-lmr-datamart"], true),
      sourceDate: null,
      ingestedAt: null,
      verifiedAt: null,
      transformation: {
        method: "inverse_distance_estimate",
        inputs: [],
        parameters: {max_distance_mi: estimate.maxMiles, window_days: widenedWindowDays},
      },
      confidence: priceConfidence({age: null, head: 0, coverage: 0, agreement: 0}),
      limitations: [nothingInReach, ...(county.vintage === null ? [] : [limitations.L19])],
      implication: "Ask for a neighbouring county or the state.",
      contradictions: null,
      changeStatus: finished.some(({record}) => record.change_status === "new") ? "new" : "unchanged",
    },
    methodVersion,
  );
  return {finished, evidence};
}

function unpricedRecord(
  county: County,
  cell: CellFacts,
  evidenceId: string,
  earlier: CountyInputs["earlier"],
): Finished<CountyPrice> {
  const recordKey = [county.fips, cell.cell_id, "", ""].join("|");
  const members = emptyMembers(cell, areaOf(county));
  const {record, valueHash} = judged<CountyPrice>(members, {evidenceId, recordKey, earlier});
  const unrounded = {price_avg: null, avg_weight_lb: null, value_per_head: null};
  return {record, headline: true, recordKey, valueHash, unrounded};
}
