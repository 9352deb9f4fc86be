import {type ChildProcess, spawn} from "node:child_process";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "../../lib/paths.ts";
import type {LiveWorld} from "./live-world.ts";

/** The result of a command: its exit code (null if killed) and its output. */
export type Ended = {readonly code: number | null; readonly out: string; readonly err: string};

/** Settings of an operator without keys. */
export const keyless = {CATTLE_MARS_KEY_FILE: "", CATTLE_QUICKSTATS_KEY_FILE: "", CATTLE_EIA_KEY_FILE: ""};

const keySettings = {
  mars: "CATTLE_MARS_KEY_FILE",
  nass: "CATTLE_QUICKSTATS_KEY_FILE",
  eia: "CATTLE_EIA_KEY_FILE",
} as const;

/** The program as an operator runs it, with a registry that points to the played publishers and their keys in files. */
export class LiveCattle {
  readonly #settings: Readonly<Record<string, string>>;

  constructor({dir, data, registry}: {dir: string; data: string; registry: string}, {market}: LiveWorld) {
    const keys = Object.entries(keySettings).map(([name, setting]) => {
      const path = join(dir, name);
      writeFileSync(path, market.keys[name as keyof typeof keySettings]);
      return [setting, path];
    });
    this.#settings = {
      CATTLE_DATA: data,
      CATTLE_REGISTRY: registry,
      CATTLE_CONTACT: "nobody@example.org",
      ...Object.fromEntries(keys),
    };
  }

  /** Starts a command. */
  start(args: readonly string[], more: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(process.execPath, [join(packageRoot, "bin/cattle.js"), ...args], {
      env: {...process.env, ...this.#settings, ...more},
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** Starts a day's night run at 05:30. */
  startNight(day: string, more: Readonly<Record<string, string>> = {}): ChildProcess {
    return this.start(["nightly"], {
      ...more,
      SOURCE_DATE_EPOCH: String(Date.parse(`${day}T05:30:00Z`) / 1000),
    });
  }
}

/** Waits for the end of a command. */
export function ended(child: ChildProcess): Promise<Ended> {
  let [out, err] = ["", ""];
  child.stdout!.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr!.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({code, out, err})));
}

/** Waits until a server listens, and returns its origin. */
export function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const look = (chunk: Buffer) => {
      said += chunk.toString();
      const [, port] = /127\.0\.0\.1:(\d+)/.exec(said) ?? /"port":\s*(\d+)/.exec(said) ?? [];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout!.on("data", look);
    child.stderr!.on("data", look);
    child.once("exit", () => reject(new Error(`serve ended: ${said}`)));
  });
}
