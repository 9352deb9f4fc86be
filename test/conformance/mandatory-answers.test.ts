import {readFileSync} from "node:fs";
import {basename, join} from "node:path";
import {gunzipSync} from "node:zlib";
import {describe, expect, test} from "vitest";
import type {MandatoryPrice} from "../../schemas/market-records.ts";
import {mandatoryLines} from "../../server/market/mandatory-records.ts";
import {openMarketArtifacts} from "../../server/tables/market-set.ts";
import {signalBuild} from "../pipeline/market/signals/signal-build.ts";
import {corpus} from "./corpus.ts";

type Values = Readonly<Record<string, unknown>>;

const folder = join(corpus ?? "", "market/lmr");

/** The context of a state, and the records of its prices, in a build of one mandatory report, on a day a little after it. */
async function mandatoryOf(
  file: string,
  asOf: string,
): Promise<{values: Values[]; records: MandatoryPrice[]}> {
  const build = await signalBuild({
    files: {[`lmr/${basename(file)}`]: readFileSync(join(folder, file))},
    asOf,
  });
  try {
    const market = openMarketArtifacts(build.serving);
    const items = market.context("state", "KS");
    return {
      values: items.flatMap(({text, signal}) =>
        text === null || signal !== "mandatory_prices" ? [] : [(JSON.parse(text) as {values: Values}).values],
      ),
      records: mandatoryLines(market, {state: "KS", test: null}).map(
        ({text}) => JSON.parse(text) as MandatoryPrice,
      ),
    };
  } finally {
    build.close();
  }
}

describe.skipIf(corpus === null)("mandatory reports of the corpus in answers", () => {
  test("the cutout export: the newest day's values as printed", async () => {
    const file = "lm_xb403_choice_select_cutout_2006_2026.csv.gz";
    const [head, newest] = gunzipSync(readFileSync(join(folder, file)))
      .toString("utf8")
      .trim()
      .split(/\r?\n/);
    const [date, ...printed] = newest!.replaceAll('"', "").split(",");
    expect(head!.split(",")).toHaveLength(printed.length + 1);
    const [month, day, year] = date!.split("/");
    const {values: all, records} = await mandatoryOf(file, "2026-08-23");
    const [values, ...others] = all;
    expect(others).toEqual([]);
    const priced = head!.split(",").flatMap((name, at) => {
      const [, grade, pounds] = /^"?(Choice|Select) ?.*?(\d{3}-\d{3})/i.exec(name) ?? [];
      return grade === undefined ? [] : [[`${grade.toLowerCase()} ${pounds}`, Number(printed[at - 1])]];
    });
    expect(priced.length).toBeGreaterThan(1);
    expect(records.map(({grade_printed: grade, price_avg: price}) => [grade, price]).sort()).toEqual(
      priced.sort(),
    );
    for (const record of records)
      expect(record).toMatchObject({price_basis_live: "cutout", region_states: []});
    expect(values).toMatchObject({report_scope: "mandatory", report_date: `${year}-${month}-${day}`});
    expect(Object.values(values!["measures"] as Record<string, number>)).toEqual(printed.map(Number));
  });

  test("the section of the Datamart: every number under its published name", async () => {
    const file = "datamart_v1_1_2453_current_volume_2022-06-17.json";
    const {results} = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
      results: Record<string, string>[];
    };
    const {values: all, records} = await mandatoryOf(file, "2022-06-20");
    const [values] = all;
    // Volumes are no price.
    expect(records).toEqual([]);
    const measures = values!["measures"] as Record<string, number>;
    expect(values).toMatchObject({report_scope: "mandatory", report_title: results[0]!["report_title"]});
    expect(Object.keys(measures).length).toBeGreaterThan(3);
    for (const [name, number] of Object.entries(measures))
      expect([name, number]).toEqual([name, Number(results[0]![name]!.replaceAll(",", ""))]);
  });
});
