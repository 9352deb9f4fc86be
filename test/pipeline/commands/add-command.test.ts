import {existsSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {basename, join} from "node:path";
import {Command} from "commander";
import {afterEach, beforeEach, describe, expect, test} from "vitest";
import {addCommand} from "../../../pipeline/commands/add-command.ts";
import {feedNames} from "../../../schemas/market-feed.ts";
import {keptOutput} from "../../kept-output.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

let folder: string;
let raw: string;
beforeEach(() => {
  folder = temporaryFolder();
  raw = join(folder, "raw");
});
afterEach(() => {
  process.exitCode = undefined;
});

/** Runs `cattle add`; returns its exit code and output. */
async function add(...words: string[]) {
  using written = keptOutput();
  const program = new Command().exitOverride();
  addCommand(program);
  await program.parseAsync(["add", "--raw", raw, ...words], {from: "user"});
  const {stdout, stderr} = written;
  return {code: process.exitCode, stdout, stderr};
}

function file(name: string, text = "any bytes"): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const metaOf = (place: string) => JSON.parse(readFileSync(join(raw, `${place}.meta.json`), "utf8"));
const named = ["--feed", "diesel"];
const given = "2026-11-20T00:00:00Z";

describe("the meta of a file", () => {
  test.each<[string[], object]>([
    [["--retrieved", "2026-11-20"], {retrieved_at: given}],
    [["--retrieved", "2026-11-20T05:30:00.750-06:00"], {retrieved_at: "2026-11-20T11:30:00Z"}],
    [
      ["--retrieved", "2026-11-20", "--url", "https://user:word@example.org:8443/a/b.csv?key=1#c"],
      {retrieved_at: given, url: "https://example.org:8443/a/b.csv"},
    ],
    [["--retrieved", "2026-11-20", "--complete"], {retrieved_at: given, complete: true}],
  ])("has what %j states", async (words, meta) => {
    const {code, stdout} = await add(...named, ...words, file("a.json"));
    expect([code, stdout]).toEqual([0, `${join(folder, "a.json")}: added as market/diesel/a.json\n`]);
    expect(metaOf("market/diesel/a.json")).toEqual({
      ...meta,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("without a time states that now is assumed", async () => {
    const before = new Date().toISOString().slice(0, 19);
    await add(...named, file("a.json"));
    const {retrieved_at: at, assumed} = metaOf("market/diesel/a.json");
    expect([assumed, at >= before, at.length]).toEqual([true, true, 20]);
  });

  test("extends the one beside the file, which options override", async () => {
    const path = file("a.json");
    file("a.json.meta.json", JSON.stringify({retrieved_at: given, url: "https://example.org/a"}));
    await add(...named, path, `${path}.meta.json`);
    expect(metaOf("market/diesel/a.json")).toMatchObject({retrieved_at: given, url: "https://example.org/a"});
    expect(metaOf("market/diesel/a.json")).not.toHaveProperty("assumed");
    await add("--feed", "futures", "--url", "http://example.org/b", "--retrieved", "2026-11-21", path);
    expect(metaOf("market/futures/a.json")).toMatchObject({
      ...{retrieved_at: "2026-11-21T00:00:00Z", url: "http://example.org/b"},
    });
  });

  test("of an entry names its source", async () => {
    await add("--entry", "us-tx-stratmap", file("lots.csv"));
    expect(metaOf("parcels/us-tx-stratmap/lots.csv")).toMatchObject({source_id: "us-tx-stratmap"});
    await add(...named, file("a.json"));
    expect(metaOf("market/diesel/a.json")).not.toHaveProperty("source_id");
  });

  test.each([
    ["--retrieved", "yesterday", "is not a time"],
    ["--retrieved", "2026-13-01", "is not a time"],
    ["--retrieved", "20 Nov 2026", "is not a time"],
    ["--url", "ftp://example.org/a", "is not a web address"],
    ["--url", "example.org/a", "is not a web address"],
  ])("takes no %s %s", async (option, value, reason) => {
    const {code, stdout, stderr} = await add(...named, option, value, file("a.json"));
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      `${option}: ${JSON.stringify(value)} ${reason}${option === "--url" ? "." : " (expected YYYY-MM-DD or an instant)."}\n`,
    ]);
    expect(existsSync(raw)).toBe(false);
  });
});

describe("what is refused as a whole", () => {
  test.each<[string[], string]>([
    [["--feed", "diesel", "--entry", "us-tx-stratmap"], "exclude each other"],
    [["--entry", "us-tx-stratmap", "--list", "sale-barn-roster"], "exclude each other"],
    [["--feed", "cows"], `no market feed is named "cows"`],
    [["--feed", "cows"], `\n  ${feedNames.at(-1)}`],
    [["--entry", "us-zz-none"], "no entry data/sources/parcels/us-zz-none.json"],
    [["--list", "no-such-map"], "the maps are"],
  ])("%j: %s", async (words, reason) => {
    await expect(add(...words, file("a.json"))).rejects.toThrow(reason);
    expect(existsSync(raw)).toBe(false);
  });

  test("--as with two files, because it names one", async () => {
    await expect(add(...named, "--as", "b.json", file("a.json"), file("c.json"))).rejects.toThrow(
      "--as names one",
    );
    const {stdout} = await add(...named, "--as", "b.json", file("a.json"));
    expect(stdout).toContain("added as market/diesel/b.json");
  });
});

test.each([
  ["absent.json", "no such file."],
  ["folder", "a folder; give the files in it."],
  ["empty.json", "the file is empty."],
])("%s is told: %s", async (name, reason) => {
  mkdirSync(join(folder, "folder"));
  file("empty.json", "");
  const path = join(folder, name);
  const {code, stdout, stderr} = await add(...named, path);
  expect([code, stdout, stderr]).toEqual([1, "", `${path}: ${reason}\n`]);
});

test("reports a file that exists already, and fails only the file whose name has other bytes", async () => {
  const path = file("a.json");
  await add(...named, path);
  expect(await add(...named, path)).toMatchObject({
    code: 0,
    stdout: `${path}: already exists, as market/diesel/a.json\n`,
  });
  const all = await add(...named, file("a.json", "other bytes"), file("b.json", "more bytes"));
  expect(all.code).toBe(3);
  expect(all.stdout).toBe(`${join(folder, "b.json")}: added as market/diesel/b.json\n`);
  expect(all.stderr).toContain("market/diesel/a.json: already exists with other bytes");
});

test("--dry-run says where files belong, and does nothing", async () => {
  const path = file("a.json");
  expect(await add("--dry-run", ...named, path)).toMatchObject({
    ...{code: 0, stdout: `${path}: belongs in market/diesel/\n`, stderr: ""},
  });
  expect(existsSync(raw)).toBe(false);
});

test("prints only JSON with folder, places and faults", async () => {
  const [good, bad] = [file("a.json"), join(folder, "absent.json")];
  const {code, stdout, stderr} = await add("--json", ...named, good, bad);
  expect([code, stderr]).toEqual([3, ""]);
  expect(JSON.parse(stdout)).toEqual([
    {
      ...{file: good, folder: "market/diesel", fault: null},
      placed: [{path: `market/diesel/${basename(good)}`, outcome: "added"}],
    },
    {file: bad, folder: null, placed: [], fault: `${bad}: no such file.`},
  ]);
  expect(JSON.parse((await add("--json", "--dry-run", ...named, good)).stdout)).toEqual([
    {file: good, folder: "market/diesel", placed: [], fault: null},
  ]);
});
