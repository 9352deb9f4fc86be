import {readFileSync} from "node:fs";
import {basename, join} from "node:path";
import {gunzipSync} from "node:zlib";
import {describe, expect, test} from "vitest";
import {openMarketArtifacts} from "../../server/tables/market-set.ts";
import {signalBuild} from "../pipeline/market/signals/signal-build.ts";
import {corpus} from "./corpus.ts";

type Values = Readonly<Record<string, unknown>>;

const folder = join(corpus ?? "", "market/lmr");

/** The context of a state in a build of one mandatory report, on a day a little after it. */
async function mandatoryOf(file: string, asOf: string): Promise<Values[]> {
  const build = await signalBuild({
    files: {[`lmr/${basename(file)}`]: readFileSync(join(folder, file))},
    asOf,
  });
  try {
    const items = openMarketArtifacts(build.serving).context("state", "KS");
    return items.flatMap(({text, signal}) =>
      text === null || signal !== "mandatory_prices" ? [] : [(JSON.parse(text) as {values: Values}).values],
    );
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
    const [values, ...others] = await mandatoryOf(file, "2026-08-23");
    expect(others).toEqual([]);
    expect(values).toMatchObject({report_scope: "mandatory", report_date: `${year}-${month}-${day}`});
    expect(Object.values(values!["measures"] as Record<string, number>)).toEqual(printed.map(Number));
  });

  test("the section of the Datamart: every number under its published name", async () => {
    const file = "datamart_v1_1_2453_current_volume_2022-06-17.json";
    const {results} = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
      results: Record<string, string>[];
    };
    const [values] = await mandatoryOf(file, "2022-06-20");
    const measures = values!["measures"] as Record<string, number>;
    expect(values).toMatchObject({report_scope: "mandatory", report_title: results[0]!["report_title"]});
    expect(Object.keys(measures).length).toBeGreaterThan(3);
    for (const [name, number] of Object.entries(measures))
      expect([name, number]).toEqual([name, Number(results[0]![name]!.replaceAll(",", ""))]);
  });
});
