import {readFileSync} from "node:fs";
import {join} from "node:path";
import {afterAll, describe, expect, it} from "vitest";
import {loadParcelSources} from "../../lib/registry/parcel-sources.ts";
import {isNewer, listedReports} from "../../pipeline/fetch/jobs/report-list.ts";
import {buildState} from "../../pipeline/parcels/build-state.ts";
import {parquetRows} from "../pipeline/parcels/parquet-rows.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";
import {rawFilesOf} from "./two-source-state.ts";

const asOf = "2026-11-21";
const textOf = (path: string) => readFileSync(join(corpus!, "cases/fetch", path), "utf8");

/** What a case gives now in words, and whether that is right; `came` and `right` stand in the table of the corpus. */
type Case = {readonly name: string; readonly ask: () => Promise<readonly [now: string, isRight: boolean]>};

/** `no-paging-on-miss` is a stand-in that test/server/cadastre/no-paging.test.ts plays. */
const cases: readonly Case[] = [
  {
    name: "ma-lot-units",
    async ask() {
      const entries = loadParcelSources().filter(({id}) => id === "us-ma-service");
      const files = await rawFilesOf({"us-ma-service": "cases/fetch/ma-lot-units/rows.geojson"});
      const outDir = temporaryFolder();
      await buildState({
        ...{state: "MA", country: "US", entries, files, base: null, outDir, asOf},
        tempDir: temporaryFolder(),
      });
      const acres = (await parquetRows<{acres: number | null}>(outDir)).map((row) => row.acres);
      const isQuarter = (each: number | null) => each !== null && Math.abs(each - 0.25) < 0.001;
      return [
        `${acres.length} rows of ${[...new Set(acres)].join(", ")} acres`,
        acres.length === 30 && acres.every(isQuarter),
      ];
    },
  },
  {
    name: "corrected-list-down",
    async ask() {
      const list = listedReports(textOf("corrected-list-down/corrected.txt"));
      return [JSON.stringify(list), list?.reports.length === 0 && list.unread === 0];
    },
  },
  {
    name: "index-v31",
    async ask() {
      const list = listedReports(textOf("index-v31/index.txt"));
      const [report] = list?.reports ?? [];
      const published = new Date(report?.publishedMs ?? 0).toISOString();
      return [
        `published ${published}, document ${report?.document}, title ${report?.title}`,
        list?.unread === 0 &&
          published.startsWith("2026-11-25T22:45:31") &&
          report?.document === "https://www.ams.usda.gov/mnreports/ams_2057.pdf" &&
          isNewer(report, "2026-11-25T08:00:00Z"),
      ];
    },
  },
];

describe.skipIf(corpus === null)("cases of fetching", {timeout: 60_000}, () => {
  const table: string[] = [];
  afterAll(() => {
    process.stdout.write(`| case | came | now | right |\n| --- | --- | --- | --- |\n${table.join("\n")}\n`);
  });
  it.each(cases)("$name", async ({name, ask}) => {
    const [now, isRight] = await ask();
    const line = readFileSync(join(corpus!, "cases/README.md"), "utf8")
      .split("\n")
      .find((each) => each.startsWith(`| ${name} |`));
    const [came = "", right = ""] = line?.split(" | ").slice(4) ?? [];
    table.push(`| ${name} | ${came} | ${now} | ${right.replace(/ \|$/, "")} |`);
    expect(isRight, now).toBe(true);
  });
});
