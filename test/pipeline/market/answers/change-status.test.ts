import {expect, it} from "vitest";
import {changeStatusOf, valueHashOf} from "../../../../pipeline/market/answers/drafts.ts";
import {answersOf, countyRecord, evidenceWith, stateRecord, venueSaid} from "./answer-build.ts";
import type {RowSaid} from "./workshop.ts";

const steers = "feeder-steers-ml1-0750-0799-cwt";
const venues = [
  venueSaid({venueId: "ks-dodge", countyFips: "20057", lat: 37.73, lon: -100.06, locationBasis: "yard"}),
];
const ks = (said: Partial<RowSaid> & {price: number}): RowSaid => ({
  state: "KS",
  venue: "ks-dodge",
  head: 20,
  ...said,
});

it("V19 gives a record without a price its status: revised, new or unchanged", () => {
  const earlier = {record_key: "k", value_hash: "same", change_status: "new"};
  expect(changeStatusOf(earlier, "other")).toBe("revised");
  expect(changeStatusOf(undefined, "other")).toBe("new");
  expect(changeStatusOf(earlier, "same")).toBe("unchanged");
  expect(changeStatusOf({...earlier, change_status: "withdrawn"}, "same")).toBe("new");
});

it("hashes values whatever their order", () => {
  expect(valueHashOf({a: 1, b: [2]})).toBe(valueHashOf({b: [2], a: 1}));
  expect(valueHashOf({a: 1})).not.toBe(valueHashOf({a: 1.01}));
});

it("V19 follows a sale over builds: first new, then unchanged, revised with its earlier value, then a later sale new", async () => {
  const first = await answersOf([ks({price: 263.08})], venues, {write: true});
  expect(first.answers.latest[0]!.record.change_status).toBe("new");
  const next = {previous: first.dir, date: "2026-11-22"};
  const reread = await answersOf([ks({price: 263.08})], venues, next);
  expect(reread.answers.latest[0]!.record.change_status).toBe("unchanged");
  expect(countyRecord(reread, "20057", steers)!.change_status).toBe("unchanged");
  const corrected = await answersOf([ks({price: 263.18})], venues, next);
  const record = countyRecord(corrected, "20057", steers)!;
  expect([record.change_status, record.previous!.price_avg, record.price_avg]).toEqual([
    "revised",
    263.08,
    263.18,
  ]);
  expect(evidenceWith(corrected, record.evidence_id)!.change_status).toBe("revised");
  expect(corrected.answers.latest[0]!.record.change_status).toBe("revised");
  expect(corrected.answers.latest[0]!.record.previous).toEqual({
    price_avg: 263.08,
    price_low: 263.08,
    price_high: 263.08,
    head_count: 20,
  });
  const older = await answersOf([ks({price: 263.08})], venues, {previous: first.dir, date: "2026-12-08"});
  expect(older.answers.latest[0]!.record.change_status).toBe("stale");
  const later = await answersOf([ks({price: 263.08}), ks({price: 270, end: "2026-11-22"})], venues, next);
  expect(countyRecord(later, "20057", steers)!.change_status).toBe("new");
  expect(later.answers.latest.map(({record}) => [record.price_avg, record.change_status])).toEqual([
    [270, "new"],
  ]);
  expect(later.answers.latest[0]!.record.previous_sale).toBeNull();
});

it("reports a correction of the previous sale beside the later sale of the same night", async () => {
  const heifers = {class: "heifers", price: 240, weight: 780};
  const bulls = {class: "bulls", price: 230};
  const earlier = [ks({price: 263.08}), ks({price: 262}), ks(heifers), ks(bulls)];
  const first = await answersOf(earlier, venues, {write: true});
  const end = "2026-11-22";
  const night = {previous: first.dir, date: end, write: true};
  const later = [
    ks({price: 270, end}),
    ks({...bulls, price: 235, end}),
    ks({...bulls, class: "cows", price: 150, end}),
  ];
  const plain = await answersOf([...earlier, ...later], venues, night);
  expect(plain.answers.latest.every(({record}) => record.previous_sale === null)).toBe(true);
  // The first row is corrected, the second withdrawn, and the heifers, which did not sell again, are corrected too.
  const corrected = [ks({price: 263.18, head: 21}), ks({...heifers, price: 241}), ks(bulls)];
  const built = await answersOf([...corrected, ...later], venues, night);
  const sale = {report_end_date: "2026-11-16", cells_revised: 2};
  const was = (price: number) => ({price_avg: price, price_low: price, price_high: price, head_count: 20});
  expect(
    built.answers.latest.map(({record}) => [
      record.class,
      record.change_status,
      record.previous,
      record.previous_sale,
    ]),
  ).toEqual([
    ["bulls", "new", null, {...sale, rows: []}],
    ["cows", "new", null, {...sale, rows: []}],
    [
      "steers",
      "new",
      null,
      {
        ...sale,
        rows: [
          {...was(263.18), head_count: 21, previous: was(263.08)},
          {price_avg: null, price_low: null, price_high: null, head_count: null, previous: was(262)},
        ],
      },
    ],
  ]);
  // The county's mean has both sales; the state's week is that of the later one.
  const {rows} = built.answers.latest[2]!.record.previous_sale!;
  for (const pooled of [countyRecord(built, "20057", steers)!, stateRecord(built, "KS", steers)!])
    expect([pooled.change_status, pooled.previous, pooled.previous_sale]).toEqual([
      "new",
      null,
      {...sale, rows},
    ]);
  expect(countyRecord(plain, "20057", steers)).toMatchObject({change_status: "new", previous_sale: null});
  const next = await answersOf([...corrected, ...later], venues, {previous: built.dir, date: "2026-11-23"});
  expect(next.answers.latest.map(({record}) => [record.change_status, record.previous_sale])).toEqual(
    later.map(() => ["unchanged", null]),
  );
  // A sale that no file reports any more is not a corrected one.
  const rotated = await answersOf(later, venues, night);
  expect(rotated.answers.latest.every(({record}) => record.previous_sale === null)).toBe(true);
});

it("reports a correction of an official summary beside the next week's summary", async () => {
  const week = (price: number, begin: string, end: string) =>
    ks({price, venue: null, scope: "state_summary", begin, end, state: "OK"});
  const after = week(405, "2026-11-15", "2026-11-21");
  const first = await answersOf([week(400, "2026-11-08", "2026-11-14")], venues, {write: true});
  const night = {previous: first.dir, date: "2026-11-22"};
  const record = async (price: number) =>
    stateRecord(
      await answersOf([week(price, "2026-11-08", "2026-11-14"), after], venues, night),
      "OK",
      steers,
    )!;
  expect(await record(400)).toMatchObject({change_status: "new", price_avg: 405, previous_sale: null});
  const values = (price: number) => ({price_avg: price, price_low: price, price_high: price, head_count: 20});
  expect(await record(398)).toMatchObject({
    change_status: "new",
    previous_sale: {report_end_date: "2026-11-14", rows: [{...values(398), previous: values(400)}]},
  });
});

it("V19 serves a row that the republished issue lacks as withdrawn, with null values, for one build", async () => {
  const kept = ks({price: 300, class: "heifers"});
  const first = await answersOf([kept, ks({price: 263.08})], venues, {write: true});
  const second = await answersOf([kept], venues, {previous: first.dir, date: "2026-11-22", write: true});
  const gone = countyRecord(second, "20057", steers)!;
  expect([gone.change_status, gone.price_avg, gone.previous!.price_avg]).toEqual(["withdrawn", null, 263.08]);
  expect(evidenceWith(second, gone.evidence_id)!.actionability).toBe("do_not_act");
  expect(stateRecord(second, "KS", steers)!.change_status).toBe("withdrawn");
  const rows = second.answers.latest.map(({record}) => [
    record.class,
    record.change_status,
    record.price_avg,
  ]);
  expect(rows).toEqual([
    ["heifers", "unchanged", 300],
    ["steers", "withdrawn", null],
  ]);
  const third = await answersOf([kept], venues, {previous: second.dir, date: "2026-11-23"});
  expect(third.answers.latest.map(({record}) => record.class)).toEqual(["heifers"]);
  expect(countyRecord(third, "20057", steers)).toBeUndefined();
});

it("does not call a record withdrawn that has only left the window", async () => {
  const first = await answersOf([ks({price: 263.08})], venues, {write: true});
  const later = await answersOf([ks({price: 263.08})], venues, {previous: first.dir, date: "2027-01-20"});
  expect(later.answers.latest).toEqual([]);
  expect(countyRecord(later, "20057", steers)).toBeUndefined();
});

it("V28 says nothing new of a record whose window moved, and leaves a cell that the newer summary does not name", async () => {
  const sales = [ks({price: 263.08, end: "2026-11-09"}), ks({price: 270, end: "2026-11-18"})];
  const first = await answersOf(sales, venues, {write: true});
  const moved = await answersOf(sales, venues, {previous: first.dir, date: "2026-11-26", write: true});
  expect(countyRecord(moved, "20057", steers)).toMatchObject({
    ...{price_avg: 270, change_status: "unchanged", window_moved: true, previous: null},
  });
  expect(moved.answers.counties.filter(({record}) => record.change_status !== "unchanged")).toEqual([]);
  const still = await answersOf(sales, venues, {previous: moved.dir, date: "2026-11-27"});
  expect(countyRecord(still, "20057", steers)).toMatchObject({
    change_status: "unchanged",
    window_moved: false,
  });
  const week = (end: string, said: {class?: string} = {}) =>
    ks({price: 300, venue: null, scope: "state_summary", begin: end, end, ...said});
  const both = [week("2026-11-14"), week("2026-11-14", {class: "heifers"})];
  const earlier = await answersOf(both, venues, {date: "2026-11-15", write: true});
  const later = await answersOf([...both, week("2026-11-21")], venues, {
    previous: earlier.dir,
    date: "2026-11-22",
  });
  expect(later.answers.states.map(({record}) => [record.class, record.change_status])).toEqual([
    ["steers", "new"],
  ]);
  // A roll-up that an official summary replaces leaves, too.
  const roll = await answersOf(sales, venues, {write: true});
  const replaced = await answersOf([...sales, week("2026-11-21", {class: "heifers"})], venues, {
    previous: roll.dir,
    date: "2026-11-22",
  });
  expect(replaced.answers.states.map(({record}) => [record.class, record.change_status])).toEqual([
    ["heifers", "new"],
  ]);
});
