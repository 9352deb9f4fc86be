import {statSync} from "node:fs";
import {join} from "node:path";
import {Command} from "commander";
import {afterEach, beforeEach, expect, test, vi} from "vitest";
import {keyDigest, readKeys} from "../../../lib/keys/api-keys.ts";
import {keyCommands} from "../../../server/commands/key-commands.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

let data: string;
beforeEach(() => {
  data = join(temporaryFolder(), "not/yet/made");
  vi.stubEnv("CATTLE_DATA", data);
});
afterEach(() => vi.unstubAllEnvs());

/** Runs `cattle keys …` and gives what it printed. */
async function keys(...words: string[]): Promise<string> {
  const printed: string[] = [];
  const program = new Command().exitOverride();
  keyCommands(program, (text) => void printed.push(text));
  await program.parseAsync(["keys", ...words], {from: "user"});
  return printed.join("\n");
}

const [past, later, future] = ["2020", "2021", "2099"].map((year) => `${year}-01-01T00:00:00.000Z`);
const all = ["market", "parcel", "owner-search", "files"];

test.each<[string[], object, RegExp]>([
  [
    ["--label", "the desk", "--not-before", past!],
    {label: "the desk", scopes: all, notBefore: past, notAfter: null},
    /^key-[0-9a-f]{10} {2}valid {4}market,parcel,owner-search,files {2}2020-01-01T00:00:00\.000Z {2}no end {2}the desk$/,
  ],
  [
    ["--scope", "market", "--not-before", past!, "--not-after", later!],
    {label: "", scopes: ["market"], notAfter: later},
    /^key-[0-9a-f]{10} {2}ended {4}market {2}2020-01-01T00:00:00\.000Z {2}2021-01-01T00:00:00\.000Z {2}$/,
  ],
  [
    ["--not-before", future!],
    {scopes: all, notBefore: future},
    / {2}not yet {2}market,parcel,owner-search,files {2}2099-01-01T00:00:00\.000Z {2}no end {2}$/,
  ],
])("a key made with %j is stored so, and its line in the list says so", async (options, record, line) => {
  const made = await keys("create", ...options);
  const [stored] = readKeys(join(data, "keys.json"));
  expect(stored).toMatchObject({...record, sha256: keyDigest(made)});
  expect(await keys("list")).toMatch(line);
  const {sha256: _, ...shown} = stored!;
  expect(JSON.parse(await keys("list", "--json"))).toEqual([{...shown, state: expect.any(String)}]);
});

test("the first key makes the data folder, for its owner and group; each has a line of its own", async () => {
  const before = new Date().toISOString().slice(0, 19);
  for (const label of ["one", "two"]) await keys("create", "--label", label);
  expect(statSync(data).mode & 0o777).toBe(0o750);
  expect((await keys("list")).split("\n").map((line) => line.split("  ").at(-1))).toEqual(["one", "two"]);
  expect(readKeys(join(data, "keys.json"))[0]!.notBefore >= before).toBe(true);
});

test("a key that is ended says its id, and no other ends with it", async () => {
  for (const label of ["one", "two"]) await keys("create", "--label", label);
  const [one] = readKeys(join(data, "keys.json"));
  expect(await keys("revoke", one!.id)).toBe(`${one!.id} ended`);
  const states = JSON.parse(await keys("list", "--json")).map(({state}: {state: string}) => state);
  expect(states).toEqual(["ended", "valid"]);
});

test("without keys the list says how one is made, and makes nothing", async () => {
  await expect(keys("list")).rejects.toThrow('Make a key with "cattle keys create"');
  expect(() => statSync(data)).toThrow("ENOENT");
});
