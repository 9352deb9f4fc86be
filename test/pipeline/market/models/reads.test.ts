import {expect, test} from "vitest";
import {asOfDate} from "../../../../lib/models/build-facts.ts";
import {inOrder} from "../../../../lib/models/model-graph.ts";
import {ModelRun} from "../../../../lib/models/model-run.ts";
import {type Database, openDatabase} from "../../../../lib/sql/duckdb.ts";
import {answerContext} from "../../../../pipeline/market/answers/answer-context.ts";
import {listedContradictions} from "../../../../pipeline/market/answers/barn-records.ts";
import {keptVenueIds} from "../../../../pipeline/market/answers/kept-venue-ids.ts";
import {previousDir} from "../../../../pipeline/market/answers/previous-build.ts";
import {marketVenues} from "../../../../pipeline/market/answers/venue-places.ts";
import {marketModels} from "../../../../pipeline/market/build-market.ts";
import {registeredVenues} from "../../../../pipeline/market/normalise/issue-map.ts";
import {acceptShrunk} from "../../../../pipeline/market/normalise/issue-versions.ts";
import {listFiles} from "../../../../pipeline/market/signals/lists/list-reader.ts";
import {futuresLicensed} from "../../../../pipeline/market/signals/signal-futures.ts";
import {signalReadings} from "../../../../pipeline/market/signals/signal-tables.ts";
import {rowDifferences, sqlDifferences} from "../../../lib/models/reads.ts";

const models = inOrder(marketModels);
const asOf = "2026-11-21";

/** A run with all values, none of which has rows. */
function runOf(db: Database): ModelRun {
  return new ModelRun(db)
    .give(asOfDate, asOf)
    .give(previousDir, null)
    .give(futuresLicensed, true)
    .give(acceptShrunk, false)
    .give(marketVenues, [])
    .give(keptVenueIds, [])
    .give(registeredVenues, [])
    .give(listedContradictions, new Map())
    .give(listFiles, [])
    .give(signalReadings, [])
    .give(answerContext, {asOf, sample: false, registry: [], assumedAt: new Set<string>()});
}

test("every model in SQL reads exactly the models that it declares", async () => {
  using db = await openDatabase();
  const {differences, compared} = await sqlDifferences(runOf(db), models);
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(90);
});

test("every model whose rows TypeScript gives queries exactly the models that it declares", async () => {
  using db = await openDatabase();
  const {differences, compared} = await rowDifferences(runOf(db), models);
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(20);
});
