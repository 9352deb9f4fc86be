import {type ChildProcess, spawn} from "node:child_process";
import {cpSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot, sourcesDir} from "../../../lib/paths.ts";
import {ended} from "../live-cattle.ts";
import {marketWorld} from "../market-world.ts";
import type {Seen} from "../replay-server.ts";
import type {PlayedInternet} from "./played-internet.ts";
import {pagesShare, playedShare} from "./played-layers.ts";

/** Nights by which the operator has a key of the report service. */
const keyFromNight = 4;
const clock = new URL("night-clock.ts", import.meta.url).href;

type Operated = {
  readonly dir: string;
  readonly internet: PlayedInternet;
  readonly times: Readonly<Record<string, number>>;
};

/** An operator of the program on the played internet: the registry as it is shipped, with as many times fewer rows to expect as are played. */
export class PlayedOperator {
  readonly data: string;
  readonly #dir: string;
  readonly #settings: Readonly<Record<string, string>>;

  constructor({dir, internet, times}: Operated) {
    this.data = join(dir, "data");
    this.#dir = dir;
    const registry = join(dir, "registry");
    cpSync(sourcesDir, registry, {recursive: true});
    lowerRowMinima(join(registry, "parcels"));
    this.#settings = {
      ...{CATTLE_DATA: this.data, CATTLE_REGISTRY: registry, CATTLE_CONTACT: "nobody@example.org"},
      ...{CATTLE_PROXY: internet.proxy, NODE_EXTRA_CA_CERTS: internet.authority},
      ...{PLAYED_TIMES: JSON.stringify(times), PLAYED_SHARE: String(pagesShare)},
      // In proportion to the played rows this is more than the default.
      CATTLE_FETCH_GIB: "1",
    };
  }

  start(args: readonly string[], more: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(process.execPath, [join(packageRoot, "bin/cattle.js"), ...args], {
      env: {...process.env, ...this.#settings, NODE_OPTIONS: `--import=${clock}`, ...more},
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** Starts a night at 05:30, from some night on with a key of the report service. */
  startNight(day: string, number: number): ChildProcess {
    const path = join(this.#dir, "mars-key");
    writeFileSync(path, marketWorld(day).keys.mars);
    return this.start(["nightly"], {
      ...ofNight(day),
      ...(number < keyFromNight ? {} : {CATTLE_MARS_KEY_FILE: path}),
    });
  }

  async finished(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> {
    const {code, out, err} = await ended(this.start(args, more));
    if (code !== 0) throw new Error(`cattle ${args.join(" ")} ended with ${code}: ${out}${err}`);
    return out;
  }

  /** Requests that came sooner after the one before at their host than once a second, by the clock of the night. */
  tooSoon(seen: readonly Seen[]): string[] {
    const timed = seen.filter(({headers}) => headers["x-played-at"] !== undefined);
    return [...Map.groupBy(timed, ({headers}) => headers.host ?? "")].flatMap(([host, requests]) => {
      const times = requests.map(({headers}) => Number(headers["x-played-at"]));
      return times.some((at, i) => i > 0 && at >= times[i - 1]! && at - times[i - 1]! < 1000) ? [host] : [];
    });
  }
}

/** The setting that fixes the program's day. */
export function ofNight(day: string): {SOURCE_DATE_EPOCH: string} {
  return {SOURCE_DATE_EPOCH: String(Date.parse(`${day}T05:30:00Z`) / 1000)};
}

function lowerRowMinima(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const entry = JSON.parse(readFileSync(path, "utf8")) as {accept: {minRows: number}};
    const minRows = Math.floor(entry.accept.minRows * playedShare);
    writeFileSync(path, JSON.stringify({...entry, accept: {...entry.accept, minRows}}));
  }
}
