import {join} from "node:path";
import {Client} from "@modelcontextprotocol/client";
import {StdioClientTransport} from "@modelcontextprotocol/client/stdio";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {openStateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {packageRoot} from "../../lib/paths.ts";
import {buildFolder, currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";
import {buildOptions} from "../../pipeline/commands/build-commands.ts";
import {build} from "../../pipeline/publish/build.ts";
import {openGeneration} from "../../server/generation/open-generation.ts";
import {tools} from "../../server/mcp/tool-table.ts";
import {endpoints} from "../../server/routes/routes.ts";
import {type TestServer, testServer} from "../server/server-fixture.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";
import {thirtyQuestions} from "./thirty-questions.ts";

const folder = temporaryFolder();
let data: DataFolder;
let server: TestServer;
let client: Client;

beforeAll(async () => {
  if (corpus === null) return;
  const options = await buildOptions({
    raw: corpus,
    out: folder,
    asOf: "2026-08-23",
    market: true,
    reuse: true,
  });
  expect((await build(options)).outcome).toBe("published");
  data = options.data;
  const generation = await openGeneration(buildFolder(data, (await currentBuildId(data))!), {
    openState: openStateArtifacts,
    depth: "sizes",
  });
  server = await testServer({endpoints, generation: () => generation, now: () => new Date()});
  const {CATTLE_SERVER: _, ...inherited} = process.env as Record<string, string>;
  client = new Client({name: "agent", version: "1.0.0"});
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(packageRoot, "bin/cattle.js"), "mcp"],
      env: {...inherited, CATTLE_DATA: data.root},
    }),
  );
}, 600_000);
afterAll(async () => {
  await client?.close();
  await server?.close();
});

it("thirty questions are asked, by their numbers", () => {
  expect(thirtyQuestions.map(({number}) => number)).toEqual(Array.from({length: 30}, (_, i) => i + 1));
});

describe.skipIf(corpus === null)(
  "thirty questions of the market, by one tool and one request",
  {timeout: 120_000},
  () => {
    it.each(thirtyQuestions)("$number: $asks", async ({tool, given, says, holds}) => {
      const {isError, content} = await client.callTool({name: tool, arguments: given});
      const [first] = content;
      const text = first?.type === "text" ? first.text : "";
      expect([isError ?? false, text]).toEqual([false, expect.stringMatching(says)]);
      if (tool === "ask_sql") return;
      const path = tools.find(({name}) => name === tool)!.path;
      const question = new URLSearchParams(
        Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const reply = await server.get(`${path}?${question}`);
      expect(reply.status).toBe(200);
      expect(holds?.(JSON.parse(reply.text)) ?? true, reply.text.slice(0, 3000)).toBe(true);
    });
  },
);
