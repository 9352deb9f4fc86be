import {Readable} from "node:stream";
import type {Job} from "../../pipeline/fetch/jobs/job.ts";

type Posted = Readonly<Record<string, string>>;

/** The job of a layer that answers each posted request with a body or a fault; `posted` records the requests. */
export function answeringLayer(
  answer: (posted: Posted) => unknown,
  more: object = {},
): {job: Job; posted: Posted[]} {
  const posted: Posted[] = [];
  const ask = async (question: {posted: Posted}, _pace: unknown, take: (reply: unknown) => unknown) => {
    posted.push(question.posted);
    const body = answer(question.posted);
    if (body instanceof Error) throw body;
    return take({status: 200, headers: {}, body: Readable.from([Buffer.from(JSON.stringify(body))])});
  };
  const source = {
    id: "us-tx-a",
    url: "https://county.example/layer/0",
    timeoutMs: 60_000,
    hosts: new Set(),
    rate: null,
    ...more,
  };
  const bounds = {take: () => undefined, signal: new AbortController().signal};
  return {job: {source, client: {ask}, bounds, requests: 0} as unknown as Job, posted};
}
