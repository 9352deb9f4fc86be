// Puts each nginx that can be had before a running server, with the configuration of deploy/ as it stands but for ports, names of
// files and the certificate; checks it by `nginx -t`, and asks through it by HTTP/1.1 and HTTP/2. Arguments: the server's address, a
// key, and a folder to work in. One nginx is that of the system, the other is built of the sources that a crate has. Prints a table.
import {execFile, spawn} from "node:child_process";
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {connect} from "node:http2";
import {request} from "node:https";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {promisify} from "node:util";
import {freePort} from "../free-port.ts";

const root = join(import.meta.dirname, "..", "..");
const [address = "", key = "", work = ""] = process.argv.slice(2);
const crate = {name: "nginx-src", version: "1.28.5+1.28.3"};
const marked = "QZXMARKED";
const run = promisify(execFile);

/** Builds the crate's nginx without the modules that need PCRE; returns its program. */
async function builtNginx(): Promise<string> {
  const folder = join(work, "crate");
  mkdirSync(join(folder, "src"), {recursive: true});
  writeFileSync(join(folder, "src/lib.rs"), "");
  writeFileSync(
    join(folder, "Cargo.toml"),
    `[package]\nname = "wanted"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n${crate.name} = "=${crate.version}"\n`,
  );
  await run("cargo", ["vendor", "--quiet", "vendor"], {cwd: folder});
  const cwd = join(folder, "vendor", crate.name, "nginx");
  const options = ["--with-http_ssl_module", "--with-http_v2_module", "--without-http_rewrite_module"];
  const more = {cwd, maxBuffer: 1 << 26};
  await run("sh", ["auto/configure", `--prefix=${folder}`, "--with-threads", ...options], more);
  await run("make", ["-s", "-j2"], more);
  return join(cwd, "objs/nginx");
}

/** Writes the configuration of deploy/ adapted to this machine; returns its path. */
function configuration(place: string, port: number): string {
  const logs = join(place, "logs");
  mkdirSync(logs, {recursive: true});
  const here: [string, string][] = [
    ["listen 443 ssl http2", `listen 127.0.0.1:${port} ssl http2`],
    ["listen [::]:443 ssl http2;", ""],
    ["server 127.0.0.1:8080;", `server ${new URL(address).host};`],
    ["/etc/ssl/cattle/fullchain.pem", join(work, "certificate.pem")],
    ["/etc/ssl/cattle/key.pem", join(work, "key.pem")],
    ["/var/log/nginx/", `${logs}/`],
  ];
  let text = readFileSync(join(root, "deploy/nginx.conf"), "utf8");
  for (const [from, to] of here) {
    if (!text.includes(from)) throw new Error(`deploy/nginx.conf has no "${from}"`);
    text = text.replaceAll(from, to);
  }
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const temporary = kinds.map((kind) => `${kind}_temp_path ${join(place, kind)};`).join("\n");
  const user = process.getuid?.() === 0 ? "user root root;" : "";
  writeFileSync(join(place, "cattle.conf"), text);
  const path = join(place, "nginx.conf");
  writeFileSync(
    path,
    `${user}\ndaemon off;\npid ${place}/pid;\nevents {}\nhttp {\n${temporary}\ninclude cattle.conf;\n}\n`,
  );
  return path;
}

/** Checks an nginx with the configuration, starts it, asks through it, and looks for the question in its logs. */
async function proxied(nginx: string, place: string): Promise<string> {
  mkdirSync(place, {recursive: true});
  const port = await freePort();
  const given = ["-p", place, "-e", join(place, "start.log"), "-c", configuration(place, port)];
  const tested = await run(nginx, ["-t", ...given]);
  const child = spawn(nginx, given, {stdio: "ignore"});
  try {
    await until(() => overHttp1(port, "/readyz").then((status) => status === 200));
    const owner = `/public/land-agent/property/owner-search?state=TX&owner=${marked}`;
    const asked = {
      "HTTP/1.1": [await overHttp1(port, "/barns?limit=1"), await overHttp1(port, owner)],
      "HTTP/2": [await overHttp2(port, "/barns?limit=1")],
      "/mcp": [await overHttp1(port, "/mcp", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')],
    };
    for (const [kind, statuses] of Object.entries(asked)) {
      const wrong = statuses.filter((status) => status !== 200);
      if (wrong.length > 0) throw new Error(`${kind}: status ${wrong.join(", ")}`);
    }
  } finally {
    child.kill("SIGQUIT");
    await new Promise((resolve) => child.once("exit", resolve));
  }
  const logs = readdirSync(join(place, "logs")).map((name) =>
    readFileSync(join(place, "logs", name), "utf8"),
  );
  if (!logs.some((text) => text.includes('"status":200'))) throw new Error("no request is in the log");
  if (logs.some((text) => text.includes(marked))) throw new Error("a request's value is in the log");
  const warnings = tested.stderr.split("\n").filter((line) => line.includes("[warn]")).length;
  return `ok  nginx -t (warnings: ${warnings}), HTTP/1.1, HTTP/2 and /mcp answered, no value in its logs`;
}

function overHttp1(port: number, path: string, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const posted = {"Content-Type": "application/json", Accept: "application/json, text/event-stream"};
    const headers = {"X-API-Key": key, Host: "api.example.org", ...(body && posted)};
    const options = {port, host: "127.0.0.1", path, headers, rejectUnauthorized: false, agent: false};
    const method = body ? "POST" : "GET";
    request({...options, method}, (reply) => {
      reply.resume();
      reply.once("end", () => resolve(reply.statusCode ?? 0));
    })
      .once("error", reject)
      .end(body);
  });
}

function overHttp2(port: number, path: string): Promise<number> {
  const session = connect(`https://127.0.0.1:${port}`, {rejectUnauthorized: false});
  return new Promise<number>((resolve, reject) => {
    session.once("error", reject);
    const request = session.request({":path": path, "x-api-key": key});
    request.once("response", (headers) => resolve(Number(headers[":status"])));
    request.resume().end();
  }).finally(() => session.destroy());
}

async function until(wanted: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await wanted().catch(() => false)) return;
    await sleep(100);
  }
  throw new Error("the proxy did not answer within 10 s");
}

/** Prints a line for an nginx; one that is unavailable is reported as not run. */
async function row(name: string, nginx: () => Promise<string>): Promise<void> {
  let told: string;
  const program = await nginx().catch(() => null);
  if (program === null) told = "not run  it is not to be had";
  else {
    const {stderr} = await run(program, ["-v"]);
    const version = /nginx\/([\d.]+)/.exec(stderr)?.[1] ?? "";
    told = `${await proxied(program, join(work, name)).catch((fault: Error & {stderr?: string}) => {
      process.exitCode = 1;
      return `FAIL  ${(fault.stderr ?? fault.message).slice(-600)}`;
    })} (${version})`;
  }
  process.stdout.write(`${`deploy/nginx.conf by nginx (${name})`.padEnd(40)} ${told}\n`);
}

const certificate = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
mkdirSync(work, {recursive: true});
const files = ["-keyout", join(work, "key.pem"), "-out", join(work, "certificate.pem")];
await run("openssl", [...certificate, ...files]);
await row("system", () => run("nginx", ["-v"]).then(() => "nginx"));
await row("crate", builtNginx);
