import {expect, test} from "vitest";
import {feedEntries, feedOf, feedsOfKind, sourceOfFeed} from "../../../pipeline/market/feeds/feeds.ts";
import {loadMarketSources} from "../../../pipeline/market/reference/market-sources.ts";
import {sampleOf} from "../../../pipeline/sample/write-sample.ts";
import {feedNames} from "../../../schemas/market-feed.ts";
import {signalFiles} from "../../../schemas/signal-files.ts";

test("fills every signal table from one feed, and carries context only from a feed's own tables", () => {
  const filled = feedsOfKind("signals").flatMap(([, {tables}]) => tables);
  expect([...filled].sort()).toEqual(Object.keys(signalFiles).sort());
  for (const [name, {tables, context = []}] of feedsOfKind("signals")) {
    const used = context.map(({table}) => table);
    expect([name, used.filter((table) => !tables.includes(table as never))]).toEqual([name, []]);
  }
});

test("every feed but geography cites a source of the registry, and each has a sample but the federal list of market agencies", () => {
  const ids = loadMarketSources().map(({id}) => id);
  expect(feedEntries.map(([name]) => name).sort()).toEqual([...feedNames].sort());
  for (const [name, {source}] of feedEntries) {
    expect([name, source === null ? "geo" : ids.includes(source)]).toEqual([
      name,
      source === null ? name : true,
    ]);
    // Of the federal list the test of registrants makes rows; the sample has none.
    expect(sampleOf(name, "2026-11-21").length > 0, name).toBe(name !== "psd");
  }
  expect(() => sourceOfFeed("geo")).toThrow(/No source of the registry publishes the feed geo/);
  expect([feedOf("usdm", "prices"), feedOf("hay-bales", "signals")]).toEqual([undefined, undefined]);
});
