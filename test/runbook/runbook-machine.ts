import {spawn} from "node:child_process";
import {cpSync, existsSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {packageRoot} from "../../lib/paths.ts";
import {type DataFolder, dataFolder} from "../../lib/storage/data-folder.ts";
import {freePort} from "../free-port.ts";
import {temporaryFolder} from "../temporary-folder.ts";

export type Ran = {readonly code: number; readonly out: string};

/** A response of the machine's server; status 0 for none. */
export type Answer = {readonly status: number; readonly body: Record<string, unknown>};

/** A data folder as set up by `deploy/`, and a shell in which a runbook page runs on it. */
export type Machine = {
  readonly data: DataFolder;
  /** The folder of archives. */
  readonly backups: string;
  /** A folder beside the data, for the program of page 17 and a proxy's logs. */
  readonly place: string;
  /** The environment file: changes apply to commands and servers started later. */
  readonly settings: Record<string, string>;
  /** Lines of the calls of `systemctl`. */
  calls(): string[];
  /** The journal of the servers. */
  journal(): string;
  /** Runs lines of a page, replacing the page's names by those of this machine. */
  shell(lines: string, names?: Readonly<Record<string, string>>): Promise<Ran>;
  /** Runs one `cattle` command. */
  cattle(...words: string[]): Promise<Ran>;
  /** Starts the server of the unit `cattle-server@0`, and waits until it answers. */
  serve(): Promise<void>;
  /** Waits until the condition holds; throws after two minutes. */
  until(wanted: () => Promise<boolean> | boolean): Promise<void>;
  /** Requests a path from the server, by default with a key of the machine. */
  ask(path: string, key?: string): Promise<Answer>;
  /** The value of a server metric with this name and these labels; NaN if absent. */
  metric(name: string): Promise<number>;
  /** Stops everything that runs. */
  end(): Promise<void>;
};

const here = import.meta.dirname;

/** A machine with a copy of a folder as data, optionally at `root`; no server runs on it. */
export async function machineWith(from: string, root = join(temporaryFolder(), "cattle")): Promise<Machine> {
  cpSync(from, root, {recursive: true, verbatimSymlinks: true, preserveTimestamps: true});
  const place = temporaryFolder();
  const [log, calls, backups] = ["log", "calls", "backups"].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(backups);
  for (const path of [log, calls]) writeFileSync(path, "");
  const [port, metricsPort] = [await freePort(), await freePort()];
  const settings: Record<string, string> = {
    CATTLE_DATA: root,
    CATTLE_PORT: String(port),
    CATTLE_METRICS_PORT: String(metricsPort),
    CATTLE_POLL_MS: "200",
    CATTLE_DRAIN_MS: "0",
    CATTLE_MAX_LOOP_DELAY_MS: "60000",
    SOURCE_DATE_EPOCH: String(Date.parse("2026-11-21T06:00:00Z") / 1000),
    SERVER: join(here, "runbook-server.ts"),
    SERVER_OPTIONS: "",
  };
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("CATTLE_"));
  const unit = {
    NODE: join(packageRoot, "node_modules/.bin/node"),
    CATTLE: join(packageRoot, "bin/cattle.js"),
    NEXT: join(place, "next-version"),
    HERE: here,
    LOG: log,
    CALLS: calls,
    PLACE: place,
  };
  const standIns: [string, string][] = [
    ["/var/lib/cattle", root],
    ["/var/backups/cattle", backups],
    ["/var/log/nginx", join(place, "nginx")],
    ["/opt/cattle-next", join(place, "cattle-next")],
    ["127.0.0.1:8080", `127.0.0.1:${port}`],
    ["127.0.0.1:9464", `127.0.0.1:${metricsPort}`],
  ];
  let key: string | null = null;

  const machine: Machine = {
    data: dataFolder(root),
    backups,
    place,
    settings,
    calls: () =>
      readFileSync(calls, "utf8")
        .split("\n")
        .filter((line) => line !== ""),
    journal: () => readFileSync(log, "utf8"),
    shell(lines, names = {}) {
      const script = [...standIns, ...Object.entries(names)].reduce(
        (text, [name, value]) => text.replaceAll(name, value),
        lines,
      );
      const environment = {...Object.fromEntries(others), ...settings, ...unit};
      return ran(`. "$HERE/machine.sh"\n${script}`, {cwd: place, env: environment});
    },
    cattle: (...words) => machine.shell(`cattle ${words.map((word) => `'${word}'`).join(" ")}`),
    async serve() {
      key ??= (await machine.cattle("keys", "create", "--label", "machine")).out.trim();
      await machine.shell("systemctl start cattle-server@0");
      await machine.until(async () => (await machine.ask("/readyz")).status !== 0);
    },
    async until(wanted) {
      const end = performance.now() + 120_000;
      while (!(await wanted())) {
        if (performance.now() > end)
          throw new Error(`not within two minutes: ${wanted}\n${machine.journal()}`);
        await sleep(100);
      }
    },
    ask: (path, given = key ?? "") => answer(`http://127.0.0.1:${port}${path}`, given),
    async metric(name) {
      const text = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((reply) => reply.text());
      const line = text.split("\n").find((each) => each.startsWith(`${name} `));
      return line === undefined ? Number.NaN : Number(line.slice(name.length));
    },
    async end() {
      if (existsSync(join(place, "pid"))) await machine.shell("systemctl stop cattle-server@0");
    },
  };
  return machine;
}

function ran(script: string, options: {cwd: string; env: NodeJS.ProcessEnv}): Promise<Ran> {
  const child = spawn("bash", ["-c", script], {...options, stdio: ["ignore", "pipe", "pipe"]});
  let out = "";
  const take = (chunk: Buffer) => {
    out += chunk.toString();
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  return new Promise((resolve) => child.once("close", (code) => resolve({code: code ?? -1, out})));
}

async function answer(url: string, key: string): Promise<Answer> {
  try {
    const reply = await fetch(url, {headers: {"X-API-Key": key, Connection: "close"}});
    return {status: reply.status, body: (await reply.json()) as Record<string, unknown>};
  } catch {
    // It has not started yet, or the request killed it.
    return {status: 0, body: {}};
  }
}

/** The shell blocks of a page below **Check.** and **Action.**, without commands in backticks within sentences. */
export function blocksOf(page: string): {check: string[]; action: string[]} {
  const text = readFileSync(join(packageRoot, "docs/runbook", page), "utf8");
  const part = (name: string) =>
    [...(text.split(`**${name}.**`)[1] ?? "").split("\n**")[0]!.matchAll(/```sh\n([\s\S]*?)```/g)].map(
      ([, block]) => block!,
    );
  return {check: part("Check"), action: part("Action")};
}
