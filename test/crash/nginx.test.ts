import {type ChildProcess, execFileSync, spawn, spawnSync} from "node:child_process";
import {createHash} from "node:crypto";
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {connect as connectHttp2} from "node:http2";
import {connect} from "node:net";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {setTimeout as sleep} from "node:timers/promises";
import {afterAll, beforeAll, expect, test} from "vitest";
import {packageRoot} from "../../lib/paths.ts";
import {freePort} from "../free-port.ts";
import {randomOf} from "../pipeline/hostile-files.ts";
import {sampleBuild} from "../sample-build.ts";
import {expiredCertificate} from "../server/cadastre/expired-certificate.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {note} from "./table.ts";

// The proxy of deploy/nginx.conf in front of the server, on loopback. Skipped where nginx is not installed.
const nginx = "/usr/sbin/nginx";
const isThere = spawnSync(nginx, ["-v"]).status === 0;
const seed = Number(process.env["SEED"] ?? 51);
const started: ChildProcess[] = [];
let [plain, secure] = [0, 0];
let key = "";
/** Requests that reached the server. */
let served = 0;

beforeAll(async () => {
  if (!isThere) return;
  const {data} = await sampleBuild("2026-11-21");
  const cattle = (...words: string[]) =>
    execFileSync(process.execPath, [join(packageRoot, "bin/cattle.js"), ...words], {
      env: {PATH: process.env["PATH"], CATTLE_DATA: data.root},
      encoding: "utf8",
    });
  key = cattle("keys", "create", "--label", "proxy", "--scope", "market", "parcel", "files")
    .trim()
    .split(/\s+/)
    .at(-1)!;
  const port = await freePort();
  const server = spawn(process.execPath, [join(packageRoot, "bin/cattle.js"), "serve"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...{PATH: process.env["PATH"], CATTLE_DATA: data.root, CATTLE_PORT: String(port), CATTLE_FILES: "1"},
      ...{CATTLE_METRICS_PORT: "0", CATTLE_TRUST_PROXY: "127.0.0.1", CATTLE_KEEP_ALIVE_MS: "65000"},
      ...{CATTLE_RATE_PER_MINUTE: "100000", CATTLE_REFUSALS_PER_MINUTE: "200", CATTLE_DRAIN_MS: "0"},
    },
  });
  started.push(server);
  const isListening = Promise.withResolvers<void>();
  createInterface(server.stdout).on("line", (line) => {
    if (line.includes('"listening"')) isListening.resolve();
    if (line.includes('"requestId"')) served += 1;
  });
  await isListening.promise;
  [plain, secure] = [await freePort(), await freePort()];
  started.push(startNginx(port));
  for (let tries = 0; (await send(whole("/healthz"))) === ""; tries += 1) {
    if (tries > 100) throw new Error("nginx does not answer");
    await sleep(50);
  }
}, 400_000);
afterAll(() => {
  for (const child of started) child.kill("SIGTERM");
});

/** nginx with the file of the deployment: its names, logs and ports are those of this test, and it listens without TLS too. */
function startNginx(port: number): ChildProcess {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "logs"));
  const {key: pem, cert} = expiredCertificate();
  writeFileSync(join(dir, "key.pem"), pem);
  writeFileSync(join(dir, "fullchain.pem"), cert);
  const deployed = readFileSync(join(packageRoot, "deploy/nginx.conf"), "utf8")
    .replace("127.0.0.1:8080", `127.0.0.1:${port}`)
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${plain}; listen 127.0.0.1:${secure} ssl http2;`)
    .replace("listen [::]:443 ssl http2;", "")
    .replaceAll("/etc/ssl/cattle", dir)
    .replaceAll("/var/log/nginx", join(dir, "logs"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(dir, name)};`)
    .join("\n");
  writeFileSync(
    join(dir, "nginx.conf"),
    `daemon off; user root; pid ${join(dir, "pid")};\nevents {}\nhttp { ${temporary}\n${deployed} }`,
  );
  return spawn(nginx, ["-p", dir, "-c", join(dir, "nginx.conf"), "-e", join(dir, "logs/start.log")], {
    stdio: "inherit",
  });
}

/** Sends bytes as they are, and gives what comes back until nothing more comes. */
function send(bytes: string, quietMs = 250): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(plain, "127.0.0.1", () => socket.write(bytes, "latin1"));
    const end = () => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(quietMs, end);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("close", end);
    socket.on("error", end);
  });
}

const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: api.example.org\r\nX-API-Key: ${key}\r\n`;
const whole = (path: string) => `${head(path)}\r\n`;
const answersIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1]);
const hidden = () => whole("/smuggled");

/** Frames whose end a proxy and a server may see at different places; each hides a request behind itself. */
function frames(): readonly [string, string][] {
  const post = (headers: string, body: string) =>
    head("/coverage").replace("GET", "POST").concat(headers, "\r\n\r\n", body);
  const inner = hidden();
  const chunk = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
  const chunked = [
    "Transfer-Encoding: chunked",
    "Transfer-Encoding:\tchunked",
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding : chunked",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: identity, chunked",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: cow",
    "Transfer-Encoding:\r\n chunked",
    "X: y\nTransfer-Encoding: chunked",
    "Transfer-Encoding: \u000bchunked",
    "transfer-encoding: CHUNKED",
  ];
  const lengths = [
    "5",
    "0",
    "+5",
    "0x5",
    "5,5",
    "5\r\nContent-Length: 6",
    "5 ",
    "-1",
    "99999999999999999999",
    "5\r\nContent-Length: 5",
  ];
  return [
    ...chunked.flatMap((coding): [string, string][] => [
      [`${coding} and a length that is short`, post(`Content-Length: 4\r\n${coding}`, `0\r\n\r\n${inner}`)],
      [`${coding} and a length that is long`, post(`${coding}\r\nContent-Length: ${chunk.length}`, chunk)],
      [coding, post(coding, `0\r\n\r\n${inner}`)],
    ]),
    ...lengths.map((length): [string, string] => [
      `Content-Length: ${length}`,
      post(`Content-Length: ${length}`, `abcde${inner}`),
    ]),
    ["a size of a chunk beyond 64 bits", post("Transfer-Encoding: chunked", `ffffffffffffffff1\r\n${inner}`)],
    ["line ends of chunks without CR", post("Transfer-Encoding: chunked", `0\n\n${inner}`)],
    ["an extension of a chunk", post("Transfer-Encoding: chunked", `0;\n${inner}\r\n\r\n`)],
    ["a body on a read", `${head("/coverage")}Content-Length: ${inner.length}\r\n\r\n${inner}`],
    ["two hosts", `${head("/coverage")}Host: b\r\n\r\n${inner}`],
    ["a target of another host", `${head("http://other.example/coverage")}\r\n${inner}`],
    ["HTTP/1.0 with chunks", post("Transfer-Encoding: chunked", `0\r\n\r\n${inner}`).replace("1.1", "1.0")],
    ["HTTP/0.9", `GET /coverage\r\n${inner}`],
    ["bare line feeds", `${whole("/coverage").replaceAll("\r\n", "\n")}${inner}`],
    ["a NUL in a header", `${head("/coverage")}X: a\0b\r\n\r\n${inner}`],
    [
      "an upgrade to HTTP/2",
      `${head("/coverage")}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n${inner}`,
    ],
    ["a body that waits", post("Expect: 100-continue\r\nContent-Length: 4", inner)],
    [
      "headers that the proxy sets",
      `${head("/coverage")}X-Request-Id: ${"a".repeat(300)}\r\nConnection: X-API-Key\r\n\r\n${inner}`,
    ],
  ];
}

/** Others at the same time get the answers to their own questions. */
async function othersAreServed(): Promise<void> {
  const paths = ["/coverage?state=TX", "/dealers/stats?state=TX", "/price-by-state?state=TX"];
  const texts = await Promise.all(
    paths.map((path) => send(head(path).concat("Connection: close\r\n\r\n"), 5_000)),
  );
  expect(texts.map(answersIn)).toEqual([["200"], ["200"], ["200"]]);
  const bodies = texts.map((text) => text.slice(text.indexOf("{"), text.indexOf("{") + 40));
  expect(new Set(bodies).size).toBe(3);
}

test.skipIf(!isThere)(
  "S7: behind nginx no frame hides a request: each that is served is answered to who sent it",
  async () => {
    const random = randomOf(seed);
    const sound = frames();
    const mutated = Array.from({length: 60}, (_, i): [string, string] => {
      const [name, bytes] = sound[i % sound.length]!;
      const at = Math.floor(random() * bytes.length);
      const sign = ["\r", "\n", "\0", " ", ":", "\t", "0"][Math.floor(random() * 7)]!;
      return [`${name}, with another sign at ${at}`, bytes.slice(0, at) + sign + bytes.slice(at + 1)];
    });
    const hiddenOnes: string[] = [];
    const statuses: Record<string, number> = {};
    /** How often a frame was served and answered, when nothing more came for so long. */
    const counted = async (bytes: string, quietMs: number) => {
      const before = served;
      const text = await send(bytes, quietMs);
      await sleep(20);
      const answers = answersIn(text);
      // HTTP/0.9 has no status line.
      return {answers, answered: Math.max(answers.length, text === "" ? 0 : 1), served: served - before};
    };
    for (const [name, bytes] of [...sound, ...mutated]) {
      let told = await counted(bytes, 250);
      // On a busy machine an answer may come later.
      if (told.served > told.answered) told = await counted(bytes, 5_000);
      for (const status of told.answers) statuses[status!] = (statuses[status!] ?? 0) + 1;
      if (told.served > told.answered)
        hiddenOnes.push(`${name}: ${told.served} served, ${told.answered} answered`);
      if (told.answers.some((status) => /^50[^1]/.test(status!))) hiddenOnes.push(`${name}: ${told.answers}`);
    }
    await othersAreServed();
    note(
      "S7",
      `${sound.length + mutated.length} frames through nginx`,
      `${hiddenOnes.length} hid a request; ${JSON.stringify(statuses)}`,
      seed,
    );
    expect(hiddenOnes).toEqual([]);
  },
  120_000,
);

test.skipIf(!isThere)("S7: nor does a header or a body of HTTP/2 that HTTP/1.1 cannot say", async () => {
  const session = connectHttp2(`https://127.0.0.1:${secure}`, {rejectUnauthorized: false});
  const ask = (headers: Record<string, string>, body = "") =>
    new Promise<string>((resolve) => {
      try {
        const stream = session.request(
          {"x-api-key": key, ":authority": "api.example.org", ...headers},
          {endStream: body === ""},
        );
        let status = "";
        stream.on("response", (given) => (status = String(given[":status"])));
        stream.on("error", () => resolve("reset"));
        stream.on("close", () => resolve(status || "reset"));
        stream.resume();
        if (body !== "") stream.end(body);
      } catch {
        resolve("not sent");
      }
    });
  const before = served;
  const told = [
    await ask({":path": "/coverage?state=TX"}),
    await ask({":path": "/coverage HTTP/1.1\r\nHost: a\r\n\r\nGET /smuggled"}),
    await ask({":path": "/coverage", ":method": "POST", "content-length": "3"}, hidden()),
    await ask({":path": "/coverage", ":method": "POST", "content-length": "0"}, hidden()),
    await ask({":path": "/coverage", "x-a": "b\r\nTransfer-Encoding: chunked"}),
    await ask({":path": "/coverage", ":authority": "a b"}),
  ];
  session.destroy();
  await sleep(50);
  expect(told[0]).toBe("200");
  expect(told.filter((status) => status.startsWith("5"))).toEqual([]);
  expect(served - before).toBeLessThanOrEqual(told.filter((status) => /^\d/.test(status)).length);
  await othersAreServed();
});

test.skipIf(!isThere)(
  "what the server takes comes through the proxy: an agent's message of 100 KB, a file whole and by range",
  async () => {
    const at = `http://127.0.0.1:${plain}`;
    const headers = {
      "X-API-Key": key,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {name: "prices_near_zip", arguments: {zip: "85326"}},
    };
    const body = JSON.stringify(call).padEnd(100_000);
    const posted = (Origin?: string) => {
      const named = {...headers, Host: "api.example.org", Connection: "close", ...(Origin && {Origin})};
      const lines = Object.entries({...named, "Content-Length": body.length}).map((pair) => pair.join(": "));
      return send(`POST /mcp HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`, 5_000);
    };
    const told = await posted();
    expect([answersIn(told), told.includes("structuredContent")]).toEqual([["200"], true]);
    expect(answersIn(await posted("https://api.example.org"))).toEqual(["200"]);
    expect(answersIn(await posted("https://evil.example.org"))).toEqual(["403"]);
    const listed = (await (await fetch(`${at}/files/`, {headers})).json()) as {
      build_id: string;
      files: {path: string; sha256: string; bytes: number}[];
    };
    const {path, sha256, bytes} =
      listed.files.find((each) => each.path.endsWith("price_rows/year=2026.parquet")) ?? listed.files[0]!;
    const file = `${at}/files/${listed.build_id}/${path}`;
    const got = Buffer.from(await (await fetch(file, {headers})).arrayBuffer());
    expect(createHash("sha256").update(got).digest("hex")).toBe(sha256);
    const part = await fetch(file, {headers: {...headers, Range: `bytes=${bytes - 8}-`}});
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 8]);
  },
);

test.skipIf(!isThere)(
  "callers without a key are counted by the address that the proxy saw, not by one that they name",
  async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 400 && statuses.at(-1) !== 429; i += 1) {
      const reply = await fetch(`http://127.0.0.1:${plain}/barns`, {
        headers: {"X-Forwarded-For": `192.0.2.${i % 250}`},
      });
      await reply.arrayBuffer();
      statuses.push(reply.status);
    }
    expect([...new Set(statuses)]).toEqual([403, 429]);
  },
  60_000,
);
