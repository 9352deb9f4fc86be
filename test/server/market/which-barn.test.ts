import {expect, test} from "vitest";
import {BarnPrice} from "../../../schemas/market-barn-price.ts";
import type {Evidence} from "../../../schemas/market-evidence.ts";
import {netAtVenue} from "../../../server/market/net-at-venue.ts";
import {byWorth} from "../../../server/market/which-barn.ts";
import {servedMarket} from "./served-market.ts";

const served = servedMarket();

const nearElReno = "/latest-prices?lat=35.53&lon=-97.95&class=steers&weight=550";
const answerOf = async (question: string) => {
  const {barns, evidence, sources} = (await served.server.get(question)).json() as object as {
    barns?: unknown;
    evidence: Evidence[];
    sources: string[];
  };
  return {evidence, sources, ...(barns === undefined ? {} : {barns: BarnPrice.array().parse(barns)})};
};

test("each barn around a place has its price, and evidence that states it", async () => {
  const {barns, evidence, sources} = await answerOf(nearElReno);
  expect(barns?.map(({venue_id}) => venue_id)).toEqual(["ok-el-reno", "ok-norman"]);
  for (const barn of barns!) {
    const {price_avg, basis, pens, head_count, change_week, freight_hd, net_per_head} = barn;
    expect([basis, pens, head_count, change_week]).toEqual(["curve", 5, 200, null]);
    expect([freight_hd, net_per_head]).toEqual([null, null]);
    const piece = evidence.find(({evidence_id}) => evidence_id === barn.evidence_id);
    expect(piece?.claim).toContain(
      `about ${price_avg!.toFixed(2)} USD per cwt by the weight curve of its sale on ${barn.sale_date}`,
    );
    expect(piece?.entity_ids).toContain(`report:ams-${barn.venue_id}@${barn.sale_date}`);
    expect(sources).toEqual(expect.arrayContaining([...piece!.sources]));
  }
});

test("with all costs the best net comes first, else the best price, then the nearest", async () => {
  const costs = "&rate_per_mile=6&load_lb=50000&head=60&shrink_pct=3&commission_pct=2.5";
  const {barns} = await answerOf(
    `${nearElReno.replace("lat=35.53&lon=-97.95", "lat=35.2&lon=-97.4")}${costs}`,
  );
  expect(barns?.map(({venue_id}) => venue_id)).toEqual(["ok-norman", "ok-el-reno"]);
  for (const {price_avg, distance_mi, ...barn} of barns!)
    expect(barn).toMatchObject(
      netAtVenue(
        {ratePerMile: 6, loadLb: 50_000, head: 60, shrinkPct: 3, commissionPct: 2.5},
        {weightLb: 550, price: price_avg, miles: distance_mi},
      ),
    );
  const oneMissing = await answerOf(`${nearElReno}${costs.replace("&head=60", "")}`);
  for (const {freight_hd, net_per_head} of oneMissing.barns!)
    expect([freight_hd, net_per_head]).toEqual([null, null]);
});

test("the order is by worth whatever the price rests on, equal ones nearest first, and none last", () => {
  const barns = (
    [
      [1, "pens", 340, 1900],
      [2, null, null, null],
      [3, "curve", 352, 1850],
      [4, "pens", 352, -3],
    ] as const
  ).map(([distance_mi, basis, price_avg, net_per_head]) => ({
    barn: {distance_mi, basis, price_avg, net_per_head} as unknown as BarnPrice,
  }));
  const miles = (hasCosts: boolean) => byWorth(barns, hasCosts).map(({barn}) => barn.distance_mi);
  expect([miles(false), miles(true)]).toEqual([
    [3, 4, 1, 2],
    [1, 3, 4, 2],
  ]);
});

test("costs are decimals of any size, and no net comes of none or of a load that carries none", async () => {
  const rest = "&shrink_pct=3&commission_pct=2.5";
  const {barns} = await answerOf(`${nearElReno}&rate_per_mile=4.125&load_lb=48000.5&head=12000${rest}`);
  const [{price_avg, distance_mi, net_per_head}] = barns as [BarnPrice];
  expect({net_per_head}).toMatchObject({
    net_per_head: netAtVenue(
      {ratePerMile: 4.125, loadLb: 48_000.5, head: 12_000, shrinkPct: 3, commissionPct: 2.5},
      {weightLb: 550, price: price_avg, miles: distance_mi},
    ).net_per_head,
  });
  for (const few of ["&load_lb=500&head=60", "&load_lb=50000&head=0"]) {
    const {barns: none} = await answerOf(`${nearElReno}&rate_per_mile=6${few}${rest}`);
    for (const barn of none!) expect(barn).toMatchObject({freight_hd: null, net_per_head: null});
  }
});

test("by distance the nearest comes first, and the radius and the state bound them", async () => {
  const ids = async (more: string) =>
    (await answerOf(`${nearElReno}${more}`)).barns?.map(({venue_id}) => venue_id);
  expect(await ids("&order=distance")).toEqual(["ok-el-reno", "ok-norman"]);
  expect(await ids("&radius=10")).toEqual(["ok-el-reno"]);
  expect(await ids("&state=KS")).toEqual([]);
});

test("other questions compare no barns, and wrong costs are refused", async () => {
  const kinds = ["class=cows&weight=1200", "class=steers,heifers&weight=550", "class=steers", "weight=550"];
  for (const kind of kinds)
    expect(await answerOf(`/latest-prices?lat=35.53&lon=-97.95&${kind}`), kind).not.toHaveProperty("barns");
  expect(await answerOf(`${nearElReno}&commodity=slaughter_cattle`)).not.toHaveProperty("barns");
  expect(await answerOf(`${nearElReno}&commodity=feeder_cattle`)).toHaveProperty("barns");
  expect(await answerOf("/latest-prices?state=OK&class=steers&weight=550")).not.toHaveProperty("barns");
  for (const wrong of [
    "head=-1",
    "load_lb=1e4",
    "shrink_pct=-1",
    "commission_pct=100",
    "rate_per_mile=x",
    "order=net",
  ])
    expect((await served.server.get(`${nearElReno}&${wrong}`)).status, wrong).toBe(400);
});
