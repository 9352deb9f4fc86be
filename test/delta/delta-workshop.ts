import {mkdirSync, writeFileSync} from "node:fs";
import {get} from "node:http";
import {dirname, join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {keyDigest, newKey} from "../../lib/keys/api-keys.ts";
import {openStateArtifacts} from "../../lib/parcels/parcel-set.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {type DataFolder, dataFolder} from "../../lib/storage/data-folder.ts";
import {buildState} from "../../pipeline/parcels/build-state.ts";
import type {BuildOptions} from "../../pipeline/parts/options.ts";
import type {Stages} from "../../pipeline/parts/stages.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {Scope} from "../../schemas/api-key.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {type RunningServer, startServer} from "../../server/commands/start.ts";
import {createParcelEndpoints} from "../../server/parcels/parcel-endpoints.ts";
import {csv, invented, row} from "../pipeline/parcels/invented-source.ts";
import {silentLog} from "../silent-log.ts";
import {silently} from "../silently.ts";
import {type FakeCounty, fakeCadastre, layer, layerId} from "./fake-county.ts";

export type DeltaWorkshop = {
  readonly data: DataFolder;
  readonly key: string;
  readonly root: string;
  readonly fake: FakeCounty;
  /** Writes the county's file: parcels of these numbers, at 100 OAK ST and up, all of one value. */
  roll(pins: readonly string[], value?: number): void;
  options(changes?: Partial<BuildOptions>): BuildOptions;
  start(): Promise<RunningServer>;
};

/** So many parcel numbers of the county's file: `100-A`, `101-A` and so on. */
export function rollNumbers(count: number): string[] {
  return Array.from({length: count}, (_, i) => `${100 + i}-A`);
}

/** Settings of a test server: any port, no drain, never overloaded. */
export const settingsOf = (data: DataFolder) =>
  readSettings({
    CATTLE_DATA: data.root,
    CATTLE_PORT: "0",
    CATTLE_METRICS_PORT: "0",
    CATTLE_DRAIN_MS: "0",
    CATTLE_POLL_MS: "100",
    CATTLE_MAX_LOOP_DELAY_MS: "60000",
    CATTLE_MAX_IN_FLIGHT_PER_KEY: "256",
    CATTLE_RATE_PER_MINUTE: "1000000",
    CATTLE_OWNER_SEARCH_PER_DAY: "1000000",
  });

/** A key with every scope in its own file. */
function storedKey(file: string): string {
  const key = newKey();
  const facts = {id: "workshop", notBefore: "2020-01-01T00:00:00Z", notAfter: null, label: ""};
  writeFileSync(file, JSON.stringify([{...facts, sha256: keyDigest(key), scopes: Scope.options}]));
  return key;
}

/** The workshop of a new or used folder (the latter with its key): a raw file of the county, and servers that ask `fake`. */
export function deltaWorkshop(root: string, fake: FakeCounty, givenKey?: string): DeltaWorkshop {
  const data = dataFolder(join(root, "data"));
  const raw = join(root, "raw");
  mkdirSync(data.root, {recursive: true});
  const key = givenKey ?? storedKey(join(data.root, "keys.json"));
  return {
    root,
    data,
    key,
    fake,
    roll(pins, value = 1000) {
      const path = join(raw, "parcels/us-tx-invented/a.csv");
      mkdirSync(dirname(path), {recursive: true});
      writeFileSync(
        path,
        csv(pins.map((pin, i) => row(pin, {SITUS: `${100 + i} OAK ST`, VALUE: String(value)}))),
      );
      writeFileSync(`${path}.meta.json`, JSON.stringify({retrieved_at: "2026-11-01T00:00:00Z"}));
    },
    options: (changes = {}) => ({
      rawDir: raw,
      listFiles: () => listRawFiles(raw),
      data,
      asOf: "2026-11-21",
      only: null,
      noReuse: false,
      acceptances: [],
      allowNetworkFs: true,
      stages: inventedStages as unknown as Stages,
      now: () => new Date("2026-11-21T04:00:00Z"),
      step: silently,
      ...changes,
    }),
    start: () =>
      startServer({
        settings: settingsOf(data),
        version: "test",
        log: silentLog,
        endpoints: ({discoveries}) =>
          createParcelEndpoints({
            cadastre: fakeCadastre(fake, discoveries),
            sources: (id) => (id === layerId ? layer : id === "us-tx-invented" ? invented() : undefined),
          }),
        openState: openStateArtifacts,
        // Builds of a workshop have a fixed day, but its tests run on others.
        now: () => new Date("2026-11-22T00:00:00Z"),
      }),
  };
}

const inventedStages: Stages<ParcelSource> = {
  entries: [invented()],
  layers: () => [{...layer, coverage: {country: "US", state: "TX"}}],
  waves: [],
  marketFeeds: [],
  marketSources: [],
  codeDigest: () => "code of the tests",
  buildMarket: () => Promise.reject(new Error("no market here")),
  buildState,
};

type Provenance = {source?: string};

/** The members of a body that tests read; a problem has fewer. */
export type TestBody = {
  status: string;
  reasons: string[];
  build_id: string | null;
  property: {
    parcelUid: string;
    ownerName: string;
    totalMarketValue: number;
    provenance: {default: Provenance; fields: Record<string, Provenance>};
  };
  metadata: {
    lookup: {origin: string; persisted?: boolean};
    generatedAt: string;
    total: number;
    buildId: string;
  };
};

export type Told = {status: number; etag: string | undefined; body: Partial<TestBody>};

/** Asks a server. */
export function ask({key}: {key: string}, {port}: {port: number}, path: string): Promise<Told> {
  return new Promise((resolve, reject) => {
    const headers = {"X-API-Key": key};
    get({host: "127.0.0.1", port, path, headers, agent: false}, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          etag: response.headers.etag,
          body: text === "" ? {} : (JSON.parse(text) as Partial<TestBody>),
        }),
      );
    }).on("error", reject);
  });
}

/** Retries for at most 5 s until the condition holds, else throws. */
export async function until(wanted: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await wanted()) return;
    await sleep(25);
  }
  throw new Error("it did not come within 5 s");
}
