import {spawn} from "node:child_process";
import {mkdirSync, readdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {Client} from "@modelcontextprotocol/client";
import {StdioClientTransport} from "@modelcontextprotocol/client/stdio";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {limitations} from "../../../lib/limitations.ts";
import {parcelLimitations} from "../../../lib/parcels/record/parcel-limitations.ts";
import {packageRoot} from "../../../lib/paths.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {openGeneration} from "../../../server/generation/open-generation.ts";
import {endpoints} from "../../../server/routes/routes.ts";
import {publish, writeBuild} from "../build-fixture.ts";
import {type TestServer, temporaryFolder, testServer} from "../server-fixture.ts";

const BUILD = "20261121-bbbbbb";
const folder = temporaryFolder();
let server: TestServer;
/** The same tools over the build and over a server of it. */
let clients: {build: Client; server: Client};

/** A table of two invented barns, and one without rows. */
async function writeTables(build: string): Promise<void> {
  const tables = join(build, "tables");
  mkdirSync(tables);
  const db = await openDatabase();
  const barns =
    "SELECT * FROM (VALUES ('tx-a', 'A', 33.1, -112.9), ('tx-b', NULL, 33.2, -112.8)) t(venue_id, venue_name, lat, lon)";
  await db.run(`COPY (${barns}) TO '${join(tables, "barns.parquet")}'`);
  db.close();
}

/** The library's own limit of a minute is too short for a process that starts on a busy machine. */
const patient = {timeout: 600_000};

async function openClient(environment: Record<string, string>): Promise<Client> {
  const client = new Client({name: "test", version: "1.0.0"});
  const {CATTLE_SERVER: _, ...inherited} = process.env as Record<string, string>;
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(packageRoot, "bin/cattle.js"), "mcp"],
      env: {...inherited, CATTLE_DATA: folder.path, ...environment},
    }),
    patient,
  );
  return client;
}

beforeAll(async () => {
  const build = await writeBuild(folder.path, BUILD, writeTables);
  publish(folder.path, BUILD);
  const openState = () => {
    throw new Error("no state is in this build");
  };
  const generation = await openGeneration(build, {openState, depth: "sizes"});
  // As the tools over the build do, the server tells the age of the build by the clock.
  server = await testServer({endpoints, generation: () => generation, now: () => new Date()});
  const keyFile = join(folder.path, "server.key");
  writeFileSync(keyFile, `${server.key}\n`);
  clients = {
    build: await openClient({}),
    server: await openClient({
      CATTLE_SERVER: `http://127.0.0.1:${server.port}/`,
      CATTLE_SERVER_KEY_FILE: keyFile,
    }),
  };
});
afterAll(async () => {
  for (const client of Object.values(clients ?? {})) await client.close();
  await server?.close();
  folder.remove();
});

/** Text and structured content of a call. */
async function call(client: Client, name: string, given: Record<string, unknown>) {
  const result = await client.callTool({name, arguments: given}, patient);
  const [first] = result.content;
  if (first?.type !== "text") throw new Error("a tool answers with a text");
  const short = result.structuredContent as {rows: Record<string, unknown>[]; total: number} | undefined;
  return {text: first.text, short, isError: result.isError === true, bytes: JSON.stringify(result).length};
}

describe("tools for agents", () => {
  it("are each read-only, with every argument described, no other taken, and their answers described", async () => {
    const {tools} = await clients.build.listTools();
    const overServer = (await clients.server.listTools()).tools.map(({name}) => name);
    expect(tools.map(({name}) => name)).toEqual([...overServer, "ask_sql"]);
    for (const {name, annotations, inputSchema, outputSchema} of tools) {
      expect(annotations?.readOnlyHint, name).toBe(true);
      expect(inputSchema.additionalProperties, name).toBe(false);
      expect(outputSchema?.type, name).toBe("object");
      for (const [argument, {description}] of Object.entries(argumentsOf(inputSchema)))
        expect(description, `${name} ${argument}`).toMatch(/\w/);
    }
  });

  it("are listed in at most 25 KB, with the type of each member that answers have", async () => {
    const {tools} = await clients.build.listTools();
    expect(JSON.stringify(tools).length).toBeLessThan(25 * 1024);
    const typesOf = (name: string) => {
      const {outputSchema = {}} = tools.find((tool) => tool.name === name)!;
      const {rows} = argumentsOf(outputSchema) as object as Record<string, {items: {properties: object}}>;
      return rows!.items.properties;
    };
    expect(typesOf("prices_near_zip")).toMatchObject({
      ...{price_avg: {type: "number"}, price_unit: {type: "string"}, head_count: {type: "integer"}},
      ...{sources: {type: "array", items: {type: "string"}}, history: {type: "array"}},
    });
    expect(typesOf("parcels_near")).toMatchObject({acres: {type: "number"}, vintage: {type: "string"}});
  });

  it("refuse every unknown name, wrong type and missing argument, with help", async () => {
    const {tools} = await clients.build.listTools();
    for (const {name, inputSchema} of tools) {
      const known = Object.entries(argumentsOf(inputSchema));
      const refusal = async (given: Record<string, unknown>) => {
        const {text, isError} = await call(clients.build, name, given);
        expect(isError, `${name} ${JSON.stringify(given)}`).toBe(true);
        return text;
      };
      const listed = known.map(([argument]) => argument).join(", ");
      expect(await refusal({nonsense: 1})).toContain('Unknown argument "nonsense"');
      expect(await refusal({nonsense: 1})).toContain(
        known.length === 0 ? "no arguments" : `It takes ${listed}.`,
      );
      for (const [argument, {type, description}] of known) {
        expect(await refusal({[argument]: {}})).toContain(`${argument} must be `);
        const wrong = type === "string" ? 5 : "five";
        expect(await refusal({[argument]: wrong})).toContain(`, not ${JSON.stringify(wrong)}`);
        expect(await refusal({[argument]: wrong})).toContain(description);
        const mistyped = `${argument}s`;
        expect(await refusal({[mistyped]: 1})).toMatch(
          new RegExp(`Unknown argument "${mistyped}"\\. Did you mean .*"${argument}"`),
        );
      }
      for (const required of inputSchema.required ?? [])
        expect(await refusal({})).toContain(`${required} is required: `);
    }
  });

  it("say which argument was meant by another word", async () => {
    for (const [name, given, meant] of [
      ["prices_near_zip", "near", "zip"],
      ["latest_sales", "latitude", "lat"],
      ["parcels_near", "lon", "longitude"],
      ["parcel_by_number", "apn", "parcelId"],
      ["parcel_by_address", "zip", "zipCode"],
      ["parcels_of_owner", "name", "owner"],
    ] as const) {
      const {text, isError} = await call(clients.build, name, {[given]: "x"});
      expect([isError, text], name).toEqual([
        true,
        expect.stringContaining(`Unknown argument "${given}". Did you mean "${meant}"?`),
      ]);
    }
  });

  it("answer with claims, a table, sources, dates and limitations, and the same as JSON", async () => {
    const {text, short} = await call(clients.build, "prices_near_zip", {zip: "73101"});
    const {body} = await httpAnswer("/price-by-county?zip=73101&limit=3");
    expect(text).toContain(`${body.evidence[0]?.claim}\n`);
    expect(text).toMatch(/^county\|miles to middle of county\|confidence\|source$/m);
    expect(text).toMatch(/^Sources: .+\nReports: .+\nContext: .+\nDates: .+\nLimitations: .+/m);
    expect(
      short?.rows.map(({cell_id, price_avg, evidence_id}) => ({cell_id, price_avg, evidence_id})),
    ).toEqual(body.records.map(({cell_id, price_avg, evidence_id}) => ({cell_id, price_avg, evidence_id})));
    expect(short?.total).toBe(body.page.total);
  });

  it("give the same answer over a server as over its build", async () => {
    for (const [name, given] of [
      ["prices_near_zip", {zip: "73101", limit: 2}],
      ["state_prices", {state: "OK"}],
      ["latest_sales", {lat: 35.4, lon: -97.6}],
      ["sale_barns", {}],
      ["licensed_dealers", {}],
      ["parcel_by_number", {parcelId: "48143-R1"}],
    ] as const) {
      expect(await call(clients.server, name, given), name).toEqual(await call(clients.build, name, given));
    }
  });

  it("say the way on where a question is wrong", async () => {
    const {text, isError} = await call(clients.build, "state_prices", {state: "Kansaz"});
    expect(isError).toBe(true);
    expect(text).toContain('state: "Kansaz" is not a two-letter state code');
  });

  it("refuse a line of 40 MB, and read the next one", async () => {
    const child = spawn(process.execPath, [join(packageRoot, "bin/cattle.js"), "mcp"], {
      env: {...process.env, CATTLE_DATA: folder.path},
      stdio: ["pipe", "pipe", "inherit"],
    });
    const replies = createInterface({input: child.stdout})[Symbol.asyncIterator]();
    child.stdin.write(`${"x".repeat(40_000_000)}\n`);
    child.stdin.write(`${JSON.stringify({jsonrpc: "2.0", id: 1, method: "ping"})}\n`);
    const reply = async () => JSON.parse((await replies.next()).value as string) as {id: number | null};
    const both = [await reply(), await reply()];
    child.stdin.end();
    expect(both).toMatchObject([{id: null, error: {code: -32_700}}, {id: 1}]);
  });

  it("say who does not answer where the server is not there", async () => {
    const client = await openClient({
      CATTLE_SERVER: "http://127.0.0.1:9",
      CATTLE_SERVER_KEY_FILE: join(folder.path, "server.key"),
    });
    const {text, isError} = await call(client, "licensed_dealers", {});
    expect([isError, text]).toEqual([true, expect.stringContaining("http://127.0.0.1:9 does not answer")]);
    await client.close();
  });
});

describe("the tool for SQL", () => {
  const ask = (sql: string, limit?: number) =>
    call(clients.build, "ask_sql", {sql, ...(limit === undefined ? {} : {limit})});

  it("answers a statement over the tables, with names and NULL, at most so many rows", async () => {
    const {text, short} = await ask("SELECT venue_id, venue_name FROM barns ORDER BY venue_id");
    expect(text).toBe(
      `venue_id|venue_name\n-|-\ntx-a|A\ntx-b|NULL\nShown: 2 rows\nBuild: ${BUILD}\nLimitations: ${limitations.L23} ${parcelLimitations.P01} ${limitations.L22}`,
    );
    expect(short).toMatchObject({
      columns: ["venue_id", "venue_name"],
      rows: [
        ["tx-a", "A"],
        ["tx-b", null],
      ],
      truncated: false,
    });
    expect((await ask("SELECT venue_id FROM barns ORDER BY 1", 1)).short).toMatchObject({
      rows: [["tx-a"]],
      truncated: true,
    });
    expect((await ask("SHOW TABLES")).short).toMatchObject({rows: [["barns"]]});
    expect((await ask("SELECT round(distance_mi(33.1, -112.9, lat, lon)) FROM barns")).isError).toBe(false);
  });

  it("cuts long cells, and ends where its rows have too many characters", async () => {
    const {short, bytes} = await ask("SELECT repeat('x', 100000) AS long, range AS n FROM range(1000)", 500);
    const row = short!.rows[0] as unknown as string[];
    expect([row[0]!.length, short]).toEqual([501, expect.objectContaining({truncated: true})]);
    expect(bytes).toBeLessThan(64_000);
  });

  it("refuses all that is no single statement over the tables, and writes no file", async () => {
    const beside = join(folder.path, "builds", BUILD, "tables");
    const before = readdirSync(beside);
    for (const sql of [
      `COPY barns TO '${join(beside, "out.csv")}'`,
      `COPY (SELECT 1) TO '${join(folder.path, "out.csv")}'`,
      `EXPORT DATABASE '${join(beside, "all")}'`,
      `ATTACH '${join(beside, "x.db")}'`,
      "INSTALL httpfs",
      "LOAD httpfs",
      "SET memory_limit = '90GB'",
      "RESET lock_configuration",
      "PRAGMA enable_profiling",
      "CREATE TABLE copied AS SELECT * FROM barns",
      "DROP VIEW barns",
      "CALL enable_logging('QueryLog')",
      "SELECT 1; SELECT 2",
      "SELECT 1; COPY barns TO '/tmp/x'",
      "",
      "SELECT * FROM read_csv('/etc/passwd')",
      "SELECT * FROM read_text('/etc/passwd')",
      "SELECT * FROM '/etc/passwd.csv'",
      "SELECT * FROM '/etc/hosts.parquet'",
      "SELECT * FROM glob('/etc/*')",
      "SELECT * FROM read_parquet('https://127.0.0.1:9/x.parquet')",
      "SELECT (SELECT count(*) FROM read_blob('/proc/self/environ'))",
      `SELECT * FROM enable_logging(storage = 'file', storage_path = '${join(beside, "log")}')`,
      `WITH w AS (FROM main."enable_logging"(storage = 'file', storage_path = '${join(beside, "log")}')) SELECT * FROM w`,
      `SELECT * FROM query('FROM enable_logging()')`,
      "SELECT * FROM query_table('/etc/passwd')",
      "FROM sniff_csv('/etc/passwd')",
      `FROM read_parquet('${join(beside, "barns.parquet")}')`,
      "SELECT nothing FROM barns",
      "SELEC 1",
    ]) {
      const {isError, text} = await ask(sql);
      expect([sql, isError, text.length > 10], text).toEqual([sql, true, true]);
    }
    expect(readdirSync(beside)).toEqual(before);
  });

  it("tells no path of this machine, and NaN and infinities by their names", async () => {
    for (const sql of [
      "SELECT sql FROM duckdb_views",
      "SELECT view_definition FROM information_schema.views",
      "SELECT sql FROM sqlite_master",
      "SELECT current_setting('allowed_directories')",
      "SELECT list(struct_pack(made_by := sql)) FROM duckdb_views",
      "SELECT CAST(sql AS INTEGER) FROM duckdb_views",
    ])
      expect([sql, (await ask(sql)).text]).toEqual([sql, expect.not.stringContaining(folder.path)]);
    for (const from of [
      "sqlite_master WHERE contains(sql, '/builds/')",
      "information_schema.views WHERE contains(view_definition, '/builds/')",
    ])
      expect((await ask(`SELECT count(*) FROM ${from}`)).short, from).toMatchObject({rows: [[0]]});
    for (const setting of [
      "SELECT reverse(current_setting('allowed_paths')::VARCHAR)",
      `SELECT 1 WHERE main."CURRENT_setting"('secret_directory') > ''`,
      `SELECT reverse(setting) FROM (FROM pg_catalog."PG_settings")`,
    ])
      expect((await ask(setting)).text, setting).toContain("only the tables can be read");
    const {short} = await ask("SELECT 'nan'::DOUBLE, 'inf'::DOUBLE, ['-inf'::FLOAT, 1]");
    expect(short).toMatchObject({rows: [["NaN", "Infinity", ["-Infinity", 1]]]});
  });

  const cross =
    "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000) c WHERE a.range + b.range = c.range";

  it("answers the next statement beside a slow one, and ends one that is cancelled", async () => {
    const cancelled = new AbortController();
    const request = {name: "ask_sql", arguments: {sql: cross}};
    const slow = clients.build.callTool(request, {signal: cancelled.signal}).then(
      () => "answered",
      () => "cancelled",
    );
    const first = await Promise.race([slow, ask("SELECT 1 AS one")]);
    expect(first).toMatchObject({short: {rows: [[1]]}});
    cancelled.abort();
    expect(await slow).toBe("cancelled");
    const both = await Promise.race([
      Promise.all([ask("SELECT 2 AS two"), ask("SELECT 3 AS three")]),
      new Promise((resolve) => setTimeout(resolve, 8_000, "blocked by the cancelled statement")),
    ]);
    expect(both).toMatchObject([{short: {rows: [[2]]}}, {short: {rows: [[3]]}}]);
  });

  it("ends a statement that takes too long or too much memory, and answers the next", async () => {
    expect(await ask(cross)).toMatchObject({isError: true, text: "the statement takes more than 10 s."});
    expect(await ask("SELECT list(range) FROM range(200000000)")).toMatchObject({
      isError: true,
      text: expect.stringContaining("Out of Memory"),
    });
    expect((await ask("SELECT 1 AS one")).short).toMatchObject({rows: [[1]]});
  });
});

/** The arguments of a tool by its schema. */
function argumentsOf({properties = {}}: {properties?: object | undefined; [member: string]: unknown}) {
  return properties as Record<string, {type: string; description: string}>;
}

type Body = {
  records: Record<string, unknown>[];
  evidence: {claim: string}[];
  page: {total: number};
};

async function httpAnswer(path: string): Promise<{body: Body}> {
  const reply = await server.get(path);
  return {body: JSON.parse(reply.text) as Body};
}
