/** Asks the sixty calls over stdio and over `/mcp`, with both official SDKs, and a hundred clients at once; prints a table. Without arguments it builds the
 * sample first. Arguments: a data folder with a build of the sample, and a Python that has `mcp` (test/interop/requirements.txt). */
import {execFileSync, spawn} from "node:child_process";
import {once} from "node:events";
import {mkdtempSync, rmSync} from "node:fs";
import {createServer} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {text} from "node:stream/consumers";
import {Client, StreamableHTTPClientTransport} from "@modelcontextprotocol/client";
import {StdioClientTransport} from "@modelcontextprotocol/client/stdio";
import {packageRoot} from "../../lib/paths.ts";
import {type Call, sixtyCalls} from "../server/mcp/sixty-calls.ts";

const program = join(packageRoot, "bin", "cattle.js");
const work = mkdtempSync(join(tmpdir(), "cattle-mcp-"));
const [data = join(work, "data"), python = "python3"] = process.argv.slice(2);
const env = {
  ...process.env,
  ...{
    CATTLE_DATA: data,
    CATTLE_METRICS_PORT: "0",
    CATTLE_LOG_LEVEL: "error",
    CATTLE_CADASTRE: "0",
    CATTLE_RATE_PER_MINUTE: "100000",
  },
};
const run = (...words: string[]) =>
  execFileSync(process.execPath, [program, ...words], {env, encoding: "utf8"});

if (process.argv[2] === undefined) {
  run("sample", "--to", join(work, "sample"));
  run("build", "--raw", join(work, "sample"), "--out", data);
}
const keys = ["a", "b", "c", "d"].map((label) => run("keys", "create", "--label", label).trim());
const port = await freePort();
const server = spawn(process.execPath, [program, "serve", "--port", String(port)], {env, stdio: "inherit"});
const address = `http://127.0.0.1:${port}`;
let failures = 0;
try {
  await ready();
  const expected = await overStdio();
  report("/mcp by the TypeScript SDK", same(await overHttp(sixtyCalls, keys[0]!), expected));
  const python = await byPython();
  if (python === null) say("/mcp by the Python SDK", "not run", "its package mcp is not to be had");
  else report("/mcp by the Python SDK", same(python, expected));
  await aHundredAtOnce(expected);
  const {status} = await post({Origin: "https://evil.example.org"});
  say(
    "/mcp to a foreign Origin",
    status === 403 ? "ok" : "FAIL",
    `status ${status}; without Origin ${(await post({})).status}`,
  );
} finally {
  server.kill();
  rmSync(work, {recursive: true, force: true});
}
process.exitCode = failures > 0 ? 1 : 0;

async function overStdio(): Promise<string[]> {
  const client = new Client({name: "interop", version: "1.0.0"});
  const environment = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
  await client.connect(
    new StdioClientTransport({command: process.execPath, args: [program, "mcp"], env: environment}),
  );
  const texts = await answersOf(client, sixtyCalls);
  await client.close();
  return texts;
}

async function clientOf(key: string): Promise<Client> {
  const client = new Client({name: "interop", version: "1.0.0"});
  const requestInit = {headers: {Authorization: `Bearer ${key}`}};
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), {requestInit}));
  return client;
}

async function overHttp(calls: readonly Call[], key: string): Promise<string[]> {
  const client = await clientOf(key);
  const texts = await answersOf(client, calls);
  await client.close();
  return texts;
}

async function answersOf(client: Client, calls: readonly Call[]): Promise<string[]> {
  const texts: string[] = [];
  for (const call of calls) texts.push(textOf(await client.callTool(call)));
  return texts;
}

function textOf({content}: Awaited<ReturnType<Client["callTool"]>>): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** The texts, or null where this Python has no SDK. Not run in step: the sockets of this program would grow stale. */
async function byPython(): Promise<string[] | null> {
  const args = [join(packageRoot, "test/interop/mcp_calls.py"), `${address}/mcp`, keys[1]!];
  const child = spawn(python, args, {stdio: ["pipe", "pipe", "inherit"]});
  const exit = once(child, "exit");
  child.stdin.end(JSON.stringify(sixtyCalls));
  const told = await text(child.stdout);
  const [code] = await exit;
  return code === 3 ? null : JSON.parse(told);
}

async function aHundredAtOnce(expected: readonly string[]): Promise<void> {
  const clients = await Promise.all(Array.from({length: 100}, (_, at) => clientOf(keys[at % keys.length]!)));
  const start = performance.now();
  const texts = await Promise.all(
    clients.map(async (client, at) => textOf(await client.callTool(sixtyCalls[at % sixtyCalls.length]!))),
  );
  const ms = Math.round(performance.now() - start);
  const right = texts.filter((each, at) => each === expected[at % expected.length]).length;
  say("/mcp by 100 clients at once", right === 100 ? "ok" : "FAIL", `${right} of 100 right, in ${ms} ms`);
  await Promise.all(clients.map((client) => client.close()));
}

function post(headers: Record<string, string>) {
  const body = JSON.stringify({jsonrpc: "2.0", id: 1, method: "tools/list", params: {}});
  const always = {"Content-Type": "application/json", Accept: "application/json, text/event-stream"};
  return fetch(`${address}/mcp`, {
    method: "POST",
    body,
    headers: {...always, "X-API-Key": keys[0]!, ...headers},
  });
}

function same(texts: readonly string[], expected: readonly string[]): number {
  return texts.filter((each, at) => each === expected[at]).length;
}

function report(what: string, equal: number): void {
  say(
    what,
    equal === sixtyCalls.length ? "ok" : "FAIL",
    `${equal} of ${sixtyCalls.length} texts equal to those of stdio`,
  );
}

function say(what: string, outcome: string, words: string): void {
  if (outcome === "FAIL") failures += 1;
  process.stdout.write(`${what.padEnd(40)} ${outcome}  ${words}\n`);
}

async function ready(): Promise<void> {
  for (let at = 0; at < 60; at += 1) {
    if (
      await fetch(`${address}/readyz`).then(
        ({ok}) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${address}: the server is not ready after 30 s`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
