import {createHash} from "node:crypto";
import {Agent, request} from "node:http";
import {byNumber} from "../../test/crash/known-county.ts";
import {brazos} from "../../test/server/cadastre/county-fixture.ts";

/** What the answers of a soak showed. */
export type Findings = {
  /** Answers by kind of request and status. */
  readonly statuses: Map<string, number>;
  /** Numbers whose answer said `persisted: true`. */
  readonly acknowledged: string[];
  readonly lost: string[];
  /** Answers of which one part is of one build and one of another. */
  readonly mixed: string[];
  /** Answers with another status, or other contents, than their request has by its kind. */
  readonly wrong: string[];
};

export type Soaked = {
  readonly port: number;
  readonly key: string;
  readonly findings: Findings;
  /** The value of the marked parcel in each build. */
  readonly values: ReadonlyMap<string, number>;
};

type Told = {status: number; build: string; bytes: Buffer};
type Body = {
  property?: {parcelUid: string; totalMarketValue: number};
  metadata?: {buildId?: string; lookup?: {origin?: string; persisted?: boolean}};
};

const agent = new Agent({keepAlive: true, maxSockets: 64});
const lookups = "/public/land-agent/property";
const marked = `${lookups}/parcel-id-lookup?state=TX&county=Erath&parcelId=R000990001`;
/** Requests whose answer is the same kind of thing at every time, with the status that each has. */
const plain: readonly (readonly [kind: string, status: number, path: string])[] = [
  ["market", 200, "/price-by-county?zip=85326&limit=3&class=steers&weight=550"],
  ["market", 200, "/price-by-county?zip=76401&curve=full"],
  ["market", 200, "/price-by-state?state=TX"],
  ["market", 200, "/latest-prices?zip=76401&limit=20"],
  ["market", 200, "/dealers/stats?state=TX"],
  ["market", 200, "/barns?zip=85326&radius=100"],
  ["market", 200, "/cattle-sale-barn-directory?state=TX"],
  ["coverage", 200, "/coverage?state=TX"],
  ["parcels", 200, `${lookups}/address-lookup?address=116+W+Bluestem+Rd&state=TX`],
  ["parcels", 200, `${lookups}/location-search?latitude=33.33&longitude=-112.93&radius=0.5&use=agriculture`],
  ["parcels", 200, `${lookups}/owner-search?state=TX&owner=MESQUITESON`],
  ["page", 200, "/"],
  ["page", 200, "/docs"],
  ["refused", 400, "/price-by-county?zip=85326&limit=-1"],
  ["refused", 404, "/nothing-here"],
];
const question = {jsonrpc: "2.0", id: 1, method: "tools/call"};
const nearZip = {name: "prices_near_zip", arguments: {zip: "85326", class: "steers", weight: 550}};

/** The requests of a soak, one at each call, in a mixture that repeats; none rejects. */
export function mixedLoad(soaked: Soaked): () => Promise<void> {
  let turn = 0;
  let missed = 0;
  const kinds: ((at: number) => Promise<void>)[] = [
    ...plain.map((row) => () => askPlain(soaked, row)),
    ...Array.from({length: 3}, () => () => askMarked(soaked)),
    ...Array.from({length: 2}, () => () => askNew(soaked, `M${process.pid % 1000}-${missed++}`)),
    () => askAbsent(soaked, `Z-${missed++}`),
    ...Array.from({length: 4}, () => () => askAgain(soaked)),
    ...Array.from({length: 2}, () => (at: number) => askFile(soaked, at)),
    ...Array.from({length: 2}, () => () => askTool(soaked)),
    () => askWithoutKey(soaked),
  ];
  return async () => {
    const at = turn++;
    // Multiplied by a number that shares no factor with their count, so that kinds alternate.
    await kinds[(at * 7) % kinds.length]!(at).catch((error: Error) =>
      soaked.findings.wrong.push(`failed: ${error.message}`),
    );
  };
}

/** Asks an acknowledged parcel; it is lost if it is not found without the county. */
export async function askKnown(soaked: Soaked, id: string): Promise<void> {
  const told = await asked(soaked, "again", 200, byCounty(id));
  const {property, metadata} = bodyOf(told);
  if (told.status !== 200 || metadata?.lookup?.origin === "cadastre" || property?.parcelUid !== uidOf(id))
    soaked.findings.lost.push(`${id}: ${told.status} ${metadata?.lookup?.origin} ${property?.parcelUid}`);
}

const uidOf = (id: string) => `${brazos.key}-${id}`;
const byCounty = (id: string) => byNumber(id).replace("Travis", "Brazos");

async function askPlain(soaked: Soaked, [kind, status, path]: (typeof plain)[number]): Promise<void> {
  const told = await asked(soaked, kind, status, path);
  const {metadata} = told.status === 200 && kind !== "page" ? bodyOf(told) : {};
  const said = metadata?.buildId;
  if (said !== undefined && told.build !== "" && said !== told.build)
    soaked.findings.mixed.push(`${path}: ${said} under ${told.build}`);
}

/** The parcel whose value differs from build to build: it tells which build an answer is from. */
async function askMarked(soaked: Soaked): Promise<void> {
  const {findings, values} = soaked;
  const {property, metadata} = bodyOf(await asked(soaked, "marked", 200, marked));
  const wanted = values.get(metadata?.buildId ?? "");
  if (wanted !== undefined && property?.totalMarketValue !== wanted)
    findings.mixed.push(`${metadata?.buildId}: ${property?.totalMarketValue} for ${wanted}`);
}

async function askNew(soaked: Soaked, id: string): Promise<void> {
  const {findings} = soaked;
  const {property, metadata} = bodyOf(await asked(soaked, "new", 200, byCounty(id)));
  if (metadata?.lookup?.persisted === true) findings.acknowledged.push(id);
  if (property !== undefined && property.parcelUid !== uidOf(id))
    findings.wrong.push(`${id}: ${property.parcelUid}`);
}

async function askAbsent(soaked: Soaked, id: string): Promise<void> {
  await asked(soaked, "absent", 404, byCounty(id));
}

async function askAgain(soaked: Soaked): Promise<void> {
  const {acknowledged} = soaked.findings;
  const id = acknowledged[Math.floor(Math.random() * acknowledged.length)];
  if (id !== undefined) await askKnown(soaked, id);
}

/** A table of the listing, whole: its bytes are those of the digest that the listing names. */
async function askFile(soaked: Soaked, at: number): Promise<void> {
  const listed = await asked(soaked, "files", 200, "/files/");
  const {build_id: build, files} = JSON.parse(listed.bytes.toString()) as {
    build_id: string;
    files: {path: string; sha256: string}[];
  };
  const {path, sha256} = files[at % files.length]!;
  const told = await asked(soaked, "files", 200, `/files/${build}/${path}`);
  const found = createHash("sha256").update(told.bytes).digest("hex");
  if (told.status === 200 && found !== sha256) soaked.findings.mixed.push(`${build}/${path}: ${found}`);
}

async function askTool(soaked: Soaked): Promise<void> {
  const told = await asked(soaked, "mcp", 200, "/mcp", JSON.stringify({...question, params: nearZip}));
  if (told.status === 200 && !told.bytes.includes("build")) soaked.findings.wrong.push("mcp: no build");
}

async function askWithoutKey(soaked: Soaked): Promise<void> {
  await asked({...soaked, key: "none"}, "no key", 403, marked);
}

async function asked(
  soaked: Soaked,
  kind: string,
  wanted: number,
  path: string,
  post?: string,
): Promise<Told> {
  const {statuses, wrong} = soaked.findings;
  const told = await send(soaked, path, post);
  const name = `${kind} ${told.status}`;
  statuses.set(name, (statuses.get(name) ?? 0) + 1);
  // A county has two slots: beyond them a miss says that it could not be asked.
  const isShed = told.status === 503 && (kind === "new" || kind === "absent");
  if (told.status !== wanted && !isShed)
    wrong.push(`${kind}: ${told.status} ${path} ${told.bytes.subarray(0, 200)}`);
  return told;
}

function bodyOf({bytes}: Told): Body {
  return JSON.parse(bytes.toString()) as Body;
}

function send(soaked: Soaked, path: string, post?: string): Promise<Told> {
  const {port, key, findings} = soaked;
  return new Promise((resolve, reject) => {
    const headers = {
      "X-API-Key": key,
      ...(post === undefined
        ? {}
        : {"Content-Type": "application/json", Accept: "application/json, text/event-stream"}),
    };
    const method = post === undefined ? "GET" : "POST";
    const sent = request({host: "127.0.0.1", port, path, agent, headers, method}, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          build: String(response.headers["x-build-id"] ?? ""),
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The server had closed the kept connection just before: a client sends such a request again (RFC 9112, 9.3.1).
      if (!sent.reusedSocket || error.code !== "ECONNRESET") return reject(error);
      findings.statuses.set("sent again", (findings.statuses.get("sent again") ?? 0) + 1);
      send(soaked, path, post).then(resolve, reject);
    });
    sent.end(post);
  });
}
