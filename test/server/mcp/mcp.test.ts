import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {Client} from "@modelcontextprotocol/client";
import {StdioClientTransport} from "@modelcontextprotocol/client/stdio";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {packageRoot} from "../../../lib/paths.ts";
import {openGeneration} from "../../../server/generation/open-generation.ts";
import {endpoints} from "../../../server/http/routes.ts";
import {publish, writeBuild} from "../build-fixture.ts";
import {type TestServer, temporaryFolder, testServer} from "../server-fixture.ts";

const BUILD = "20261121-bbbbbb";
const folder = temporaryFolder();
let server: TestServer;
/** The same tools over the build and over a server of it. */
let clients: {build: Client; server: Client};

async function openClient(environment: Record<string, string>): Promise<Client> {
  const client = new Client({name: "test", version: "1.0.0"});
  const {CATTLE_SERVER: _, ...inherited} = process.env as Record<string, string>;
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(packageRoot, "bin/cattle.js"), "mcp"],
      env: {...inherited, CATTLE_DATA: folder.path, ...environment},
    }),
  );
  return client;
}

beforeAll(async () => {
  const build = await writeBuild(folder.path, BUILD);
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
  const result = await client.callTool({name, arguments: given});
  const [first] = result.content;
  if (first?.type !== "text") throw new Error("a tool answers with a text");
  const short = result.structuredContent as {rows: Record<string, unknown>[]; total: number} | undefined;
  return {text: first.text, short, isError: result.isError === true, bytes: JSON.stringify(result).length};
}

describe("tools for agents", () => {
  it("are nine, each read-only, with every parameter described", async () => {
    const {tools} = await clients.build.listTools();
    expect(tools.map(({name}) => name)).toEqual([
      "prices_near_zip",
      "state_prices",
      "latest_sales",
      "sale_barns",
      "licensed_dealers",
      "parcel_by_address",
      "parcel_by_number",
      "parcels_near",
      "parcels_of_owner",
    ]);
    expect(tools.filter(({annotations}) => annotations?.readOnlyHint !== true)).toEqual([]);
  });

  it("answer with claims, a table, sources, dates and limitations, and the same as JSON", async () => {
    const {text, short} = await call(clients.build, "prices_near_zip", {zip: "73101"});
    const {body} = await httpAnswer("/price-by-county?zip=73101&limit=3");
    expect(text).toContain(`${body.evidence[0]?.claim}\n`);
    expect(text).toMatch(/^county\|miles\|confidence\|source$/m);
    expect(text).toMatch(/^Sources: .+\nDates: .+\nLimitations: .+/m);
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
    const {text, isError} = await call(clients.build, "state_prices", {state: "Kansas"});
    expect(isError).toBe(true);
    expect(text).toContain('state: "Kansas" is not a two-letter state code');
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

type Body = {
  records: Record<string, unknown>[];
  evidence: {claim: string}[];
  page: {total: number};
};

async function httpAnswer(path: string): Promise<{body: Body}> {
  const reply = await server.get(path);
  return {body: JSON.parse(reply.text) as Body};
}
