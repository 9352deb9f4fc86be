import {readdir, readFile} from "node:fs/promises";
import {join} from "node:path";
import {AskFault} from "../client/ask-fault.ts";
import {ask, type Job} from "../job.ts";
import {addressesOf} from "../protocols/county-files.ts";
import {askSource} from "../protocols/protocols.ts";
import type {ShownRow} from "./shown-row.ts";

/** Requests that prove a service: its list and a report, a question and its first page. Others need one. */
const provingRequests: Partial<Record<Job["source"]["protocol"], number>> = {
  mars: 2,
  "ams-text": 3,
  quickstats: 2,
  nws: 2,
  echo: 2,
};
const mostShown = 4;

/** The fault by which a probe ends the work of a protocol. */
class ProbeOver extends AskFault {
  override name = "ProbeOver";
}

/** Lets the protocol of a feed send its first requests, check their answers as in a night, and keep them in the job's folder. */
export async function probeFeed(job: Job): Promise<ShownRow> {
  const most = provingRequests[job.source.protocol] ?? 1;
  let asked = 0;
  let lastFault: unknown = null;
  const client: Job["client"] = {
    ask: (...question) => {
      asked += 1;
      if (asked > most) throw new ProbeOver("bounds", "the probe is over");
      lastFault = null;
      return job.client.ask(...question).catch((fault: unknown) => {
        lastFault = fault;
        throw fault;
      });
    },
  };
  const probing = {...job, client};
  try {
    const gain = await askSource(probing);
    if (gain.partial !== null) throw new AskFault("refused", gain.partial);
  } catch (fault) {
    if (!(fault instanceof ProbeOver)) throw fault;
    // A night goes on with the next report; a probe has none to judge by.
    if (lastFault !== null) throw lastFault;
  } finally {
    job.requests = probing.requests;
  }
  return firstOf(job.folder.dir);
}

/** Asks a file for its headers, and gives its kind and its bytes. */
export async function probeFile(job: Job): Promise<{row: ShownRow; bytes: number | null}> {
  const question = {url: addressesOf(job.source)[0]!, headers: () => ({range: "bytes=0-0"})};
  const {headers, status} = await ask(job, question, async (reply) => reply);
  const type = headers["content-type"] ?? "";
  if (/html/i.test(type)) throw new AskFault("refused", `moved: a page (${type}) came in place of the file`);
  const total = /\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1];
  const length = total ?? (status === 200 ? headers["content-length"] : undefined);
  const modified = headers["last-modified"] ?? null;
  const bytes = length === undefined ? null : Number(length);
  const files = addressesOf(job.source).length;
  const row = {row: {type, bytes, ...(files > 1 ? {files} : {}), ...(modified === null ? {} : {modified})}};
  return {row, bytes: bytes === null ? null : bytes * files};
}

/** Gives the first row of what a service answered: the first members of a JSON row, else the first line. */
async function firstOf(dir: string): Promise<ShownRow> {
  const names = (await readdir(dir)).filter(
    (name) => !name.endsWith(".meta.json") && !name.startsWith(".windows"),
  );
  const name = names.sort((a, b) => Number(a.startsWith(".")) - Number(b.startsWith("."))).at(0);
  if (name === undefined) return {why: "nothing is published that would be kept"};
  const text = await readFile(join(dir, name), "latin1");
  if (text.startsWith("%PDF-")) return {row: {file: name, kind: "PDF", bytes: text.length}};
  try {
    const first = firstRow(JSON.parse(text));
    return {row: Object.fromEntries(Object.entries(first ?? {}).slice(0, mostShown))};
  } catch {
    // No JSON: a list for people, or CSV.
    return {row: {file: name, line: text.split("\n", 1)[0]!.slice(0, 80)}};
  }
}

/** The first object of the first list within a JSON answer, else the answer. */
function firstRow(json: unknown): object | null {
  if (Array.isArray(json)) return json.length === 0 ? null : firstRow(json[0]);
  if (json === null || typeof json !== "object") return null;
  const list = Object.values(json).find((value) => Array.isArray(value) && value.length > 0);
  return list === undefined ? json : firstRow(list);
}
