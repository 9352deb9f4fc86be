// Clones HEAD into an empty folder, runs `make run` there on a free port, and sends the requests that it prints.
import {execFileSync, spawn} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {createServer} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";

const limitMs = 180_000;
const clone = mkdtempSync(join(tmpdir(), "cattle-smoke-"));
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("CATTLE_")),
);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const {port} = server.address() as {port: number};
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Sends a printed request until the server is up and not too busy, and gives its answer. */
async function ask(line: string, until: number): Promise<Record<string, unknown>> {
  const [, key, url] = /X-API-Key: (\S+)' '([^']+)'/.exec(line) ?? [];
  if (key === undefined || url === undefined) throw new Error(`not a request: ${line}`);
  for (;;) {
    const reply = await fetch(url, {headers: {"X-API-Key": key}}).catch(() => null);
    if (reply?.status === 200) return (await reply.json()) as Record<string, unknown>;
    // A busy machine may have the server shed: that answer asks for another try.
    if (reply !== null && reply.status !== 503)
      throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
    if (Date.now() > until) throw new Error(`${url}: no server`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function isEmpty(body: Record<string, unknown>): boolean {
  const found = body["records"] ?? body["properties"] ?? body["property"];
  return found === undefined || found === null || (Array.isArray(found) && found.length === 0);
}

execFileSync("git", ["clone", "--quiet", process.cwd(), clone], {stdio: "inherit"});
const make = spawn("make", ["run", `PORT=${await freePort()}`], {
  cwd: clone,
  env: environment,
  detached: true,
});
let output = "";
make.stdout.on("data", (chunk: Buffer) => {
  output += chunk;
});
make.stderr.on("data", (chunk: Buffer) => {
  output += chunk;
});
try {
  const until = Date.now() + limitMs;
  while (!output.includes("Ctrl-C") && make.exitCode === null && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const requests = output.split("\n").filter((line) => line.startsWith("curl "));
  if (requests.length !== 3) throw new Error(`make run printed ${requests.length} requests:\n${output}`);
  for (const line of requests) {
    const body = await ask(line, until);
    if (isEmpty(body)) throw new Error(`${line}\nanswers nothing: ${JSON.stringify(body).slice(0, 2000)}`);
  }
  process.stdout.write("smoke: make run in a fresh clone answers its three requests\n");
} finally {
  if (make.pid !== undefined && make.exitCode === null) process.kill(-make.pid, "SIGTERM");
  await new Promise((resolve) => (make.exitCode === null ? make.once("exit", resolve) : resolve(null)));
  rmSync(clone, {recursive: true, force: true});
}
