import {join} from "node:path";
import {Command, CommanderError} from "commander";
import {afterEach, beforeEach, describe, expect, it, vi} from "vitest";
import {keyCommands} from "../../../server/commands/key-commands.ts";
import {questionCommands} from "../../../server/commands/question-commands.ts";
import {readKeys} from "../../../server/http/api-keys.ts";
import {marketEndpoints} from "../../../server/market/routes.ts";
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

async function run(...words: string[]): Promise<{printed: string; error: CommanderError | null}> {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const program = new Command().exitOverride().configureOutput({writeErr: () => {}});
  keyCommands(program, print);
  const openState = () => {
    throw new Error("no state is in these builds");
  };
  questionCommands(program, {endpoints: marketEndpoints, openState, print});
  for (const command of program.commands.flatMap((one) => [one, ...one.commands])) {
    command.exitOverride().configureOutput({writeErr: () => {}});
  }
  try {
    await program.parseAsync(words, {from: "user"});
    return {printed: printed.join("\n"), error: null};
  } catch (error) {
    if (error instanceof CommanderError) return {printed: printed.join("\n"), error};
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
      /^Invented cattle of e-\w+ were sold\.\n\ncounty +miles +confidence +source\n─+\nOklahoma County, OK +7.1 {2}medium/,
    );
    expect(printed).toMatch(/\nShown +1 to 2 of 4\nSources +.+\nDates +.+\nLimitations +/);
  });

  it("ends with 2 and the problem for a malformed parameter", async () => {
    const {error} = await run("market", "price-by-state", "--state", "ZZ");
    expect([error?.exitCode, error?.message]).toEqual([2, expect.stringContaining('state  "ZZ" is not')]);
  });
});
