import {AskFault} from "../client/ask-fault.ts";
import {ask, type Job} from "../job.ts";
import {addressesOf} from "../protocols/county-files.ts";
import type {ShownRow} from "./shown-row.ts";

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
