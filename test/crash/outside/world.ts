import {execFileSync, fork} from "node:child_process";
import {once} from "node:events";
import {mkdirSync, writeFileSync} from "node:fs";
import type {IncomingMessage, RequestListener} from "node:http";
import {createServer, type Server} from "node:https";
import {setPriority} from "node:os";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {counties} from "../../../lib/geography/counties.ts";
import {inventedRows, layerEntry} from "../../server/cadastre/county-fixture.ts";
import {type FakeAsked, type FakeRow, layerListener, pageOf} from "../../server/cadastre/fake-arcgis.ts";
import {nastyReplies} from "../../server/cadastre/nasty-replies.ts";
import {type Certificate, makeCertificate} from "./certificates.ts";

const domain = "counties.example.org";
/** Public addresses, which only this network has; by the check of addresses they are like any other. */
const fairAddress = "44.0.0.1";
const nastyAddress = "44.0.0.2";

/** A county of Texas. */
export type County = {readonly fips: string};

/** A county with a host of its own, and what it answers. */
type Host = County & {readonly host: string; readonly answer: RequestListener};

/** The counties of a world without a way out, and what the program is told of them. */
type Counties = {
  readonly nasty: readonly (County & {readonly name: string})[];
  /** Has a parcel of every number. */
  readonly fair: readonly County[];
  /** Its host resolves to loopback, where a server with a good certificate listens. */
  readonly inward: County;
  /** Its certificate is of an authority that nobody knows. */
  readonly untrusted: County;
  /** Settings of the program under attack. */
  readonly settings: Readonly<Record<string, string>>;
};

export type World = Counties & {
  /** Connections to loopback, where no county is. */
  inwardCalls(): Promise<number>;
  close(): void;
};

/**
 * Makes the world in the network and mount namespace of this process; `folder` takes its files. Processes of their own answer for the
 * counties, which else would wait for the one that asks more than it can.
 */
export async function makeWorld(folder: string): Promise<World> {
  const child = fork(fileURLToPath(import.meta.url), [folder]);
  const [counties] = (await once(child, "message")) as [Counties];
  return {
    ...counties,
    async inwardCalls() {
      child.send("inward calls");
      const [calls] = (await once(child, "message")) as [number];
      return calls;
    },
    close: () => child.kill(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder = "", role] = process.argv;
  if (role === "nasty") answerNastily();
  else await answerForCounties(folder);
}

/**
 * Answers for the nasty counties, once it has their certificate: a county does not wait for what another one sends. In the world they run
 * on machines of their own, so here they take only the processor time that nobody else wants.
 */
function answerNastily(): void {
  setPriority(19);
  const {nasty} = nastyCounties();
  process.once("message", async (certificate: Certificate) => {
    await listen(nastyAddress, certificate, answerOf(nasty));
    process.send!("listening");
  });
  process.once("disconnect", () => process.exit(0));
}

function nastyCounties() {
  const places = counties().filter(({state}) => state === "TX");
  const next = () => places.pop()!;
  const count = nastyReplies(inventedRows()[0]!).length;
  return {nasty: Array.from({length: count}, (_, i) => nastyCounty(next(), i)), next};
}

function answerOf(hosts: readonly Host[]): RequestListener {
  return (request, response) => hosts.find(({host}) => host === hostOf(request))?.answer(request, response);
}

async function answerForCounties(folder: string): Promise<void> {
  const {nasty, next} = nastyCounties();
  const fair = Array.from({length: 8}, () => fairCounty(next()));
  const [inward, untrusted] = [fairCounty(next()), fairCounty(next())];
  const known = makeCertificate(folder, "known", [`*.${domain}`]);
  const unknown = makeCertificate(folder, "unknown", [`*.${domain}`]);

  execFileSync("ip", ["link", "set", "lo", "up"]);
  for (const address of [fairAddress, nastyAddress])
    execFileSync("ip", ["addr", "add", `${address}/32`, "dev", "lo"]);
  const outward = [...fair, untrusted];
  nameHosts(folder, [
    ...nasty.map(({host}) => `${nastyAddress} ${host}`),
    ...outward.map(({host}) => `${fairAddress} ${host}`),
    `127.0.0.1 ${inward.host} localhost`,
  ]);

  const nastily = fork(fileURLToPath(import.meta.url), [folder, "nasty"], {serialization: "advanced"});
  nastily.send(known);
  await once(nastily, "message");
  const servers = [
    await listen(fairAddress, known, answerOf(outward)),
    await listen("127.0.0.1", known, inward.answer),
  ];
  for (const server of servers) server.addContext(untrusted.host, unknown);
  let inwardCalls = 0;
  servers[1]!.on("connection", () => {
    inwardCalls += 1;
  });
  process.on("message", () => process.send!(inwardCalls));
  process.once("disconnect", () => process.exit(0));
  const made: Counties = {
    nasty: nasty.map(({name, fips}) => ({name, fips})),
    fair: fair.map(({fips}) => ({fips})),
    inward: {fips: inward.fips},
    untrusted: {fips: untrusted.fips},
    settings: {
      NODE_EXTRA_CA_CERTS: known.authority,
      CATTLE_REGISTRY: writeRegistry(folder, [...nasty, ...outward, inward]),
    },
  };
  process.send!(made);
}

type Place = ReturnType<typeof counties>[number];

function countyAt({fips}: Place, answer: RequestListener): Host {
  return {fips, host: `c${fips}.${domain}`, answer};
}

function nastyCounty(place: Place, i: number): Host & {name: string} {
  const row = {...inventedRows()[0]!, west: place.point.lon, south: place.point.lat};
  const {name, page, metadata = {}} = nastyReplies(row)[i]!;
  const misbehave = (response: {end(text: string | Buffer): unknown}, {isQuery}: FakeAsked) =>
    isQuery && page !== undefined && response.end(page) !== undefined;
  return {name, ...countyAt(place, layerListener({rows: [row], metadata, misbehave, asked: []}))};
}

/** Its parcel has the number that is in the clause. */
function fairCounty(place: Place): Host {
  const rowOf = (id: string): FakeRow => {
    const [row] = inventedRows();
    return {attributes: {...row!.attributes, APN: id}, west: place.point.lon, south: place.point.lat};
  };
  const misbehave = (response: {end(text: string): unknown}, {isQuery, form}: FakeAsked) => {
    const id = /= '([^']*)'/.exec(form.get("where") ?? "")?.[1];
    if (!isQuery || id === undefined) return false;
    response.end(JSON.stringify(pageOf([rowOf(id)])));
    return true;
  };
  return countyAt(place, layerListener({rows: [rowOf("R-1")], metadata: {}, misbehave, asked: []}));
}

function hostOf({headers}: IncomingMessage): string {
  return headers.host ?? "";
}

/** Puts a list of hosts in the place of the system's, in this namespace alone. */
function nameHosts(folder: string, lines: readonly string[]): void {
  const path = join(folder, "hosts");
  writeFileSync(path, `${lines.join("\n")}\n`);
  execFileSync("mount", ["--bind", path, "/etc/hosts"]);
}

function writeRegistry(folder: string, asked: readonly Host[]): string {
  const registry = join(folder, "registry");
  mkdirSync(join(registry, "cadastre/us"), {recursive: true});
  mkdirSync(join(registry, "parcels"));
  const entries = asked.map(({fips, host}) =>
    layerEntry(`https://${host}/rest/services/Parcels/FeatureServer/0`, {county: fips}),
  );
  writeFileSync(join(registry, "cadastre/us/tx.json"), JSON.stringify(entries));
  writeFileSync(join(registry, "market.json"), "[]");
  writeFileSync(join(registry, "waves.json"), "[]");
  return registry;
}

async function listen(address: string, {key, cert}: Certificate, answer: RequestListener): Promise<Server> {
  const server = createServer({key, cert}, answer);
  await new Promise<void>((resolve) => server.listen(443, address, resolve));
  return server;
}
