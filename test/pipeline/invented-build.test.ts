import {mkdirSync, symlinkSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {Command} from "commander";
import {beforeAll, expect, test, vi} from "vitest";
import {type DataFolder, dataFolder} from "../../lib/storage/data-folder.ts";
import {manifestText} from "../../lib/storage/manifest-file.ts";
import {printBuildResult, printPlan} from "../../pipeline/commands/build-output.ts";
import {statusCommand} from "../../pipeline/commands/status-command.ts";
import type {BuildPlan} from "../../pipeline/parts/build-plan.ts";
import {codeVersion} from "../../pipeline/parts/code-version.ts";
import {composeManifest, composeReport} from "../../pipeline/publish/compose.ts";
import {htmlSection} from "../../pipeline/report/html.ts";
import {reportHtml} from "../../pipeline/report/report-html.ts";
import {countyPriceSection, weeklyPriceSection} from "../../pipeline/report/sections.ts";
import {Manifest} from "../../schemas/manifest.ts";
import {expectKept} from "../kept-text.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {inventedBuild, inventedResult} from "./invented-build.ts";
import {testStages} from "./publish/workshop.ts";

const {plan, outcomes, report} = inventedBuild;
const manifest = composeManifest(
  plan,
  {stages: testStages, acceptances: [], now: () => new Date("2026-08-23T06:07:08.9Z")} as never,
  outcomes,
  [],
);

/** What a command prints. */
async function printedBy(work: () => unknown): Promise<string> {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    await work();
    return write.mock.calls.map(([text]) => String(text)).join("");
  } finally {
    write.mockRestore();
  }
}

test("the manifest has the files and sources of the parts, for a linked part those of the previous build", () => {
  expect(Manifest.parse(manifest)).toEqual(manifest);
  expect(composeReport(plan, outcomes)).toEqual(report);
  expectKept("invented-build/manifest.json", manifestText({...manifest, code_version: "1"}));
  expect(manifest.code_version).toBe(codeVersion());
});

test("the report page has every part, file and gate, and charts with their figures", async () => {
  const html = await reportHtml(temporaryFolder(), plan, outcomes, report);
  const quiet = {...report, parts: {}, left_out: []};
  const sound = await reportHtml(temporaryFolder(), {...plan, sample: true}, [], quiet);
  const cell = {id: "steers-550", words: "feeder steers of 550-599 lb (steers-550)"};
  const week = (state: string, day: string, price: number) => ({
    state,
    day,
    price,
    head: state === "TX" ? null : 40,
  });
  const weekly = [
    week("KS", "2026-08-15", 350.5),
    week("KS", "2026-08-22", 351),
    week("TX", "2026-08-22", 347.25),
  ];
  const sold = {state: "KS", head: 1234, day: "2026-08-19"};
  const counties = [
    {fips: "20057", county: "Ford County", price: 350.5, ...sold},
    {fips: "20055", county: "Finney County", price: 1349.126, ...sold},
  ];
  const sections = [
    weeklyPriceSection({cell, weekly, counties}),
    countyPriceSection({cell, weekly, counties}),
    countyPriceSection({cell, weekly, counties: counties.slice(1)}),
    countyPriceSection({cell, weekly, counties: []}),
  ];
  const pages = [html, sound.slice(sound.indexOf("<body>")), ...sections.map(htmlSection)].join("\n");
  // State outlines come from the atlas, and styles contain no figures.
  const drawn = pages.replaceAll(/<style>.*?<\/style>|<path class="land" d="[^"]*"\/>/gs, "");
  expectKept("invented-build/report.html", drawn.replaceAll("><", ">\n<"));
});

test("a build prints its outcome: failed gates, parts and files, sums, and the exit code", async () => {
  const data = dataFolder("/data");
  const quiet = {...inventedResult, heldBack: [], gates: [], report: {...report, parts: {}, left_out: []}};
  const told = [
    ["in short", inventedResult, {}],
    ["file by file", inventedResult, {files: true}],
    ["as JSON", inventedResult, {json: true}],
    ["adopted", {...quiet, outcome: "adopted", delta: []}, {}],
    ["nothing", {...quiet, outcome: "nothing", delta: []}, {}],
    ["a part", {...quiet, outcome: "part", delta: []}, {}],
  ] as const;
  let text = "";
  for (const [title, result, flags] of told) {
    let code: number | null = null;
    const printed = await printedBy(() => {
      code = printBuildResult(result, data, flags);
    });
    text += `== ${title}: exit code ${code}\n${printed}`;
  }
  const plans: [title: string, json: boolean, changes: Partial<BuildPlan>][] = [
    ["plan", false, {}],
    ["plan of a build that is there", false, {adopts: true, leftOut: []}],
    ["plan as JSON", true, {base: null}],
  ];
  for (const [title, json, changes] of plans)
    text += `== ${title}\n${await printedBy(() => printPlan({...plan, ...changes}, json))}`;
  expectKept("invented-build/printed.txt", text);
});

let data: DataFolder;
beforeAll(() => {
  data = dataFolder(temporaryFolder());
  const dir = join(data.builds, plan.buildId);
  mkdirSync(dir, {recursive: true});
  writeFileSync(join(dir, "manifest.json"), manifestText(manifest));
  writeFileSync(join(dir, "report.json"), JSON.stringify(report));
  symlinkSync(join("builds", plan.buildId), data.current);
  mkdirSync(join(data.raw, ".fetch"), {recursive: true});
  for (const [source, status, reason] of [
    ["mars", "new", null],
    ["us-tx-service", "unchanged", null],
    ["us-ne-statewide", "partial", "cut off"],
    ["gone", "new", null],
  ] as const) {
    const state = {
      ...{source, status, reason, last_asked: "2026-08-22T05:04:03Z", failures: status === "partial" ? 2 : 0},
      ...{last_good: status === "partial" ? null : "2026-08-22T05:04:03Z"},
      ...{
        last_new: status === "new" ? "2026-08-22T05:04:03Z" : null,
        bytes: 10,
      },
    };
    writeFileSync(join(data.raw, ".fetch", `${source}.json`), JSON.stringify(state));
  }
});

test("status shows parts, sources, gates and files; for one state, its counties, attributes and gaps", async () => {
  const status = async (...words: string[]) => {
    const cattle = new Command().exitOverride();
    statusCommand(cattle);
    const printed = await printedBy(() =>
      cattle.parseAsync(["status", ...words, "--out", data.root], {from: "user"}),
    );
    return `== status ${words.join(" ")}\n${printed.replaceAll(data.root, "DATA")}`;
  };
  // The states planned in the registry do not concern this build.
  const text = (await status()).replace(/^\d+ states planned$/m, "… states planned");
  let all = text;
  for (const words of [["AZ"], ["AZ", "--json"], ["ut"], ["NV"], ["NV", "--json"]])
    all += await status("--state", ...words);
  await expect(status("--state", "QQ")).rejects.toThrow('--state: "QQ" is neither code nor name of a state');
  expectKept("invented-build/status.txt", all);
  const asJson = JSON.parse((await status("--json")).split("\n").slice(1).join("\n"));
  const {coverage, ...others} = asJson;
  const shown = coverage.filter(({state}: {state: string}) => ["AZ", "UT", "NV"].includes(state));
  expectKept("invented-build/status.json", `${JSON.stringify({...others, coverage: shown}, null, 1)}\n`);
});
