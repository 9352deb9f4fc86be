import {isIP} from "node:net";
import {z} from "zod";

const originWords =
  "origins such as https://app.example.org, separated by commas: scheme, host and port, http only for this machine, no path, no *";
const contactWords =
  "Western letters (Latin-1) on one line, as a request header holds no others: an address such as you@example.org";
const milesWords = "a number of miles above 0, at most 10, with at most 2 decimals";

/** All `CATTLE_*` settings with default and description. Values are texts; an empty one counts as absent. */
export const Settings = z.strictObject({
  CATTLE_DATA: z
    .string()
    .default("data")
    .describe(
      "Data folder: raw, builds, current, delta, run, metrics, models, keys.json, terms.json, first-seen.json",
    ),
  CATTLE_REGISTRY: z
    .string()
    .default("")
    .describe("Folder of the registry of sources, instead of the program's own data/sources"),
  CATTLE_HOST: shortText(255).default("127.0.0.1").describe("Address to listen on"),
  CATTLE_PORT: wholeNumber(0, 65_535).default(8080).describe("Port to listen on; 0 chooses a free one"),
  CATTLE_METRICS_PORT: wholeNumber(0, 65_000)
    .default(9464)
    .describe("Port of the metrics on 127.0.0.1, to which the process number is added; 0 for none"),
  CATTLE_PROCESSES: wholeNumber(1, 64)
    .default(1)
    .describe("Server processes on the port; rate limits are divided by it"),
  CATTLE_PROCESS_NUMBER: wholeNumber(0, 63).default(0).describe("Number of this process, counted from 0"),
  CATTLE_RATE_PER_MINUTE: wholeNumber(1, 1_000_000).default(120).describe("Requests per minute and key"),
  CATTLE_OWNER_SEARCH_PER_DAY: wholeNumber(1, 10_000_000)
    .default(2_000)
    .describe("Owner searches per day and key"),
  CATTLE_REFUSALS_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(600)
    .describe("Calls without a valid key per minute and client address that get 403; further ones get 429"),
  CATTLE_MAX_IN_FLIGHT: wholeNumber(1, 100_000)
    .default(256)
    .describe(
      "Requests in flight per process; beyond that requests get 503, those of the busiest keys first",
    ),
  CATTLE_MAX_IN_FLIGHT_PER_KEY: wholeNumber(1, 100_000)
    .default(32)
    .describe("Requests in flight per key; further ones of the key get 429"),
  CATTLE_MAX_LOOP_DELAY_MS: wholeNumber(10, 60_000)
    .default(200)
    .describe(
      "Event-loop delay (p99 of a second, ms) beyond which, for three seconds in a row, requests get 503, those of the busiest keys first",
    ),
  CATTLE_DEADLINE_MS: wholeNumber(100, 60_000).default(10_000).describe("Maximum time for one answer, ms"),
  CATTLE_KEEP_ALIVE_MS: wholeNumber(1_000, 600_000)
    .default(5_000)
    .describe("Idle time of a kept connection, ms; 65000 behind a proxy"),
  CATTLE_DRAIN_MS: wholeNumber(0, 20_000)
    .default(5_000)
    .describe("Wait between the readiness check returning 503 and the listener closing, ms"),
  CATTLE_POLL_MS: wholeNumber(100, 600_000)
    .default(2_000)
    .describe("Interval at which data/current and keys.json are checked, ms; keys.json at least every 5000"),
  CATTLE_TRUST_PROXY: shortText(1_000)
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .refine((parts) => parts.every(isAddressOrNetwork), "addresses or networks, separated by commas")
    .default([])
    .describe(
      "Addresses or networks of proxies in front, separated by commas, whose X-Forwarded-For names the client; none by default",
    ),
  CATTLE_MAX_RADIUS_MILES: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,2})?$/, milesWords)
    .transform(Number)
    .pipe(z.number().positive(milesWords).max(10, milesWords))
    .default(2)
    .describe("Maximum radius of a location search, miles, up to 10"),
  CATTLE_CADASTRE: yesOrNo()
    .default(true)
    .describe("0 to query no county on a parcel miss: only the dataset is used"),
  CATTLE_CADASTRE_MS: wholeNumber(1_000, 9_000)
    .default(8_000)
    .describe("Maximum time for querying a county, ms, over all calls of a request"),
  CATTLE_FUTURES_LICENSED: yesOrNo()
    .default(false)
    .describe("1 where this deployment may redistribute exchange settlements"),
  CATTLE_ALLOW_NETWORK_FS: yesOrNo()
    .default(false)
    .describe("1 to accept a data folder on a network file system"),
  CATTLE_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"], "trace, debug, info, warn, error or silent")
    .default("info")
    .describe("Minimum level of a log line"),
  CATTLE_CONTACT: shortText(200)
    .regex(/^[\x20-\x7e\xa0-\xff]*$/, contactWords)
    .default("")
    .describe(
      "Contact of the operator, sent as part of the User-Agent to sources; Western letters (Latin-1)",
    ),
  CATTLE_FETCH_STATES: shortText(1_000)
    .transform((text) => text.split(",").map((part) => part.trim().toUpperCase()))
    .refine(
      (parts) => parts.every((part) => /^[A-Z]{2}$/.test(part)),
      "two letters each, separated by commas",
    )
    .default([])
    .describe("States whose parcels `cattle fetch` pulls, separated by commas; all when empty"),
  CATTLE_FETCH_HOURS: wholeNumber(1, 168)
    .default(4)
    .describe("Maximum time of a run of `cattle fetch`, hours"),
  CATTLE_FETCH_GIB: wholeNumber(1, 10_000)
    .default(64)
    .describe("Maximum download of a run of `cattle fetch`, GiB"),
  CATTLE_PROXY: z
    .string()
    .default("")
    .refine((text) => text === "" || isHostAddress(text), "http://host:port")
    .describe("HTTP proxy for `cattle fetch`, also http://user:password@host:port; none when empty"),
  CATTLE_FETCH_FILE_GIB: wholeNumber(1, 1_000).default(8).describe("Maximum size of a fetched file, GiB"),
  CATTLE_DOCS: yesOrNo()
    .default(true)
    .describe("0 to serve no pages: neither the one at / nor the reference at /docs nor those at /problems"),
  CATTLE_FILES: yesOrNo()
    .default(false)
    .describe("1 to serve the published tables below /files/ to keys with the scope files"),
  CATTLE_MCP_SQL: yesOrNo()
    .default(false)
    .describe("1 to let agents with a key of scope files run SQL on the published tables (ask_sql of /mcp)"),
  CATTLE_CORS_ORIGINS: shortText(4_000)
    .transform((text) => text.split(",").map((part) => part.trim()))
    .refine((parts) => parts.every(isBrowserOrigin), originWords)
    .default([])
    .describe(
      "Origins of web pages that may call this server from a browser, separated by commas, such as https://app.example.org; none by default",
    ),
  CATTLE_SERVER: shortText(500)
    .refine((text) => text === "" || isHttpAddress(text), "an address that begins with https:// or http://")
    .default("")
    .describe(
      "Address of a server that `cattle mcp` queries; by default it uses the build in the data folder",
    ),
  CATTLE_SERVER_KEY: secret().describe("Key for the server at CATTLE_SERVER"),
  CATTLE_MARS_KEY: secret().describe("Key of the market-news service (My Market News), for `cattle fetch`"),
  CATTLE_QUICKSTATS_KEY: secret().describe("Key of NASS Quick Stats, for `cattle fetch`"),
  CATTLE_EIA_KEY: secret().describe("Key of the EIA service, for `cattle fetch`"),
});
export type Settings = z.infer<typeof Settings>;
export type SettingName = keyof Settings;

/** Settings that are read only from the file that `<name>_FILE` names, never from the environment itself. */
export const secretSettings: readonly SettingName[] = [
  "CATTLE_SERVER_KEY",
  "CATTLE_MARS_KEY",
  "CATTLE_QUICKSTATS_KEY",
  "CATTLE_EIA_KEY",
];

/** Settings whose addresses may hold a user and a password. */
export const addressSettings: readonly SettingName[] = ["CATTLE_PROXY", "CATTLE_SERVER"];

function wholeNumber(min: number, max: number) {
  const words = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, words)
    .transform(Number)
    .pipe(z.number().min(min, words).max(max, words));
}

function shortText(max: number) {
  return z.string().max(max, `at most ${max} characters`);
}

function isAddressOrNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const maxBits = {0: -1, 4: 32, 6: 128}[isIP(address)] ?? -1;
  return (
    rest.length === 0 &&
    maxBits > 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
  );
}

/** True for an exact origin as a browser sends it; without TLS only for a page of this machine. */
function isBrowserOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const {origin, protocol, hostname} = new URL(text);
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  return origin === text && (protocol === "https:" || (protocol === "http:" && isLocal));
}

function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function isHostAddress(text: string): boolean {
  return isHttpAddress(text) && /^https?:\/\/[^/]+\/?$/.test(text);
}

function yesOrNo() {
  return z
    .enum(["0", "1", "false", "true"], "0, 1, false or true")
    .transform((text) => text === "1" || text === "true");
}

function secret() {
  return shortText(500).nullable().default(null);
}
