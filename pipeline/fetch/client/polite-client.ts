import type {Readable} from "node:stream";
import {Agent, type Dispatcher, ProxyAgent, request} from "undici";
import {messageOf} from "../../../lib/errors.ts";
import {retryAfterMs} from "../../../lib/http/retry-after.ts";
import type {Rate} from "../../../schemas/fetch-source.ts";
import {FetchError, type RetryPolicy, refusalOfAddress, shownAddress, withRetries} from "./fetch-error.ts";
import {HostGate} from "./host-gate.ts";

/** The longest wait that is believed. */
const mostWaitMs = 6 * 3_600_000;

/** A request to a source. The secret is added to the query or a header only at the moment of sending. */
export type Question = {
  readonly url: string;
  /** Evaluated for every try, because a download resumes at the byte where the last try was cut. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Form to POST; sent as a GET query if the server does not accept POST. */
  readonly form?: Readonly<Record<string, string>>;
  readonly secret?: {readonly parameter: string; readonly value: string} | {readonly user: string};
  /** True if its caller asks for less where an answer takes too long: such a question is not asked again. */
  readonly isPartible?: boolean;
};

/** Rate, hosts and timeout of one source. */
export type RequestPolicy = {
  readonly hosts: ReadonlySet<string>;
  readonly rate: Rate;
  /** Longest silence tolerated from the server. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called for each request sent. */
  readonly onRequest?: () => void;
};

/** The answer to a request; its body is consumed before the next request to the host starts. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Readable;
};

const defaultRetries: RetryPolicy = {
  retries: 5,
  firstPauseMs: 1000,
  serverErrorPauseMs: 5000,
  maxWaitMs: 60_000,
};
const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Redirects that preserve the method; after others a POST becomes a GET (RFC 9110, section 15.4). */
const methodKeepingRedirects: ReadonlySet<number> = new Set([307, 308]);

/** Where a question must be asked instead, as a GET or unchanged. */
type Elsewhere = {readonly at: URL; readonly asGet: boolean};

/** The HTTP client for all sources (`docs/design/fetching.md` section 1, rules 2, 6 and 7). */
export class PoliteClient implements AsyncDisposable {
  readonly #userAgent: string;
  readonly #retries: RetryPolicy;
  readonly #agent: Dispatcher;
  readonly #gates = new Map<string, HostGate>();

  /** `proxy` is the URL of an HTTP proxy for all requests; empty for none. */
  constructor({
    userAgent,
    retries = {},
    proxy = "",
  }: {userAgent: string; retries?: Partial<RetryPolicy>; proxy?: string}) {
    this.#userAgent = userAgent;
    const connect = {timeout: 20_000};
    this.#agent = proxy === "" ? new Agent({connect}) : new ProxyAgent({uri: proxy, requestTls: connect});
    this.#retries = {...defaultRetries, ...retries};
  }

  /**
   * Sends a request and returns what `take` makes of the reply (status 200, 206 or 304). Cut connections and transient faults are retried,
   * including a failure while reading the body. Rejects with a `FetchError`, or with the fault of `take`.
   */
  async ask<T>(question: Question, policy: RequestPolicy, take: (reply: Reply) => Promise<T>): Promise<T> {
    const work = () => this.#follow(question, policy, take);
    const {isPartible = false} = question;
    return withRetries(work, {...this.#retries, isPartible}, policy.signal).catch((fault: unknown) => {
      throw policy.signal.aborted ? endOfTime(policy.signal, fault) : fault;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#agent.destroy();
  }

  /** Sends the request and follows redirects, as long as the entry names the host. */
  async #follow<T>(
    question: Question,
    policy: RequestPolicy,
    take: (reply: Reply) => Promise<T>,
  ): Promise<T> {
    let address = new URL(question.url);
    let current = question;
    const origin = address.origin;
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const outcome = await this.#once(
        address,
        withSecretOf(current, address.origin === origin),
        policy,
        take,
      );
      if ("taken" in outcome) return outcome.taken;
      address = outcome.asGet ? withForm(outcome.at, current.form) : outcome.at;
      if (outcome.asGet) current = {...current, form: undefined};
    }
    throw new FetchError("refused", `${shownAddress(address)}: more than ${maxRedirects} redirects`);
  }

  async #once<T>(
    address: URL,
    question: Question,
    policy: RequestPolicy,
    take: (reply: Reply) => Promise<T>,
  ): Promise<Elsewhere | {taken: T}> {
    const refusal = refusalOfAddress(address, policy.hosts);
    if (refusal !== null) throw new FetchError("refused", `${shownAddress(address)}: ${refusal}`);
    const gate = this.#gateOf(address.host, policy.rate);
    return gate.pass(async () => {
      try {
        return await this.#send(address, question, policy, take);
      } catch (thrown) {
        const fault = asFetchError(thrown, address);
        if (fault instanceof FetchError && fault.retryAfterMs !== null) gate.holdFor(fault.retryAfterMs);
        throw fault;
      }
    }, policy.signal);
  }

  async #send<T>(
    address: URL,
    question: Question,
    {timeoutMs, signal, onRequest}: RequestPolicy,
    take: (reply: Reply) => Promise<T>,
  ): Promise<Elsewhere | {taken: T}> {
    onRequest?.();
    const {headers, body} = messageOfQuestion(question, this.#userAgent);
    const response = await request(withParameter(address, question), {
      method: body === undefined ? "GET" : "POST",
      dispatcher: this.#agent,
      signal,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      headers,
      ...(body === undefined ? {} : {body}),
    });
    const reply: Reply = {
      status: response.statusCode,
      headers: plainHeaders(response.headers),
      body: response.body,
    };
    try {
      const isPost = question.form !== undefined;
      if (redirects.has(reply.status))
        return {at: redirectOf(reply, address), asGet: isPost && !methodKeepingRedirects.has(reply.status)};
      if (reply.status === 405 && isPost) return {at: address, asGet: true};
      if (![200, 206, 304].includes(reply.status)) throw statusFault(reply, address);
      return {taken: await take(reply)};
    } finally {
      await response.body.dump({limit: 64 * 1024}).catch(() => undefined);
    }
  }

  #gateOf(host: string, rate: Rate): HostGate {
    const gate = this.#gates.get(host) ?? new HostGate(host, rate, this.#retries.maxWaitMs);
    this.#gates.set(host, gate);
    return gate;
  }
}

/** The fault of a request that ran out of time: the server's last error followed by whose time ran out, or just the latter. */
function endOfTime({reason}: AbortSignal, fault: unknown): FetchError {
  const over = reason instanceof FetchError ? reason : new FetchError("limit", "the time of the run is over");
  if (!(fault instanceof FetchError) || fault.kind === "limit") return over;
  const {kind, status, retryAfterMs} = fault;
  return new FetchError(kind, `${fault.message}; then ${over.message}`, {status, retryAfterMs});
}

/** Adds form fields to a URL's query, except those already present. */
function withForm(address: URL, posted: Question["form"]): URL {
  const withQuery = new URL(address);
  for (const [name, value] of Object.entries(posted ?? {}))
    if (!withQuery.searchParams.has(name)) withQuery.searchParams.set(name, value);
  return withQuery;
}

/** Drops the secret for any other origin. */
function withSecretOf(question: Question, isSameOrigin: boolean): Question {
  const {secret, form, ...rest} = question;
  return {
    ...rest,
    ...(form === undefined ? {} : {form}),
    ...(secret !== undefined && isSameOrigin ? {secret} : {}),
  };
}

function withParameter(address: URL, {secret}: Question): URL {
  if (secret === undefined || !("parameter" in secret)) return address;
  const withSecret = new URL(address);
  withSecret.searchParams.set(secret.parameter, secret.value);
  return withSecret;
}

function messageOfQuestion({headers, form, secret}: Question, userAgent: string) {
  const user = secret !== undefined && "user" in secret ? secret.user : null;
  return {
    headers: {
      "user-agent": userAgent,
      ...headers?.(),
      ...(user === null ? {} : {authorization: `Basic ${Buffer.from(`${user}:`).toString("base64")}`}),
      ...(form === undefined ? {} : {"content-type": "application/x-www-form-urlencoded"}),
    },
    body: form === undefined ? undefined : new URLSearchParams(form).toString(),
  };
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Reply["headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}

function redirectOf({headers, status}: Reply, address: URL): URL {
  const target = URL.parse(headers["location"] ?? "", address.href);
  if (target !== null) return target;
  throw new FetchError("refused", `${shownAddress(address)}: ${status} without a Location`);
}

function statusFault({status, headers}: Reply, address: URL): FetchError {
  const wait = retryAfterMs(headers["retry-after"], Date.now(), mostWaitMs);
  return new FetchError("status", `${shownAddress(address)}: status ${status}`, {status, retryAfterMs: wait});
}

/** Converts connection errors to transient faults and certificate errors to refusals; returns others, such as a header that cannot be sent, unchanged. */
function asFetchError(thrown: unknown, address: URL): unknown {
  const code = String((thrown as {code?: unknown} | null)?.code ?? "");
  if (/CERT|SSL|TLS|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code))
    return new FetchError("refused", `${shownAddress(address)}: certificate refused (${code})`, {code});
  if (
    /^(UND_ERR_(?!INVALID)|E(CONN|PIPE|HOST|NET|AI_|TIMEDOUT|NOTFOUND)|ERR_STREAM_PREMATURE|Z_BUF)/.test(code)
  )
    return new FetchError(
      unreachedCodes.has(code) ? "unreached" : code.endsWith("_TIMEOUT") ? "timeout" : "connection",
      `${shownAddress(address)}: ${connectionWords[code] ?? messageOf(thrown)} (${code})`,
      {code},
    );
  return thrown;
}

/** System codes of a host that was not found or not reached. */
const unreachedCodes: ReadonlySet<string> = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "ECONNREFUSED",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Faults of the network whose message from the system has neither subject nor verb. */
const connectionWords: Readonly<Record<string, string>> = {
  ENOTFOUND: "host name not found (DNS): check the address, the network or CATTLE_PROXY",
  EAI_AGAIN: "host name lookup failed (DNS)",
  ENETUNREACH: "network unreachable",
};
