import {type LookupAddress, lookup as systemLookup} from "node:dns";
import type {LookupFunction} from "node:net";
import ipaddr from "ipaddr.js";
import {bodyBytes, RefusedBody} from "../../lib/http/body.ts";
import {retryAfterMs} from "../../lib/http/retry-after.ts";

type Resolve = (host: string, done: (fault: Error | null, addresses: LookupAddress[]) => void) => void;

const resolveAll: Resolve = (host, done) => systemLookup(host, {all: true, verbatim: true}, done);

/** The outcome of a call to a county. The reason is for our log and never contains a value of the question. */
export type UpstreamOutcome =
  | {readonly kind: "answer"; readonly body: Buffer}
  | {
      readonly kind: "failed";
      readonly status: "unavailable" | "timeout" | "rejected";
      readonly reason: string;
      /** The server's `Retry-After`, capped at an hour. */
      readonly retryAfterMs?: number;
      /** What the failure tells of the layer, where that is more than `status` tells. */
      readonly mark?: "gone" | "certificate";
    };

type Budgets = {
  connectMs: number;
  headersMs: number;
  betweenChunksMs: number;
  maxBytes: number;
};

/** Limits of `docs/design/reliability.md` section 5; the caller's AbortSignal limits the question as a whole. */
const budgets: Budgets = {
  connectMs: 2000,
  headersMs: 5000,
  betweenChunksMs: 3000,
  maxBytes: 4 * 1024 * 1024,
};

export type Upstream = {
  /** Posts a form, so that its values stay out of foreign access logs. Never rejects. */
  ask(url: string, form: Record<string, string>, signal: AbortSignal): Promise<UpstreamOutcome>;
  close(): Promise<void>;
};

export type UpstreamOptions = {
  userAgent: string;
  limits?: Partial<Budgets>;
  /** Only for tests on loopback; no setting reaches it. */
  isAllowedAddress?: (address: string) => boolean;
  refusal?: (url: string) => string | null;
};

const MAX_RETRY_AFTER_MS = 3_600_000;
const RETRIED: ReadonlySet<string> = new Set(["ECONNREFUSED", "ECONNRESET", "UND_ERR_SOCKET"]);
const TIMEOUTS: ReadonlySet<string> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/** Creates the only client for foreign hosts: https, public addresses, no redirects or proxies, limits on time and size. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const limits = {...budgets, ...options.limits};
  const {refusal = refusalOfUrl, isAllowedAddress = isPublicAddress} = options;
  // Loaded with the first question: many servers never ask a county.
  const load = async () => {
    const {Agent, request} = await import("undici");
    const agent = new Agent({
      connect: {timeout: limits.connectMs, lookup: checkedLookup(isAllowedAddress)},
      headersTimeout: limits.headersMs,
      bodyTimeout: limits.betweenChunksMs,
    });
    return {agent, request};
  };
  let client: ReturnType<typeof load> | undefined;

  async function once(
    url: string,
    form: Record<string, string>,
    signal: AbortSignal,
  ): Promise<UpstreamOutcome> {
    client ??= load();
    const {agent, request} = await client;
    const response = await request(url, {
      method: "POST",
      dispatcher: agent,
      signal,
      headers: {
        "user-agent": options.userAgent,
        accept: "application/json",
        "accept-encoding": "gzip, deflate, br",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(form).toString(),
    });
    if (response.statusCode !== 200) {
      await response.body.dump({limit: 64 * 1024}).catch(() => undefined);
      return failedStatus(response.statusCode, headerText(response.headers["retry-after"]));
    }
    const coding = headerText(response.headers["content-encoding"]);
    return {kind: "answer", body: await bodyBytes(response.body, coding, limits.maxBytes)};
  }

  return {
    async ask(url, form, signal) {
      const refused = refusal(url);
      if (refused !== null) return {kind: "failed", status: "rejected", reason: refused};
      try {
        return await once(url, form, signal).catch((fault: unknown) => {
          if (signal.aborted || !RETRIED.has(codeOf(fault))) throw fault;
          return once(url, form, signal);
        });
      } catch (fault) {
        return failure(fault, signal);
      }
    },
    close: async () => (await client)?.agent.destroy(),
  };
}

function failedStatus(status: number, retryAfter: string | undefined): UpstreamOutcome {
  const waitMs = retryAfterMs(retryAfter, Date.now(), MAX_RETRY_AFTER_MS);
  const wait = waitMs === null ? {} : {retryAfterMs: waitMs};
  const gone = status === 404 || status === 410 ? ({mark: "gone"} as const) : {};
  return {kind: "failed", status: "unavailable", reason: `status ${status}`, ...wait, ...gone};
}

function failure(fault: unknown, signal: AbortSignal): UpstreamOutcome {
  if (fault instanceof RefusedBody) return {kind: "failed", status: "rejected", reason: fault.message};
  const code = codeOf(fault);
  if (signal.aborted || TIMEOUTS.has(code))
    return {kind: "failed", status: "timeout", reason: code || "deadline"};
  if (code.startsWith("Z_") || code.startsWith("ERR__ERROR_FORMAT")) {
    return {kind: "failed", status: "rejected", reason: "broken compression"};
  }
  const mark = markOfCode(code);
  return {
    kind: "failed",
    status: "unavailable",
    reason: code || "connection failed",
    ...(mark === null ? {} : {mark}),
  };
}

/** A host without an address is gone; the codes of OpenSSL name the certificate. */
function markOfCode(code: string): "gone" | "certificate" | null {
  if (code === "ENOTFOUND") return "gone";
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code) ? "certificate" : null;
}

function codeOf(fault: unknown): string {
  const code = (fault as {code?: unknown} | null)?.code;
  return typeof code === "string" ? code : "";
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** True for a public internet address: not private, local or reserved. IPv4-mapped IPv6 is unmapped first. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

/** Returns the reason to refuse a layer's URL. Null for https with a host name (not an IP literal) and without credentials. */
export function refusalOfUrl(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null) return "not a URL";
  if (parsed.protocol !== "https:") return `${parsed.protocol} in place of https:`;
  if (parsed.username !== "" || parsed.password !== "") return "credentials in the URL";
  return ipaddr.isValid(parsed.hostname.replace(/^\[|\]$/g, ""))
    ? "a literal address in place of a host name"
    : null;
}

/**
 * Creates a DNS lookup that fails if any address of the host is not allowed. The connection uses the very addresses checked here, so the
 * name cannot resolve differently between check and use.
 */
export function checkedLookup(
  isAllowed: (address: string) => boolean = isPublicAddress,
  resolve: Resolve = resolveAll,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (fault, addresses) => {
      const refused = addresses?.find(({address}) => !isAllowed(address));
      if (fault !== null || refused !== undefined || addresses.length === 0) {
        callback(fault ?? new Error("the host has an address that is not public"), "", 0);
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, addresses[0]!.address, addresses[0]!.family);
      }
    });
  };
}
