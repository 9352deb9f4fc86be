import {expect, test} from "vitest";
import {latestPrices} from "../../../server/market/latest-prices.ts";
import {mandatoryLines} from "../../../server/market/mandatory-records.ts";
import {priceByState} from "../../../server/market/price-by-state.ts";
import {recordMeasures} from "../../../server/market/record-measures.ts";
import type {MarketArtifacts} from "../../../server/tables/market-set.ts";
import {VenuesNear} from "../../../server/tables/place-index.ts";
import {apartFromMandatory, mandatoryTable} from "../../../server/text/mandatory-table.ts";
import {askEndpoint} from "./ask-endpoint.ts";

const lines = [
  {id: "five", regionStates: ["KS", "NE", "TX"], commodity: "slaughter_cattle", class: "steers"},
  {id: "cutout", regionStates: [], commodity: "", class: ""},
  {id: "kansas", regionStates: ["KS"], commodity: "slaughter_cattle", class: "heifers"},
  {id: "mixed", regionStates: ["NE"], commodity: "slaughter_cattle", class: ""},
].map((line, row) => ({...line, row, binLow: null}));
const tableOf = (keys: readonly (typeof lines)[number][]) =>
  ({
    keys,
    record: (row: number) => JSON.stringify({id: keys[row]!.id, report_scope: "mandatory"}),
    evidenceId: () => null,
  }) as unknown as MarketArtifacts["mandatory"];
const market = {mandatory: tableOf(lines)} as MarketArtifacts;
const idsOf = (records: readonly {text: string}[]) =>
  records.map(({text}) => (JSON.parse(text) as {id: string}).id);

test("lines of a state are those of its regions, the smallest first and the nation last; without one all, as ranked", () => {
  const of = (state: string | null) => idsOf(mandatoryLines(market, {state, test: null}));
  expect(of(null)).toEqual(["five", "cutout", "kansas", "mixed"]);
  expect(of("KS")).toEqual(["kansas", "five", "cutout"]);
  expect(of("TX")).toEqual(["five", "cutout"]);
  expect(of("GA")).toEqual(["cutout"]);
});

test("kinds of cattle choose among them, at most twenty come, and an older build has none", () => {
  const test = ({class: kind}: {class: string}) => kind === "steers";
  expect(idsOf(mandatoryLines(market, {state: null, test}))).toEqual(["five"]);
  const many = Array.from({length: 30}, (_, row) => ({...lines[0]!, row, id: String(row)}));
  expect(mandatoryLines({...market, mandatory: tableOf(many)}, {state: null, test: null})).toHaveLength(20);
  expect(mandatoryLines({...market, mandatory: null}, {state: null, test: null})).toEqual([]);
});

const served = {
  ...market,
  latest: {keys: [], record: () => "{}", evidenceId: () => null},
  states: {
    keys: [{state: "KS", row: 0, headline: true, commodity: "feeder_cattle", class: "steers", binLow: 500}],
    record: () => '{"id":"state"}',
    evidenceId: () => null,
  },
  indicators: () => [],
  salePens: {of: () => []},
  venuesNear: new VenuesNear([]),
  barns: {keys: []},
  zip: () => null,
  lastKnown: () => "2026-10-01",
  context: () => [],
  venueCounties: new Map(),
  sourceEntries: () => [],
} as unknown as MarketArtifacts;

test("they come behind the records of a state, over all pages", () => {
  const ask = (question: Record<string, string>) => askEndpoint(priceByState, served, question);
  const whole = ask({state: "KS"});
  expect(whole.records.map(({id}) => id)).toEqual(["state", "kansas", "five", "cutout"]);
  expect(whole).toMatchObject({result_status: "ok", page: {total: 4}});
  const pages = [0, 1, 2, 3].flatMap(
    (offset) => ask({state: "KS", limit: "1", offset: String(offset)}).records,
  );
  expect(pages).toEqual(whole.records);
  const pairs = [0, 2].flatMap((offset) => ask({state: "KS", limit: "2", offset: String(offset)}).records);
  expect(pairs).toEqual(whole.records);
});

test("an answer of them alone is partial and names the last known date; a barn or a county has none", () => {
  const alone = askEndpoint(priceByState, served, {state: "NE"});
  expect(alone.records.map(({id}) => id)).toEqual(["mixed", "five", "cutout"]);
  expect(alone).toMatchObject({result_status: "partial", last_known_source_date: "2026-10-01"});
  const ask = (question: Record<string, string>) => askEndpoint(latestPrices, served, question);
  expect(ask({state: "KS"}).records.map(({id}) => id)).toEqual(["kansas", "five", "cutout"]);
  expect(ask({lat: "38", lon: "-98"}).records.map(({id}) => id)).toEqual(["kansas", "five", "cutout"]);
  for (const question of [{county: "20057"}, {zip: "99999"}] as Record<string, string>[])
    expect(ask(question).records).toEqual([]);
});

test("measures are asked of no line, because it is of no cell", async () => {
  const line = {report_scope: "mandatory", cell_id: null, state: null, venue_id: null};
  expect(await recordMeasures("no-such-build", {records: [line]})).toEqual([]);
});

test("people get a table of their own, and no line of the context that says it again", () => {
  const line = {
    ...{
      report_scope: "mandatory",
      region: "5 Area",
      class_printed: "STEER",
      grade_printed: "Total all grades",
    },
    ...{
      price_basis_live: "live",
      delivery_printed: "fob",
      price_avg: 229.73,
      price_low: 225,
      price_high: 232,
    },
    ...{head_count: 11004, change_week: -1.27, report_date: "2026-11-16"},
  };
  const context = [{signal: "mandatory_prices"}, {signal: "drought"}];
  const {own, lines: apart} = apartFromMandatory({
    ...{records: [{id: "state"}, line, {...line, price_avg: null}], context},
  });
  expect(own).toMatchObject({records: [{id: "state"}], context: [{signal: "drought"}]});
  const [table] = mandatoryTable(apart);
  expect(table!.rows).toEqual([
    [
      "5 Area",
      "steer, total all grades",
      "live FOB",
      "229.73",
      "225.00-232.00",
      "11,004",
      "-1.27",
      "2026-11-16",
    ],
    [
      "5 Area",
      "steer, total all grades",
      "live FOB",
      "not told",
      "225.00-232.00",
      "11,004",
      "-1.27",
      "2026-11-16",
    ],
  ]);
  expect(apartFromMandatory({records: [{id: "state"}], context})).toMatchObject({own: {context}, lines: []});
});
