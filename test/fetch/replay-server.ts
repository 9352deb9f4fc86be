import {createHash} from "node:crypto";
import {createServer, type IncomingMessage, type Server, type ServerResponse} from "node:http";
import type {AddressInfo} from "node:net";

/** A request as received by the server. */
export type Seen = {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  status: number;
};

export type Answer = (request: Seen, reply: ServerResponse) => void | Promise<void>;

/** One server that plays all upstreams; unknown paths get 404. */
export class ReplayServer implements AsyncDisposable {
  readonly seen: Seen[] = [];
  readonly #server: Server;
  readonly #answers: {prefix: string; answer: Answer}[] = [];

  private constructor() {
    this.#server = createServer((message, reply) => this.take(message, reply));
  }

  static async start(port = 0): Promise<ReplayServer> {
    const replay = new ReplayServer();
    await new Promise<void>((resolve) => replay.#server.listen(port, "127.0.0.1", resolve));
    return replay;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Answers everything below a path; the longest prefix wins, and of equal ones the latest. */
  on(prefix: string, answer: Answer): this {
    this.#answers.unshift({prefix, answer});
    this.#answers.sort((a, b) => b.prefix.length - a.prefix.length);
    return this;
  }

  /** The current answer of a path, for a test that replaces it temporarily. */
  answerOf(path: string): Answer {
    return this.#answers.find(({prefix}) => path.startsWith(prefix))!.answer;
  }

  /** Requests below a path since the last `forget`. */
  of(prefix: string): Seen[] {
    return this.seen.filter(({path}) => path.startsWith(prefix));
  }

  forget(): void {
    this.seen.length = 0;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Answers a message, which may have come by another server. */
  take(message: IncomingMessage, reply: ServerResponse): void {
    void this.#answer(message, reply);
  }

  async #answer(message: IncomingMessage, reply: ServerResponse): Promise<void> {
    const url = new URL(message.url ?? "/", this.origin);
    let body = "";
    for await (const chunk of message) body += String(chunk);
    const query = new URLSearchParams([...url.searchParams, ...new URLSearchParams(body)]);
    const request: Seen = {
      ...{at: performance.now(), method: message.method ?? "GET", path: url.pathname, query},
      headers: message.headers,
      status: 0,
    };
    this.seen.push(request);
    reply.on("close", () => {
      request.status = reply.statusCode;
    });
    const known = this.#answers.find(({prefix}) => url.pathname.startsWith(prefix));
    if (known === undefined) return void reply.writeHead(404).end("no such place");
    await known.answer(request, reply);
  }
}

/** Passes an answer through with its text changed. */
export function changed(answer: Answer, change: (text: string) => string): Answer {
  return (request, reply) => {
    const end = reply.end.bind(reply);
    reply.end = ((body?: unknown) =>
      end(typeof body === "string" ? change(body) : (body as string))) as typeof reply.end;
    return answer(request, reply);
  };
}

/** Answers with a file, supporting ETags, 304, ranges and a length. */
export function file(content: () => Buffer, {type = "application/octet-stream"} = {}): Answer {
  return ({headers}, reply) => {
    const bytes = content();
    const etag = tagOf(bytes);
    if (headers["if-none-match"] === etag) return void reply.writeHead(304, {etag}).end();
    const from = /^bytes=(\d+)-$/.exec(headers["range"] ?? "")?.[1];
    const goesOn = from !== undefined && headers["if-range"] === etag;
    if (goesOn && Number(from) >= bytes.length) return void reply.writeHead(416).end();
    const part = goesOn ? bytes.subarray(Number(from)) : bytes;
    const range = goesOn ? {"content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}`} : {};
    reply.writeHead(goesOn ? 206 : 200, {
      etag,
      "content-type": type,
      "content-length": part.length,
      ...range,
    });
    reply.end(part);
  };
}

/** Answers with JSON; equal content has an equal ETag, and gets 304 if the client has it. */
export function json(content: (request: Seen) => unknown): Answer {
  return (request, reply) => {
    const text = JSON.stringify(content(request));
    const etag = tagOf(text);
    if (request.headers["if-none-match"] === etag) return void reply.writeHead(304, {etag}).end();
    reply.writeHead(200, {"content-type": "application/json", etag}).end(text);
  };
}

/** The strong ETag of a content. */
export function tagOf(content: Buffer | string): string {
  return `"${createHash("sha256").update(content).digest("hex").slice(0, 16)}"`;
}
