import {keyDigest} from "../../lib/keys/api-keys.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {Scope} from "../../schemas/api-key.ts";
import type {Generation} from "../../server/generation/generation.ts";
import {createApp} from "../../server/http/app.ts";
import type {Endpoint} from "../../server/http/endpoint.ts";
import {fixedKeyStore} from "../../test/server/fixed-key-store.ts";
import {silentLog} from "../../test/silent-log.ts";

/** The API key of benches, valid only for the bench's own server. */
export const benchKey = "cattle_bench_0123456789abcdef0123456789abcdef";

/** The whole application (access, limits, headers, ETag, metrics) over one generation, with limits that no bench reaches. */
export function benchedApp(endpoints: readonly Endpoint[], generation: Generation) {
  const record = {
    id: "key-bench",
    sha256: keyDigest(benchKey),
    scopes: [...Scope.options],
    notBefore: "2020-01-01T00:00:00Z",
    notAfter: null,
    label: "bench",
  };
  return createApp({
    endpoints,
    generation: () => generation,
    readiness: () => ({generation, draining: false, mapping: "mmap", reasons: []}),
    keys: fixedKeyStore([record]),
    settings: readSettings({
      CATTLE_RATE_PER_MINUTE: "1000000",
      CATTLE_OWNER_SEARCH_PER_DAY: "10000000",
      CATTLE_MAX_LOOP_DELAY_MS: "60000",
      CATTLE_DEADLINE_MS: "60000",
      CATTLE_MAX_IN_FLIGHT_PER_KEY: "256",
    }),
    version: "bench",
    log: silentLog,
  });
}
