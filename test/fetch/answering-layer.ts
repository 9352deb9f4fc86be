import {Readable} from "node:stream";
import type {Job} from "../../pipeline/fetch/jobs/job.ts";

type Form = Readonly<Record<string, string>>;

/** The job of a layer that answers each posted form with a body or an error; `forms` records them. */
export function answeringLayer(
  answer: (form: Form) => unknown,
  more: object = {},
): {job: Job; forms: Form[]} {
  const forms: Form[] = [];
  const ask = async (question: {form: Form}, _policy: unknown, take: (reply: unknown) => unknown) => {
    forms.push(question.form);
    const body = answer(question.form);
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
  const budget = {countBytes: () => undefined, signal: new AbortController().signal};
  return {job: {source, client: {ask}, budget, requests: 0} as unknown as Job, forms};
}
