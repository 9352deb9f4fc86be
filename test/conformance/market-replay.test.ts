import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {statusesOf} from "../pipeline/market/issue-diff.ts";
import {
  buildOn,
  marketDigests,
  opened,
  putRaw,
  tableOf,
  type WeeklyBuild,
  wrongAges,
} from "../pipeline/market/weekly-builds.ts";
import {temporaryFolder} from "../server/server-fixture.ts";
import {corpus} from "./corpus.ts";

/** A Monday before the first of these reports, each day on which one ends, and a Monday after the last. */
const weeks = [
  "2026-07-06",
  ..."07-09 07-11 07-15 07-18 07-22 07-23 08-05 08-06 08-08 08-12 08-13 08-22"
    .split(" ")
    .map((day) => `2026-${day}`),
  "2026-08-31",
];

/** Reports of sales in these weeks or just before; the long exports of the corpus end in April and add none. */
const feeds = {
  "ams-text": /\.txt$/,
  mars: /^ams_(1777|1778|1895)_.*\.json$|report_list/,
};

describe.skipIf(corpus === null)(
  "a build of each day of July and August 2026 on which a report of the corpus ends",
  () => {
    const folder = temporaryFolder();
    const builds: WeeklyBuild[] = [];

    beforeAll(async () => {
      for (const [feed, pattern] of Object.entries(feeds)) {
        for (const name of readdirSync(join(corpus!, "market", feed)).filter((file) => pattern.test(file))) {
          const day = /(\d{4}-\d{2}-\d{2})\.\w+$/.exec(name)![1]!;
          const content = readFileSync(join(corpus!, "market", feed, name));
          await putRaw(folder.path, `${feed}/${name}`, {content, retrievedAt: `${day}T20:00:00Z`});
        }
      }
      for (const week of weeks) builds.push(await buildOn(folder.path, week));
    }, 900_000);
    afterAll(() => folder.remove());

    it("publishes every day, with nothing held back and reports of later days left out", () => {
      expect(builds.map(({result}) => [result.outcome, result.heldBack])).toEqual(
        weeks.map(() => ["published", []]),
      );
      const leftOut = builds.map(
        ({result}) =>
          result.report.left_out.filter(({reason}) => reason?.includes("after the as-of date")).length,
      );
      expect(leftOut).toEqual([...leftOut].sort((a, b) => b - a));
      expect(leftOut[0]! - leftOut.at(-1)!).toBe(12);
    });

    it("gives each record the change status that a diff of the issues of the two builds demands", async () => {
      await opened(async (db) => {
        const seen = new Set<string>();
        const differences: string[] = [];
        let compared = 0;
        for (const [index, now] of builds.entries()) {
          for (const table of ["county_prices", "state_prices", "latest_prices"] as const) {
            const statuses = await statusesOf(db, table, now, builds[index - 1] ?? null);
            for (const {change_status, expected, n} of statuses) {
              seen.add(change_status);
              if (index > 0) compared += n;
              if (change_status !== expected)
                differences.push(`${now.asOf} ${table}: ${n} ${change_status}, not ${expected}`);
            }
            if (index === 0)
              expect(statuses.filter(({change_status}) => change_status !== "new")).toEqual([]);
          }
        }
        process.stderr.write(
          `change status: ${compared} records of ${builds.length - 1} pairs of dates, ${differences.length} differences\n`,
        );
        expect(differences).toEqual([]);
        expect([...seen].sort()).toEqual(expect.arrayContaining(["new", "unchanged"]));
      });
    });

    it("counts ages from the day of each build and never knows a later sale", async () => {
      await opened(async (db) => {
        for (const now of builds) {
          expect(await wrongAges(db, now)).toEqual([]);
          const [last] = await db.rows<{day: string | null}>(
            `SELECT max(last_sale_date)::VARCHAR AS day FROM ${tableOf(now, "latest_prices")}`,
          );
          expect(last!.day === null || last!.day <= now.asOf).toBe(true);
          const later = await db.rows(
            `SELECT venue_id FROM ${tableOf(now, "barns")} WHERE last_verified_at::DATE > DATE '${now.asOf}'`,
          );
          expect(later).toEqual([]);
        }
        const last = builds.at(-1)!;
        const sales = await db.rows(
          `SELECT venue_id, max(last_sale_date)::VARCHAR AS day FROM ${tableOf(last, "latest_prices")} GROUP BY 1 ORDER BY 1`,
        );
        expect(sales).toEqual([
          {venue_id: "ks-dodge-city", day: "2026-08-12"},
          {venue_id: "ks-pratt", day: "2026-08-13"},
        ]);
      });
    });

    it("gives the same market files to the byte in an empty data folder", async () => {
      for (const [index, week] of weeks.entries()) {
        const again = await buildOn(folder.path, week, "again");
        expect([again.result.buildId, await marketDigests(again)]).toEqual([
          builds[index]!.result.buildId,
          await marketDigests(builds[index]!),
        ]);
      }
    }, 900_000);
  },
);
