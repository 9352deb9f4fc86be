import {readFileSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, expect, test} from "vitest";
import {Evidence} from "../../../../schemas/market-evidence.ts";
import {DealerStats} from "../../../../schemas/market-records.ts";
import {openMarketArtifacts} from "../../../../server/tables/market-set.ts";
import {type SignalBuild, signalBuild} from "./signal-build.ts";

const list = [
  "License Number,Business Name,License Type,City,State,Status,As Of",
  "1,Prairie Cattle Co.,Livestock Dealer,Yukon,OK,Active,07/01/2026",
  "2,PRAIRIE CATTLE COMPANY,Livestock Dealer,El Reno,OK,Active,07/01/2026",
  "3,Border Buyers LLC,Order Buyer,Amarillo,TX,Active,07/01/2026",
  "4,Sample Creek Auction Barn,Livestock Auction Market,Yukon,OK,Active,07/01/2026",
  "5,Prairie Cattle Co.,Livestock Auction Market,Yukon,OK,Active,07/01/2026",
  "6,Jane Examplename,Livestock Dealer,Yukon,OK,Expired,07/01/2026",
  "7,,Livestock Dealer,Yukon,OK,Active,07/01/2026",
  "8,Waiting Buyers,Livestock Dealer,Yukon,OK,Pending,07/01/2026",
  ",TOTAL,8,,,,",
  ",End of list,,,,,",
].join("\n");

let build: SignalBuild;
beforeAll(async () => {
  const older = list.split("\n").slice(0, 2).join("\n").replaceAll("07/01/2026", "01/01/2026");
  const files = {
    "dealers/ok_livestock_licences_2026.csv": list,
    "dealers/ok_livestock_licences_2025.csv": older,
    "dealers/tx_dealers_2026-12-15.csv": "Business Name,License Type\nLater Buyers,Dealer\n",
  };
  build = await signalBuild({files});
});
afterAll(() => build.close());

test("counts entities once by name and state, per kind of licence", () => {
  const market = openMarketArtifacts(build.serving);
  expect(market.dealers.keys.map(({state}) => state)).toEqual(["OK"]);
  const record = JSON.parse(market.dealers.record(market.dealers.keys[0]!.row));
  expect(DealerStats.parse(record)).toEqual(record);
  expect(record).toMatchObject({
    state: "OK",
    list_scope: "livestock licences",
    list_as_of: "2026-07-01",
    licence_types: ["Livestock Auction Market", "Livestock Dealer", "Order Buyer"],
    licensed_dealers: 1,
    licensed_market_agencies: 1,
    licensed_markets: 2,
    bonded: null,
    other: null,
    total_entities: 3,
    deduplicated: true,
    change_status: "new",
  });
});

test("gives the counts their evidence, with the list's own date", () => {
  const market = openMarketArtifacts(build.serving);
  const evidence = JSON.parse(market.evidence(market.dealers.evidenceId(market.dealers.keys[0]!.row)!)!.text);
  expect(Evidence.parse(evidence)).toEqual(evidence);
  expect(evidence).toMatchObject({
    claim:
      "The public licence list of state OK (livestock licences) dated 2026-07-01 names 3 entities (1 with a dealer's licence); 1 of the 50 states has a list in this build.",
    sources: ["derived-aggregates", "state-agriculture-reference-pages"],
    source_date: "2026-07-01",
    actionability: "informational",
    transformation: {method: "count"},
  });
  expect(evidence.limitations[0]).toMatch(/lower bound/);
});

test("accounts for every line: merges an older list into the newer, rejects lines that do not count", () => {
  expect(build.report("dealers/ok_livestock_licences_2026.csv")).toMatchObject({
    status: "read",
    rowsIn: 10,
    accepted: 5,
    rejected: {no_name: 1, no_row: 2, not_current: 2},
  });
  expect(build.report("dealers/ok_livestock_licences_2025.csv")).toMatchObject({
    rowsIn: 1,
    accepted: 0,
    merged: 1,
  });
});

test("skips a list dated after the as-of date, naming the date", () => {
  expect(build.report("dealers/tx_dealers_2026-12-15.csv")).toMatchObject({
    status: "left_out",
    reason: "a list of 2026-12-15, after the as-of date 2026-11-21",
  });
});

test("publishes no name of the list", () => {
  for (const name of [
    "tables/dealers.parquet",
    "tables/quarantine.parquet",
    "tables/evidence.parquet",
    "serving/market/dealers.arrow",
    "serving/market/context.arrow",
  ]) {
    const bytes = readFileSync(join(build.outDir, name)).toString("latin1").toLowerCase();
    for (const word of ["examplename", "prairie", "border"])
      expect([name, bytes.includes(word)]).toEqual([name, false]);
  }
});
