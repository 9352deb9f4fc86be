import {readdir, readFile, rm, symlink, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test, vi} from "vitest";
import {ownIdentity} from "../../../lib/process/process-identity.ts";
import {main} from "../../../pipeline/cli.ts";
import {build} from "../../../pipeline/publish/build.ts";
import {makeWorkshop, parcels, type Workshop} from "../publish/workshop.ts";

let shop: Workshop;
let out: string;
let errors: string;
beforeEach(async () => {
  shop = await makeWorkshop();
  out = "";
  errors = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    errors += text;
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  await shop.remove();
});

async function published(): Promise<string> {
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 20));
  await shop.put("market/mars/a.csv", "mars,2026-08-20,250\n");
  return (await build(shop.options())).buildId;
}

const run = (...argv: string[]) => main([...argv, "--out", shop.data.root]);

test("exits with 2 for wrong usage, 78 for wrong configuration, 1 for a fault, 0 for help", async () => {
  expect(await main(["no-such-command"])).toBe(2);
  expect(await main(["build", "--no-such-flag"])).toBe(2);
  vi.stubEnv("CATTLE_NONSENSE", "1");
  expect(await main(["status"])).toBe(78);
  expect(errors).toContain("CATTLE_NONSENSE: no such setting");
  vi.unstubAllEnvs();
  expect(await run("status")).toBe(1);
  expect(errors).toContain(`nothing is published. Run "cattle build".`);
  expect(await main(["--help"])).toBe(0);
});

test("ends with 2 for an argument that cannot be meant, and says the way on", async () => {
  const wrong: [words: string[], wayOn: string][] = [
    [["build", "--raw", join(shop.raw, "no")], '"cattle sample --to '],
    [["build", "--raw", shop.raw, "--state", "ZZ"], "the two-letter code of a state"],
    [["build", "--raw", shop.raw, "--state", "NV"], "no raw files of this state"],
    [["build", "--raw", shop.raw, "--part", join(shop.raw, "part")], "add --state XX"],
    [["publish", "nope"], "expected 20261121-3f9c1a"],
    [["rollback", "nope"], "expected 20261121-3f9c1a"],
    [["assemble", "nope"], '"cattle build --part" made'],
    [["delta", "cat", "nope"], '"cattle delta ls" lists them'],
  ];
  for (const [words, wayOn] of wrong) {
    errors = "";
    expect([await run(...words), errors], words.join(" ")).toEqual([2, expect.stringContaining(wayOn)]);
  }
  expect(await main(["sources", "check", "nope.json"])).toBe(2);
  expect(errors).toContain("nope.json: no such file; expected an entry or a data file");
});

test("refuses an acceptance without a reason, one that names no gate, and a text that is not a date", async () => {
  expect(await run("build", "--accept", "TX:rows")).toBe(2);
  expect(await run("build", "--accept", "rows", "--reason", "x")).toBe(2);
  expect(await run("build", "--as-of", "2026-02-30")).toBe(2);
  expect(errors.split("\n")).toEqual([
    "--accept needs --reason: say why.",
    '--accept: "rows" is not STATE:GATE (such as TX:rows).',
    '--as-of: "2026-02-30" is no date (expected YYYY-MM-DD).',
    "",
  ]);
});

test("verify says what is sound and exits with 1 where something is not", async () => {
  const id = await published();
  expect(await run("verify")).toBe(0);
  expect(out).toMatch(new RegExp(`^${id}: \\d+ files as the manifest says\n$`));
  await writeFile(join(shop.data.builds, id, "left-over"), "");
  out = "";
  expect(await run("verify", "--json")).toBe(1);
  expect(JSON.parse(out)).toEqual({
    verified: id,
    faults: [{path: "left-over", fault: "is not in the manifest"}],
  });
});

test("status tells coverage, freshness and what is not as it should be", async () => {
  const id = await published();
  expect(await run("status", "--json")).toBe(0);
  const status = JSON.parse(out);
  expect(status).toMatchObject({build_id: id, sample: false, held_back: [], unread_files: [], delta: null});
  expect(status.coverage.find(({state}: {state: string}) => state === "AZ")).toMatchObject({
    rows: 20,
    coverage: "live",
  });
});

test("status of one state tells rows, attributes, vintage and terms of each county", async () => {
  await published();
  expect(await run("status", "--state", "az", "--json")).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    state: "AZ",
    coverage: "live",
    rows: 20,
    sources: [
      {id: "us-az-one", licence: "CC0-1.0", terms: {store: true, redistributeOwners: false, bulk: true}},
    ],
    counties: [{county_key: "04013", rows: 20}],
  });
  out = "";
  expect(await run("status", "--state", "AZ")).toBe(0);
  expect(out).toMatch(/04013 +COUNTY 04013 +live +20/);
  expect(out).toMatch(/us-az-one +CC0-1\.0 +yes +no +yes/);
  expect(await run("status", "--state", "NV")).toBe(2);
  expect(errors).toContain("no rows of NV in this build; it has AZ");
});

test("sql asks the published files, with the state as a column", async () => {
  await published();
  expect(await run("sql", "SELECT state, count(*) AS n FROM parcels GROUP BY state", "--json")).toBe(0);
  expect(JSON.parse(out)).toEqual([{state: "AZ", n: 20}]);
  expect(await run("sql", "SELECT nonsense")).toBe(1);
  expect(errors).toContain("nonsense");
});

test("publish and rollback move the published build", async () => {
  const first = await published();
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 21));
  const second = (await build(shop.options())).buildId;
  expect(await run("rollback")).toBe(0);
  expect(await run("publish", second)).toBe(0);
  expect(out).toBe(`published ${first}\npublished ${second}\n`);
  expect(await run("publish", "20260101-000000")).toBe(2);
  expect(errors).toContain(`there are ${[first, second].sort().join(", ")}.`);
});

test("gc prints its plan and removes nothing with --dry-run", async () => {
  const id = await published();
  expect(await run("gc", "--dry-run")).toBe(0);
  expect(out).toBe(`keep    ${id}  published\n`);
});

test("sample writes the same bytes for the same day, and never over other files", async () => {
  const to = join(shop.root, "sample");
  expect(await main(["sample", "--to", to, "--as-of", "2026-08-23"])).toBe(0);
  const path = join(to, "market/mars/sample-detail.json");
  const first = await readFile(path, "utf8");
  expect(await main(["sample", "--to", to, "--as-of", "2026-08-23"])).toBe(0);
  expect(await readFile(path, "utf8")).toBe(first);
  expect(await main(["sample", "--to", shop.raw])).toBe(0);
  await shop.put("market/mars/real.json", "[]");
  await writeFile(join(shop.raw, "README.md"), "mine");
  expect(await main(["sample", "--to", shop.raw])).toBe(1);
  expect(await readdir(join(shop.raw, "market/mars"))).toContain("real.json");
});

test("doctor finds the machine sound", async () => {
  await published();
  vi.stubEnv("CATTLE_ALLOW_NETWORK_FS", "1");
  expect(await run("doctor"), out).toBe(0);
  expect(out).toContain("ok    memory mapping: ");
  expect(out).toContain("ok    build lock: free\n");
});

test.each(["absent", "dangling"])(
  "doctor and status name a current that is %s, and the build that cures it",
  async (kind) => {
    const id = await published();
    await rm(shop.data.current);
    if (kind === "dangling") await symlink("builds/20260801-aaaaaa", shop.data.current);
    vi.stubEnv("CATTLE_ALLOW_NETWORK_FS", "1");
    expect([await run("doctor"), await run("status")]).toEqual([1, 1]);
    const told =
      kind === "absent" ? "nothing is published" : "leads to builds/20260801-aaaaaa, which is no build";
    for (const text of [out, errors]) {
      expect(text).toContain(`${shop.data.current}: ${told}`);
      expect(text).toContain(`run "cattle publish ${id}"`);
    }
  },
);

test("doctor and status name a lock and a lease that cannot be read, and a file of the build that is gone", async () => {
  const id = await published();
  await rm(join(shop.data.builds, id, "serving/parcels/AZ"), {recursive: true});
  for (const name of ["build.lock", "1-a.lease.json"]) await writeFile(join(shop.data.run, name), "");
  vi.stubEnv("CATTLE_ALLOW_NETWORK_FS", "1");
  expect(await run("doctor")).toBe(1);
  process.exitCode = undefined;
  expect(await run("status")).toBe(0);
  for (const text of [
    /FAIL {2}published build: .*serving\/parcels\/AZ\/[a-z_]+\.\w+: is missing/,
    /FAIL {2}build lock: its owner cannot be read \(empty\)/,
    /FAIL {2}leases: .*run\/1-a\.lease\.json cannot be read \(empty\)/,
    /^damaged: serving\/parcels\/AZ\/[a-z_]+\.\w+: is missing$/m,
    /^build lock: its owner cannot be read/m,
    /^leases: .*1-a\.lease\.json cannot be read/m,
  ]) {
    expect(out).toMatch(text);
  }
});

test("doctor says who holds the build lock, and that a dead holder is in nobody's way", async () => {
  await published();
  vi.stubEnv("CATTLE_ALLOW_NETWORK_FS", "1");
  const lock = join(shop.data.run, "build.lock");
  for (const [startTicks, told] of [
    [ownIdentity().startTicks, `held by process ${process.pid} on `],
    ["1", "the next command takes it over"],
  ] as const) {
    await writeFile(lock, JSON.stringify({...ownIdentity(), startTicks}));
    expect(await run("doctor"), out).toBe(0);
    expect(out).toContain(told);
  }
});
