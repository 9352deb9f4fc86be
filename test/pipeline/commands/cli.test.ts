import {chmod, mkdir, readdir, readFile, rm, symlink, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import {DatabaseSync} from "node:sqlite";
import {ownIdentity} from "@open-cattle/safe-files";
import {afterEach, beforeEach, expect, test, vi} from "vitest";
import {lockBuild} from "../../../lib/process/run-folder.ts";
import {healthAfter, writeLayerHealth} from "../../../lib/registry/layer-health-files.ts";
import {main} from "../../../pipeline/cli.ts";
import {build} from "../../../pipeline/publish/build.ts";
import {pointCurrentTo} from "../../../pipeline/publish/publish.ts";
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
  expect(errors).toContain("CATTLE_NONSENSE: no such setting; ");
  vi.unstubAllEnvs();
  expect(await run("status")).toBe(1);
  expect(errors).toContain(
    `nothing is published. The sample is in data/demo (CATTLE_DATA=data/demo); for real data run "cattle nightly".`,
  );
  expect(await main(["--help"])).toBe(0);
});

test("exits with 2 for a nonsensical argument, and says what to do", async () => {
  const wrong: [words: string[], nextSteps: string][] = [
    [["build", "--raw", join(shop.raw, "no")], '"cattle sample --to '],
    [["build", "--raw", shop.raw, "--state", "ZZ"], "neither code nor name of a state"],
    [["build", "--raw", shop.raw, "--state", "NV"], "no raw files of this state"],
    [["build", "--raw", shop.raw, "--part", join(shop.raw, "part")], "add --state XX"],
    [["publish", "nope"], "expected 20261121-3f9c1a"],
    [["rollback", "nope"], "expected 20261121-3f9c1a"],
    [["assemble", "nope"], '"cattle build --part" made'],
    [["delta", "cat", "nope"], '"cattle delta ls" lists them'],
  ];
  for (const [words, nextSteps] of wrong) {
    errors = "";
    expect([await run(...words), errors], words.join(" ")).toEqual([2, expect.stringContaining(nextSteps)]);
  }
  expect(await main(["sources", "check", "nope.json"])).toBe(2);
  expect(errors).toContain("nope.json: no such file; expected an entry or a data file");
  expect(await run("fetch", "--source", "nope", "--dry-run")).toBe(2);
  expect(await main(["sample", "--to", join(shop.raw, "sample"), "--as-of", "soon"])).toBe(2);
  expect(errors).toMatch(/"cattle sources ls" lists them\.[\s\S]*"soon" is not a date/);
});

test("an unknown command or option is told in a line, and the next one says where the known ones stand", async () => {
  expect(await main(["frobnicate"])).toBe(2);
  expect(await main(["delta", "ls", "--frob"])).toBe(2);
  expect(errors).toBe(
    `error: unknown command 'frobnicate'\nSee "cattle --help".\nerror: unknown option '--frob'\nSee "cattle delta ls --help".\n`,
  );
});

test("refuses an acceptance without a reason, one that names no gate, and a text that is not a date", async () => {
  expect(await run("build", "--accept", "TX:rows")).toBe(2);
  expect(await run("build", "--accept", "rows", "--reason", "x")).toBe(2);
  expect(await run("build", "--as-of", "2026-02-30")).toBe(2);
  expect(errors.split("\n")).toEqual([
    "--accept needs --reason: say why.",
    '--accept: "rows" is not STATE:GATE (such as TX:rows).',
    '--as-of: "2026-02-30" is not a date (expected YYYY-MM-DD).',
    "",
  ]);
});

test("verify lists what is intact, and exits with 1 if something is not", async () => {
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

test("status counts the county layers that failed when they were last asked, by how", async () => {
  await published();
  const at = new Date().toISOString();
  const marks = ["gone", "token", "gone", "good", "no paging"] as const;
  const layers = marks.map((mark, i) => [`us-tx-layer-${i}`, healthAfter(undefined, {mark, at})] as const);
  await writeLayerHealth(shop.data, 0, new Map(layers));
  expect(await run("status")).toBe(0);
  expect(out).toContain("county layers that failed when last asked: 2 gone, 1 token (cattle sources ls)\n");
  out = "";
  expect(await run("status", "--json")).toBe(0);
  expect(JSON.parse(out)).toMatchObject({failed_layers: {gone: 2, token: 1}});
});

test("status shows coverage, freshness and anything that is wrong", async () => {
  const id = await published();
  expect(await run("status", "--json")).toBe(0);
  const status = JSON.parse(out);
  expect(status).toMatchObject({build_id: id, sample: false, held_back: [], unread_files: [], delta: null});
  expect(status.coverage.find(({state}: {state: string}) => state === "AZ")).toMatchObject({
    rows: 20,
    coverage: "live",
  });
});

test("status of one state shows rows, attributes, vintage and terms of each county", async () => {
  await published();
  expect(await run("status", "--state", "az", "--json")).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    state: "AZ",
    coverage: "live",
    rows: 20,
    sources: [
      {id: "us-az-one", licence: "CC0-1.0", terms: {store: true, redistributeOwners: true, bulk: true}},
    ],
    counties: [{county_key: "04013", rows: 20}],
  });
  out = "";
  expect(await run("status", "--state", "AZ")).toBe(0);
  expect(out).toMatch(/04013 +COUNTY 04013 +live +20/);
  expect(out).toMatch(/us-az-one +CC0-1\.0 +yes +yes +yes/);
  expect(out).toMatch(
    /missing for live:[\s\S]*us-az-statewide +its publisher states no terms.*cattle add --entry us-az-statewide --complete FILE/,
  );
  out = "";
  expect(await run("status", "--state", "NV")).toBe(0);
  expect(out).toMatch(/NV {2}planned/);
  expect(out).toMatch(
    /us-nv-statewide +its terms do not allow to take the whole.*cattle add --entry us-nv-statewide/,
  );
  out = "";
  expect(await run("status", "--state", "AR")).toBe(0);
  expect(out).toMatch(/us-ar-statewide +never pulled.*cattle fetch --source us-ar-statewide/);
  out = "";
  expect(await run("status", "--state", "GA")).toBe(0);
  expect(out).toMatch(
    /us-ga-counties +none is settled.*cattle sources add FILE --county KEY --id us-ga-PLACE --write/,
  );
  expect(await run("status", "--state", "ZZ")).toBe(2);
  expect(errors).toContain('"ZZ" is neither code nor name of a state');
});

test("sql asks the published files, with the state as a column", async () => {
  await published();
  expect(await run("sql", "SELECT state, count(*) AS n FROM parcels GROUP BY state", "--json")).toBe(0);
  expect(JSON.parse(out)).toEqual([{state: "AZ", n: 20}]);
  expect(await run("sql", "SELECT nonsense")).toBe(1);
  expect(errors).toContain("nonsense");
});

test("sql streams: a result of 200,000 rows is printed whole as a table, as CSV and as JSON, and cut by --limit", async () => {
  await published();
  const many = "SELECT i, 'a \"b\", c' AS said, [i, 2] AS list FROM range(200000) t(i)";
  const printed = async (...flags: string[]) => {
    out = "";
    expect(await run("sql", many, ...flags)).toBe(0);
    return out;
  };
  expect(await printed()).toMatch(/\n199999 .*\n200,000 rows\n$/);
  expect(JSON.parse(await printed("--json"))).toHaveLength(200_000);
  const csv = await printed("--csv");
  expect(csv.split("\n").slice(0, 2)).toEqual(["i,said,list", '0,"a ""b"", c","[0,2]"']);
  expect(csv.trimEnd().split("\n")).toHaveLength(200_001);
  expect(await printed("--csv", "--limit", "2")).toBe(csv.split("\n").slice(0, 3).join("\n").concat("\n"));
  expect(await printed("--limit", "3")).toContain("3 rows; there are more");
  expect(JSON.parse(await printed("--json", "--limit", "0"))).toEqual([]);
  expect(await run("sql", many, "--csv", "--json")).toBe(2);
});

test("sql cuts a table to the terminal and says so", async () => {
  await published();
  const terminal = process.stdout as {isTTY?: boolean; columns?: number};
  const {isTTY, columns} = terminal;
  Object.assign(terminal, {isTTY: true, columns: 60});
  expect(await run("sql", "SELECT i, repeat('x', 100) AS wide FROM range(5000) t(i)")).toBe(0);
  Object.assign(terminal, {isTTY, columns});
  const lines = out.trimEnd().split("\n");
  expect(lines).toHaveLength(42);
  expect(Math.max(...lines.slice(0, 41).map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(lines.at(-1)).toBe("40 rows; there are more: --limit N, --csv or --json");
});

test("sql shows numbers flush right and NULL as such, and tells the columns that a terminal has no room for", async () => {
  await published();
  const query =
    "SELECT * FROM (VALUES (7, 'a', NULL::VARCHAR, 1.5), (1200, 'bb', 'x', NULL)) t(head, city, note, price)";
  expect(await run("sql", query)).toBe(0);
  expect(out).toBe("head  city  note  price\n   7  a     NULL    1.5\n1200  bb    x      NULL\n2 rows\n");
  out = "";
  expect(await run("sql", query, "--csv")).toBe(0);
  expect(out).toContain("7,a,,1.5\n");
  out = "";
  const terminal = process.stdout as {isTTY?: boolean; columns?: number};
  const {isTTY, columns} = terminal;
  Object.assign(terminal, {isTTY: true, columns: 11});
  expect(await run("sql", query)).toBe(0);
  Object.assign(terminal, {isTTY, columns});
  expect(out).toBe(
    "head  city\n   7  a\n1200  bb\n2 rows\n2 columns left out: note, price; select fewer, or --csv or --json\n",
  );
});

test("sql without a statement says what to do, and COPY names the file that it wrote", async () => {
  await published();
  for (const nothing of ["", " ; ", "\n-- a note", "/* one\ntwo */ ;\n"]) {
    errors = "";
    expect(await run("sql", nothing)).toBe(2);
    expect(errors).toContain('Try cattle sql "SELECT');
  }
  const to = join(shop.root, "it's.csv");
  const copy = `COPY (SELECT state, 'to ''x' AS said FROM parcels) TO '${to.replaceAll("'", "''")}' (FORMAT csv)`;
  expect(await run("sql", copy)).toBe(0);
  expect(out).toBe(`${to}: 20 rows\n`);
  expect((await readFile(to, "utf8")).split("\n")).toHaveLength(22);
});

test("sql has views of daily questions over the tables that the build has", async () => {
  await published();
  expect(await run("sql", "SELECT state, county_key, parcels FROM coverage", "--json")).toBe(0);
  expect(JSON.parse(out)).toEqual([{state: "AZ", county_key: "04013", parcels: 20}]);
  out = "";
  expect(await run("sql", "SELECT round(distance_mi(0, 0, 0, 1), 4) AS mi", "--json")).toBe(0);
  expect(JSON.parse(out)).toEqual([{mi: 69.0934}]);
});

test("export writes the parcels of a state as CSV, and refuses an existing file and a missing state", async () => {
  const id = await published();
  const to = join(shop.root, "az.csv");
  expect(await run("export", "--state", "az", "--format", "csv", "--to", to)).toBe(0);
  expect(out).toBe(`${to}: 20 parcels of AZ, build ${id}\n`);
  const lines = (await readFile(to, "utf8")).trimEnd().split("\n");
  expect([lines.length, lines[0]!.startsWith("parcel_uid,country,county_key")]).toEqual([21, true]);
  expect(await run("export", "--state", "AZ", "--format", "csv", "--to", to)).toBe(1);
  expect(await run("export", "--state", "NV", "--format", "csv", "--to", `${to}2`)).toBe(1);
  expect(errors).toContain("NV: the build has no parcels of this state.");
  expect(await run("export", "--state", "AZ", "--format", "dxf")).toBe(2);
  expect(await run("export", "--state", "AZ", "--format", "csv", "--layer", "boundaries")).toBe(2);
});

test("export writes a GeoPackage whose points are those of the table", async () => {
  await published();
  const to = join(shop.root, "az.gpkg");
  expect(await run("export", "--state", "Arizona", "--format", "gpkg", "--to", to)).toBe(0);
  const file = new DatabaseSync(to, {readOnly: true});
  expect(file.prepare("PRAGMA application_id").get()).toEqual({application_id: 0x47504b47});
  expect(
    file.prepare("SELECT table_name, geometry_type_name, srs_id FROM gpkg_geometry_columns").all(),
  ).toEqual([{table_name: "parcels", geometry_type_name: "POINT", srs_id: 4326}]);
  const rows = file.prepare("SELECT geom, lon, lat FROM parcels").all() as {
    geom: Uint8Array;
    lon: number;
    lat: number;
  }[];
  expect(rows).toHaveLength(20);
  for (const {geom, lon, lat} of rows) {
    const bytes = Buffer.from(geom);
    expect([bytes.toString("latin1", 0, 2), bytes.readDoubleLE(13), bytes.readDoubleLE(21)]).toEqual([
      "GP",
      lon,
      lat,
    ]);
  }
  file.close();
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

test("gc ends while a build is at work, names it, and with --wait runs when the build has ended", async () => {
  const id = await published();
  const release = await lockBuild(shop.data);
  expect(await run("gc")).toBe(1);
  expect(errors).toContain(`held by process ${process.pid}`);
  vi.mocked(process.stderr.write).mockImplementation((text) => {
    errors += text;
    // The build ends only after gc has said that it waits.
    if (String(text).startsWith("waiting: ")) void release().then(() => (out += "the build has ended\n"));
    return true;
  });
  expect(await run("gc", "--wait")).toBe(0);
  expect(errors).toMatch(/^waiting: .*held by process/m);
  expect(out).toBe(`the build has ended\nkeep    ${id}  published\n`);
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

test("doctor finds nothing wrong on the machine", async () => {
  await published();
  vi.stubEnv("CATTLE_ALLOW_NETWORK_FS", "1");
  expect(await run("doctor"), out).toBe(0);
  expect(out).toContain("ok    memory mapping: ");
  expect(out).toContain("ok    build lock: free\n");
});

test("doctor names a key file that others can read, one that is damaged, and one that is not a file", async () => {
  await published();
  vi.stubEnv("CATTLE_ALLOW_NETWORK_FS", "1");
  const keys = join(shop.data.root, "keys.json");
  await writeFile(keys, "[]", {mode: 0o644});
  expect([await run("doctor"), out]).toEqual([
    1,
    expect.stringMatching(/FAIL {2}keys: \S+keys\.json has mode 0644/),
  ]);
  await writeFile(keys, "[{");
  expect([await run("doctor"), out]).toEqual([
    1,
    expect.stringMatching(/FAIL {2}keys: \S+keys\.json: not readable as JSON/),
  ]);
  await rm(keys);
  await mkdir(keys);
  expect([await run("doctor"), out]).toEqual([
    1,
    expect.stringMatching(/FAIL {2}keys: \S+keys\.json: expected a file, got a folder/),
  ]);
});

test("doctor names what is another user's and cannot be read, and the cure", async () => {
  const dir = join(shop.data.builds, await published());
  vi.stubEnv("CATTLE_ALLOW_NETWORK_FS", "1");
  await chmod(dirname(shop.data.root), 0o755);
  for (const path of [shop.data.root, shop.data.builds]) await chmod(path, 0o755);
  await chmod(dir, 0);
  const nobody = 65_534;
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(nobody);
  try {
    expect([await run("doctor"), out]).toEqual([
      1,
      expect.stringMatching(/FAIL {2}rights: \S+ is of user \d+ and cannot be read, .*: chown -R -h \d+ /),
    ]);
  } finally {
    if (isRoot) process.seteuid?.(0);
    await chmod(dir, 0o750);
  }
});

test("doctor says that servers store no discoveries while the clock is behind the build", async () => {
  await published();
  vi.stubEnv("CATTLE_ALLOW_NETWORK_FS", "1");
  vi.useFakeTimers({now: new Date("2025-01-01T00:00:00Z"), toFake: ["Date"]});
  try {
    expect([await run("doctor"), out]).toEqual([
      1,
      expect.stringMatching(
        /FAIL {2}clock: the clock shows 2025-01-01T00:00:00.000Z, and the build was made at/,
      ),
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ["absent", "nothing is published"],
  ["dangling", "leads to builds/20260801-aaaaaa, which is not a build"],
  ["a folder", "no link to a build"],
])("doctor and status name a current that is %s, and the build that cures it", async (kind, told) => {
  const id = await published();
  await rm(shop.data.current);
  if (kind === "dangling") await symlink("builds/20260801-aaaaaa", shop.data.current);
  if (kind === "a folder") await mkdir(shop.data.current);
  vi.stubEnv("CATTLE_ALLOW_NETWORK_FS", "1");
  expect([await run("doctor"), await run("status")]).toEqual([1, 1]);
  for (const text of [out, errors]) {
    expect(text).toContain(`${shop.data.current}: ${told}`);
    expect(text).toContain(`run "cattle publish ${id}"`);
  }
  if (kind === "a folder") await expect(pointCurrentTo(shop.data, id)).rejects.toThrow("no link to a build");
});

test("doctor and status name an unreadable lock and lease, and a missing file of the build", async () => {
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

test("doctor says who holds the build lock, and that a dead holder blocks nobody", async () => {
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
