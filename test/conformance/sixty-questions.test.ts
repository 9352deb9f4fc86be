import {spawn} from "node:child_process";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {text as wholeText} from "node:stream/consumers";
import {Client} from "@modelcontextprotocol/client";
import {StdioClientTransport} from "@modelcontextprotocol/client/stdio";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {openStateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {packageRoot} from "../../lib/paths.ts";
import {makeViews} from "../../lib/sql/build-views.ts";
import {type Database, openDatabase} from "../../lib/sql/duckdb.ts";
import {buildFolder, currentBuildId, type DataFolder, dataFolder} from "../../lib/storage/data-folder.ts";
import {buildOptions} from "../../pipeline/commands/build-commands.ts";
import {build} from "../../pipeline/publish/build.ts";
import {openGeneration} from "../../server/generation/open-generation.ts";
import {endpoints} from "../../server/routes/routes.ts";
import {describeAnswer} from "../../server/text/describe-answer.ts";
import {type TestServer, testServer} from "../server/server-fixture.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {ofAgent} from "./agent-questions.ts";
import {corpus} from "./corpus.ts";
import {type Asked, type Question, questions} from "./sixty-questions.ts";

/** A data folder with a corpus build of that day, to rerun in seconds; without it one is made. */
const ready = process.env["SIXTY_DATA"];
/** File for the table of questions, steps and answers; it contains owner names and must not be in a checkout. */
const tableFile = process.env["SIXTY_TABLE"];
const asOf = "2026-08-24";

const folder = temporaryFolder();
const lines: string[] = [];
let data: DataFolder;
let db: Database;
let server: TestServer;
let asked: Asked;

beforeAll(async () => {
  if (corpus === null) return;
  data = ready === undefined ? await builtCorpus() : dataFolder(ready);
  const dir = buildFolder(data, (await currentBuildId(data))!);
  db = await openDatabase();
  await makeViews(db, dir);
  asked = await askedOf(db);
  const generation = await openGeneration(dir, {openState: openStateArtifacts, depth: "sizes"});
  server = await testServer({endpoints, generation: () => generation, now: () => new Date()});
}, 1_800_000);
afterAll(async () => {
  await server?.close();
  db?.close();
  if (tableFile !== undefined) writeFileSync(tableFile, `${lines.join("\n")}\n`);
});

describe.skipIf(corpus === null)(
  "sixty questions, each answered in one step, over the corpus",
  {timeout: 120_000},
  () => {
    it("are twenty of the market, twenty of land and twenty of the data", () => {
      expect(Object.values(questions).map(({length}) => length)).toEqual([20, 20, 20]);
    });

    describe.each(Object.entries(questions))("%s", (topic, ofTopic) => {
      it.each(ofTopic)("$asks", async (question) => {
        const step = question.step(asked);
        const start = performance.now();
        const {ok, text, first} = typeof step === "string" ? await get(step) : await run(step);
        const ms = Math.round(performance.now() - start);
        lines.push(rowOf({topic, question, step, ms, text, first}));
        expect(ok, text.slice(0, 2000)).toBe(true);
        const body = typeof step === "string" ? JSON.parse(text) : null;
        expect(await question.holds({text, body, table: firstValue}, asked), text.slice(0, 3000)).toBe(true);
      });
    });
  },
);

async function builtCorpus(): Promise<DataFolder> {
  const options = await buildOptions({raw: corpus!, out: folder, asOf, reuse: true});
  const {outcome} = await build(options);
  expect(outcome).toBe("published");
  return options.data;
}

type Reply = {ok: boolean; text: string; first: string};

async function get(path: string): Promise<Reply> {
  const {status, text} = await server.get(path);
  if (path === "/openapi.json") return {ok: status === 200, text, first: ""};
  const {headline, claims, tables} = describeAnswer(path.split("?")[0]!, {ok: status === 200, body: text});
  const row = tables[0]?.rows[0]?.filter((cell) => cell !== "").join(" ");
  return {ok: status === 200, text, first: headline[0] ?? claims[0] ?? row ?? ""};
}

/** Runs a command line on the build; exit code 3 means that something was omitted and reported. */
async function run(words: readonly string[]): Promise<Reply> {
  const args = words.map((word) => word.replace("{folder}", folder));
  const child = spawn(process.execPath, [join(packageRoot, "bin/cattle.js"), ...args], {
    env: {...process.env, CATTLE_DATA: data.root},
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [out, error] = await Promise.all([wholeText(child.stdout), wholeText(child.stderr)]);
  return {ok: (await ended) === 0, text: `${out}${error}`, first: out.split("\n\n")[0]!};
}

async function firstValue(query: string): Promise<unknown> {
  const [row] = await db.rows<Record<string, unknown>>(query);
  return Object.values(row ?? {})[0];
}

type Row = {
  topic: string;
  question: Question;
  step: string | readonly string[];
  ms: number;
  text: string;
  first: string;
};

function rowOf({topic, question, step, ms, text, first}: Row): string {
  const said = typeof step === "string" ? `GET ${step}` : `cattle ${step.map(quoted).join(" ")}`;
  const cells = [
    topic,
    question.asks,
    `\`${masked(said)}\``,
    ms,
    Buffer.byteLength(text),
    masked(first).slice(0, 160),
  ];
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "/").replaceAll(/\s+/g, " ")).join(" | ")} |`;
}

/** Masks a person's name in the table. */
function masked(text: string): string {
  return text
    .replaceAll(asked.lastName, "LAST")
    .replaceAll(`firstName=${asked.firstName}`, "firstName=FIRST");
}

function quoted(word: string): string {
  return /^[\w./{}-]+$/.test(word) ? word : `'${word}'`;
}

/** Takes what the questions are about from the tables. */
async function askedOf(from: Database): Promise<Asked> {
  const row = async <Row extends Record<string, unknown>>(query: string) => {
    const [found] = await from.rows<Row>(query);
    if (found === undefined) throw new Error(`the build has no row for ${query}`);
    return found;
  };
  const {owner} = await row<{owner: string}>(
    `SELECT owner_name AS owner FROM parcels WHERE state = 'MT' AND owner_kind = 'company' AND regexp_full_match(owner_name, '[A-Z]{6,} [A-Z ]+')
     GROUP BY 1 ORDER BY count(DISTINCT county_key) DESC, count(*) DESC, 1 LIMIT 1`,
  );
  const {county} = await row<{county: string}>(
    `SELECT county_name AS county FROM parcels WHERE state = 'MT' AND owner_name = '${owner}' GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
  );
  const wake = await row<{address: string; city: string; id: string}>(
    `SELECT concat_ws(' ', situs_number, situs_name, situs_type) AS address, city, parcel_id AS id FROM parcels
     WHERE state = 'NC' AND situs_unit IS NULL AND situs_pre IS NULL AND situs_post IS NULL AND situs_type IS NOT NULL AND city IS NOT NULL
       AND regexp_full_match(situs_name, '[A-Z]{8,}')
     QUALIFY count(*) OVER (PARTITION BY situs_number, situs_name) = 1 ORDER BY parcel_uid LIMIT 1`,
  );
  const unit = await row<{address: string; id: string}>(
    `SELECT concat(situs_raw, '') AS address, parcel_id AS id FROM parcels
     WHERE state = 'FL' AND situs_unit IS NOT NULL QUALIFY count(*) OVER (PARTITION BY situs_raw) = 1 ORDER BY parcel_uid LIMIT 1`,
  );
  const person = await row<{last: string; name: string}>(
    `SELECT owner_last AS last, owner_name AS name FROM parcels WHERE state = 'AZ' AND owner_kind = 'person' AND owner_last IS NOT NULL
       AND len(owner_tokens) = 2 ORDER BY parcel_uid LIMIT 1`,
  );
  const pointOf = (where: string) =>
    row<{lat: number; lon: number}>(
      `SELECT lat, lon FROM parcels WHERE ${where} ORDER BY parcel_uid LIMIT 1`,
    );
  const {id: punctuatedId} = await row<{id: string}>(
    `SELECT parcel_id AS id FROM parcels WHERE state = 'NY' AND county_key = '36039' AND parcel_id LIKE '%.%-%' ORDER BY parcel_uid LIMIT 1`,
  );
  const {id: evidenceId} = await row<{id: string}>(
    "SELECT evidence_id AS id FROM state_prices WHERE state = 'KS' ORDER BY 1 LIMIT 1",
  );
  return {
    ...{owner, mistypedOwner: withExchangedLetters(owner), ownerCounty: county.toUpperCase()},
    ...{
      address: wake.address,
      mistypedAddress: withExchangedLetters(wake.address),
      city: wake.city,
      wakeId: wake.id,
    },
    ...{unitAddress: unit.address, unitId: unit.id},
    ...{
      lastName: person.last,
      firstName: person.name
        .replace(person.last, "")
        .replaceAll(/[^A-Z ]/g, "")
        .trim(),
    },
    ...{
      ranch: await pointOf("state = 'MT' AND acres BETWEEN 40 AND 160"),
      farm: await pointOf("state = 'AZ' AND land_use_category = 'agriculture'"),
      desert: await pointOf("state = 'AZ' AND land_use_category = 'vacant' AND market_value > 0"),
      punctuatedId,
      evidenceId,
    },
  };
}

/** Swaps the third and fourth letter of the first word of six letters or more, like a fast typist. */
function withExchangedLetters(name: string): string {
  return name.replace(/[A-Z]{6,}/, (word) => `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`);
}

/** File for the transcript of these. */
const transcriptFile = process.env["AGENT_TRANSCRIPT"];

describe.skipIf(corpus === null)(
  "ten questions by an agent that has the tools alone",
  {timeout: 300_000},
  () => {
    const said: string[] = [];
    let client: Client;

    beforeAll(async () => {
      client = new Client({name: "agent", version: "1.0.0"});
      const {CATTLE_SERVER: _, ...inherited} = process.env as Record<string, string>;
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [join(packageRoot, "bin/cattle.js"), "mcp"],
          env: {...inherited, CATTLE_DATA: data.root},
        }),
      );
      const {tools} = await client.listTools();
      said.push("# tools/list", ...tools.map(({name, description}) => `- ${name}: ${description}`));
    });
    afterAll(async () => {
      await client?.close();
      if (transcriptFile !== undefined) writeFileSync(transcriptFile, `${said.join("\n")}\n`);
    });

    it.each(ofAgent)("$asks", async ({asks, tool, given, says}) => {
      const values = given(asked);
      const start = performance.now();
      const result = await client.callTool({name: tool, arguments: values}, {timeout: 120_000});
      const ms = Math.round(performance.now() - start);
      const [first] = result.content;
      const text = first?.type === "text" ? first.text : "";
      said.push(
        `\n## ${asks}`,
        `${tool} ${JSON.stringify(values)}: ${ms} ms, ${Buffer.byteLength(JSON.stringify(result))} bytes\n`,
        ...text
          .split("\n")
          .slice(0, 8)
          .map((line) => `    ${line}`),
      );
      expect([result.isError ?? false, text]).toEqual([false, expect.stringMatching(says(asked))]);
    });

    it("refuses for every tool a name that it does not know, a value of another kind and what is missing, with help", async () => {
      const {tools} = await client.listTools();
      said.push("\n# What each tool refuses");
      for (const {name, inputSchema} of tools) {
        const [argument] = Object.keys(inputSchema.properties ?? {});
        const wrong = [
          {nonsense: 1},
          ...(argument === undefined ? [] : [{[argument]: {}}]),
          ...(inputSchema.required === undefined ? [] : [{}]),
        ];
        for (const values of wrong) {
          const {isError, content} = await client.callTool({name, arguments: values});
          const [part] = content;
          const text = part?.type === "text" ? part.text : "";
          said.push(`- ${name} ${JSON.stringify(values)}: ${text.replaceAll(/\s+/g, " ").slice(0, 220)}`);
          expect([name, isError, text]).toEqual([
            name,
            true,
            expect.stringMatching(/Unknown argument|must be .*, not \{\}: |is required: /),
          ]);
        }
      }
    });
  },
);
