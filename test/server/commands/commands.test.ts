import {join} from "node:path";
import {Command, CommanderError} from "commander";
import {afterEach, beforeEach, describe, expect, it, vi} from "vitest";
import {readKeys} from "../../../lib/keys/api-keys.ts";
import {keyCommands} from "../../../server/commands/key-commands.ts";
import {questionCommands} from "../../../server/commands/question-commands.ts";
import {marketEndpoints} from "../../../server/market/market-endpoints.ts";
import {publish, writeBuild} from "../build-fixture.ts";
import {temporaryFolder} from "../server-fixture.ts";

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv("CATTLE_DATA", folder.path);
});
afterEach(() => {
  vi.unstubAllEnvs();
  folder.remove();
});

async function run(
  ...words: string[]
): Promise<{printed: string; error: CommanderError | null; complaint: string}> {
  const printed: string[] = [];
  let complaint = "";
  const writeErr = (text: string) => {
    complaint += text;
  };
  const print = (text: string) => void printed.push(text);
  const program = new Command().exitOverride().configureOutput({writeErr});
  keyCommands(program, print);
  const openState = () => {
    throw new Error("no state is in these builds");
  };
  questionCommands(program, {endpoints: marketEndpoints, openState, print});
  for (const command of program.commands.flatMap((one) => [one, ...one.commands])) {
    command.exitOverride().configureOutput({writeErr});
  }
  try {
    await program.parseAsync(words, {from: "user"});
    return {printed: printed.join("\n"), error: null, complaint};
  } catch (error) {
    if (error instanceof CommanderError) return {printed: printed.join("\n"), error, complaint};
    throw error;
  }
}

describe("keys on the command line", () => {
  it("prints a new key once, lists it without its digest, and ends it", async () => {
    const {printed: key} = await run("keys", "create", "--label", "desk", "--scope", "market", "parcel");
    expect(key).toMatch(/^cattle_[0-9a-f]{72}$/);
    const [record] = readKeys(join(folder.path, "keys.json"));
    expect(record?.scopes).toEqual(["market", "parcel"]);
    const {printed: list} = await run("keys", "list");
    expect(list).toContain("desk");
    expect(list).not.toContain(record?.sha256 ?? "?");
    await run("keys", "revoke", record?.id ?? "");
    expect(JSON.parse((await run("keys", "list", "--json")).printed)[0].state).toBe("ended");
  });
});

describe("market on the command line", () => {
  beforeEach(async () => {
    await writeBuild(folder.path, "20261121-bbbbbb");
    publish(folder.path, "20261121-bbbbbb");
  });

  it("prints the answer of an endpoint, with the parameters as options", async () => {
    const {printed} = await run("market", "price-by-county", "--zip", "73101", "--limit", "2", "--json");
    expect(JSON.parse(printed)).toMatchObject({page: {returned: 2, limit: 2}, build_id: "20261121-bbbbbb"});
    const {printed: stats} = await run("market", "/dealers/stats", "--json");
    expect(JSON.parse(stats)).toMatchObject({result_status: "ok"});
  });

  it("prints a table for people, with sources, dates and limitations below", async () => {
    const {printed} = await run("market", "price-by-county", "--zip", "73101", "--limit", "2");
    expect(printed).toMatch(
      /^Invented cattle of e-\w+ were sold\.\n\ncounty +miles to middle of county +confidence +source\n─+\nOklahoma County, OK +7.1 {2}medium/,
    );
    expect(printed).toMatch(
      /\nShown +1 to 2 of 4\nSources +.+\nReports +.+\nContext +.+\nDates +.+\nLimitations +/,
    );
  });

  it.each([
    [["--state", "oklahoma", "--class", "Steer"], {state: "OK", class: ["steers"]}],
    [
      ["--state", "New  Mexico", "--class", "cow-calf pairs,bred cow"],
      {state: "NM", class: ["bred_cows", "cow_calf_pairs"]},
    ],
    [
      ["--state", "ok", "--commodity", "feeder, dairy calf"],
      {state: "OK", commodity: ["feeder_cattle", "dairy_calves"]},
    ],
    [["--class", "Pair,bull"], {class: ["bulls", "cow_calf_pairs"]}],
  ])("understands %j as people say it", async (words, applied) => {
    const {printed} = await run("market", "price-by-state", ...words, "--json");
    expect(JSON.parse(printed).query.applied).toMatchObject(applied);
  });

  it("says which option an unknown one means, and leaves unknown words as they came", async () => {
    const told = async (...words: string[]) => (await run("market", ...words)).complaint;
    expect(await told("barns", "--latitude", "37")).toBe(
      "error: unknown option '--latitude'\n(Did you mean --lat?)\n",
    );
    expect(await told("price-by-county", "--near=67801")).toContain("(Did you mean --zip?)");
    expect(await told("barns", "--colour", "red")).not.toContain("mean");
    expect(await told("barns", "--venue", "Saguaro", "Pens")).toContain("(Put words with blanks in quotes");
    const {error} = await run("market", "price-by-state", "--class", "steerz", "--state", "Kansaz");
    expect(error?.message).toMatch(/"Kansaz".*\n.*"steerz"/);
  });

  it("ends with 2 and the problem for a malformed parameter", async () => {
    const {error} = await run("market", "price-by-state", "--state", "ZZ");
    expect([error?.exitCode, error?.message]).toEqual([2, expect.stringContaining('state  "ZZ" is not')]);
  });
});
