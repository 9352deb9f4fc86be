import {expect, test} from "vitest";
import {limitations} from "../../../lib/limitations.ts";
import {priceByState} from "../../../server/market/price-by-state.ts";
import type {MarketArtifacts} from "../../../server/tables/market-set.ts";
import type {Keyed, StateKey} from "../../../server/tables/record-tables.ts";
import {askEndpoint} from "./ask-endpoint.ts";

const venues = {weekEndDate: null, reportSlug: null, lastSaleDate: "2026-11-18"};
const steers = {commodity: "feeder_cattle", class: "steers", binLow: 500};
const cows = {commodity: "slaughter_cattle", class: "cows", binLow: null};

/** Cells of two states in the order of the table. */
const keys = [
  {...steers, ...venues, state: "KS", cellId: "steers", reportSlug: "ams-1", headline: true, importance: 1},
  {...cows, ...venues, state: "KS", cellId: "cows", headline: false, importance: 2},
  {...steers, ...venues, state: "OK", cellId: "steers", headline: true, importance: 1},
  {...cows, ...venues, state: "OK", cellId: "cows", lastSaleDate: null, headline: false, importance: 2},
].map((key, row): Keyed<StateKey> => ({...key, row}));

const market = {
  states: {
    keys,
    record: (row: number) => JSON.stringify({id: `${keys[row]!.state} ${keys[row]!.cellId}`}),
    evidenceId: () => null,
  },
  history: (key: string, weeks: number, last: string | null) => [JSON.stringify({key, weeks, last})],
  lastKnown: (endpoint: string, area: string) => `${endpoint} of ${area}`,
  context: (_: string, key: string) => [
    {signal: key, text: JSON.stringify(`of ${key}`), sourceId: "drought"},
  ],
  sourceEntries: () => [],
  mandatory: null,
  indicators: () => [],
  barns: {keys: []},
  salePens: {of: () => ({steers: [], heifers: []}), official: () => [], cells: () => []},
} as unknown as MarketArtifacts;

const ask = (question: Record<string, string>) => askEndpoint(priceByState, market, question);

test.each<[Record<string, string>, string[]]>([
  [{}, ["KS steers", "OK steers"]],
  [{class: "cows"}, ["KS cows", "OK cows"]],
  [{class: "cows,steers"}, ["KS steers", "KS cows", "OK steers", "OK cows"]],
  [{state: "KS"}, ["KS steers", "KS cows"]],
  [{state: "OK", class: "cows"}, ["OK cows"]],
  [{state: "OK", weight: "549"}, ["OK steers"]],
  [{weight: "550"}, []],
  [{state: "TX"}, []],
  [{offset: "1"}, ["OK steers"]],
  [{class: "cows,steers", offset: "1", limit: "2"}, ["KS cows", "OK steers"]],
])("%j is answered with the cells %j", (question, cells) => {
  expect(ask(question).records.map(({id}) => id)).toEqual(cells);
});

test("a history is of the same summary report, or of the venues, and ends with the record's last sale", () => {
  const {records} = ask({class: "cows,steers", history: "4"});
  const last = "2026-11-18";
  expect(records.map(({history}) => history)).toEqual([
    [{key: "KS|steers|ams-1", weeks: 4, last}],
    [{key: "KS|cows", weeks: 4, last}],
    [{key: "OK|steers", weeks: 4, last}],
    [{key: "OK|cows", weeks: 4, last: null}],
  ]);
  expect(ask({}).records[0]).not.toHaveProperty("history");
});

test("an answer on a state has its signals, and one without records the last date known of it", () => {
  expect([ask({state: "KS"})["context"], ask({})["context"]]).toEqual([["of KS"], []]);
  expect(ask({state: "TX"})).toMatchObject({last_known_source_date: "price-by-state of TX"});
  expect(ask({class: "bulls"})).toMatchObject({last_known_source_date: null});
  expect(ask({class: "cows", limit: "1"})).toMatchObject({page: {total: 2, returned: 1, truncated: true}});
  expect(ask({limit: "501"}).limitations).toContain(limitations.L10);
});
