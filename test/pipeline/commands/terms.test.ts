import {existsSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {beforeEach, expect, test} from "vitest";
import {healthAfter, writeLayerHealth} from "../../../lib/registry/layer-health-files.ts";
import {readDecisions} from "../../../lib/registry/layer-terms.ts";
import {projectStages} from "../../../pipeline/parts/project-stages.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {cattle} from "./run-cattle.ts";

const evidence = "https://gis.ne.gov/terms";
let root: string;
beforeEach(() => {
  root = temporaryFolder();
});

const sources = (...words: string[]) => cattle("sources", ...words, "--out", root);
/** Runs a command that must go well; returns what it wrote. */
async function run(...argv: string[]): Promise<string> {
  const {code, stdout, stderr} = await cattle(...argv, "--out", root);
  expect(code, stderr).toBe(0);
  return stdout;
}
const allow = (id: string, page = evidence) =>
  sources("allow", id, "--licence", "a public service", "--evidence", page);
const planned = async (id: string) =>
  JSON.parse(await run("fetch", "--source", id, "--dry-run", "--json"))[0].action;
const decisions = () => readDecisions({terms: join(root, "terms.json")});

test("lists pending sources with terms and page, county layers only on request", async () => {
  const {waiting, decided} = JSON.parse(await run("sources", "terms", "--json"));
  expect(decided).toEqual([]);
  const byId = new Map(waiting.map((each: {id: string}) => [each.id, each]));
  expect(byId.get("us-va-statewide")).toMatchObject({
    state: "VA",
    words: "for the official business of the Commonwealth",
    who: "government",
  });
  expect(byId.get("us-nd-statewide")).toMatchObject({
    words: "none seen",
    page: expect.stringMatching(/^https:\/\/services1\.arcgis\.com\//),
  });
  expect(byId.get("us-vt-standard")).toMatchObject({who: "undecided"});
  expect([byId.has("us-mt-service"), byId.has("us-ga-atkinson")]).toEqual([false, false]);
  expect(await run("sources", "terms", "--layers")).toMatch(
    /us-ga-atkinson +GA +not said +none seen +- +https:/,
  );
});

test("never pulls a layer by default whose publisher forbids it, and names the page to open", async () => {
  const {waiting} = JSON.parse(await run("sources", "terms", "--json")) as {
    waiting: {id: string; who: string | null; open: string}[];
  };
  const refused = waiting.filter(({who}) => who === "nobody");
  expect(refused.map(({id}) => id)).toEqual(
    ["az-water", ..."ca ia ms ne nv pa ri wv".split(" ").map((state) => `${state}-statewide`)].map(
      (name) => `us-${name}`,
    ),
  );
  const table = await run("sources", "terms");
  for (const {id, open} of refused) {
    expect(await planned(id)).toBe("not allowed");
    expect(open).toMatch(/^https:\/\//);
    expect(table).toMatch(new RegExp(`^${id} +[A-Z]{2} +nobody .* ${open}$`, "m"));
  }
});

test("a decision lets fetch take an entry or a layer, is cited by builds, and can be taken back", async () => {
  for (const id of ["us-ne-statewide", "us-ga-atkinson"]) {
    expect(await planned(id)).toBe("not allowed");
    expect(await allow(id)).toMatchObject({code: 0});
    expect(await planned(id)).toBe("ask");
  }
  const stages = projectStages({decisions: decisions()});
  const cited = {licence: "a public service", terms: {bulk: true, page: evidence}};
  expect(stages.entries.find(({id}) => id === "us-ne-statewide")).toMatchObject(cited);
  expect(stages.layers("US", "GA").find(({id}) => id === "us-ga-atkinson")).toMatchObject(cited);
  expect(await run("sources", "terms")).toMatch(
    /allowed here[\s\S]*us-ne-statewide +a public service +https/,
  );
  await run("sources", "disallow", "us-ne-statewide");
  expect(Object.keys(decisions())).toEqual(["us-ga-atkinson"]);
  expect(await planned("us-ne-statewide")).toBe("not allowed");
});

test("sources ls has each layer that was asked on a miss once, with its answer, and no other county layer", async () => {
  const good = healthAfter(undefined, {mark: "good", at: new Date().toISOString()});
  const asked = ["us-ga-atkinson", "us-ne-statewide"].map((id) => [id, good] as const);
  await writeLayerHealth({run: join(root, "run")}, 0, new Map(asked));
  const lines = (await run("sources", "ls")).split("\n");
  const of = (id: string) => lines.filter((line) => line.startsWith(`${id} `));
  for (const [id] of asked) expect(of(id), id).toEqual([expect.stringMatching(/ good, today$/)]);
  expect(of("us-ga-baldwin")).toEqual([]);
});

test("puts a decision before the publisher's terms, which are shown", async () => {
  const {code, stdout} = await allow("us-va-statewide");
  expect(code).toBe(0);
  expect(stdout).toContain("its publisher says: for the official business of the Commonwealth");
  expect(await planned("us-va-statewide")).toBe("ask");
});

test("an unknown source, one without an address, no page and nothing to take back are refused, and nothing is written", async () => {
  for (const id of ["us-zz-none", "us-tx-stratmap"]) expect((await allow(id)).code, id).toBe(2);
  expect((await allow("us-ne-statewide", "a letter")).code).toBe(2);
  expect((await sources("disallow", "us-ne-statewide")).code).toBe(1);
  expect(existsSync(join(root, "terms.json"))).toBe(false);
});

test("a file of decisions that is not valid stops the command and names the field", async () => {
  writeFileSync(join(root, "terms.json"), JSON.stringify({"us-ne-statewide": {licence: "CC0"}}));
  const {code, stderr} = await sources("terms");
  expect(code).toBe(78);
  expect(stderr).toContain("us-ne-statewide.evidence");
  expect(readFileSync(join(root, "terms.json"), "utf8")).toContain("CC0");
});
