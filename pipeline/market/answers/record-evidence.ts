import {priceEvidence} from "../../../lib/market/price-evidence.ts";
import type {Run} from "../../../lib/models/model.ts";
import {recordModel} from "../../../lib/models/record-model.ts";
import {type Evidence, evidenceTable} from "../../../schemas/market-evidence.ts";
import {recordText} from "../../../schemas/market-fields/market-field.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import {gathered} from "../signals/signal-tables.ts";
import {answerContext} from "./answer-context.ts";
import {venueEvidence} from "./barn-evidence.ts";
import {barnRecords, recordInputs} from "./barn-records.ts";
import {county_prices} from "./county-prices.ts";
import {dealerRecords} from "./dealer-records.ts";
import {evidenceGroups} from "./evidence-rows.ts";
import {excluded_rows, readExcludedRows} from "./excluded-rows.ts";
import {indicatorRecords} from "./indicators.ts";
import {latest_prices} from "./latest-records.ts";
import {mandatoryRecords} from "./mandatory-prices.ts";
import {previous_dealers, previous_mandatory_prices} from "./previous-build.ts";
import {sale_pens} from "./sale-pens.ts";
import {event_pairs, price_pairs, readSecondSources} from "./second-sources.ts";
import {state_prices} from "./state-prices.ts";
import {readUnitSlips, slipped_rows} from "./unit-contradictions.ts";
import {marketVenues} from "./venue-places.ts";

/** The evidence of all records. */
export const evidence = recordModel({
  name: "evidence",
  reads: [
    county_prices,
    state_prices,
    latest_prices,
    excluded_rows,
    slipped_rows,
    price_pairs,
    event_pairs,
    ...recordInputs,
    previous_dealers,
    gathered.mandatory_reports,
    previous_mandatory_prices,
    sale_pens,
  ],
  columns: marketFiles.evidence.columns,
  computedIn: [
    "lib/market/price-evidence.ts",
    "pipeline/market/answers/barn-evidence.ts",
    "pipeline/market/answers/dealer-records.ts",
    "pipeline/market/answers/mandatory-prices.ts",
    "lib/market/curve-evidence.ts",
  ],
  more: {evidence: recordText(evidenceTable, "evidence")},
  rows: evidencePieces,
});

/** Computes the evidence one piece at a time. */
async function* evidencePieces(run: Run): AsyncGenerator<Evidence> {
  const context = await run.value(answerContext);
  const inputs = {
    context,
    contacts: new Map((await run.value(marketVenues)).map((venue) => [venue.venueId, venue])),
    excluded: await readExcludedRows(run),
    secondSources: await readSecondSources(run),
    unitSlips: await readUnitSlips(run),
  };
  for (const record of ["county", "state", "latest"] as const)
    for await (const rows of evidenceGroups(run.db, record)) yield priceEvidence(rows, inputs);
  for (const made of await run.value(barnRecords)) yield* venueEvidence(made, context);
  for (const {evidence: piece} of await run.value(dealerRecords)) yield piece;
  for (const {evidence: piece} of await run.value(mandatoryRecords)) yield piece;
  for (const {evidence: piece} of await run.value(indicatorRecords)) if (piece !== null) yield piece;
}
