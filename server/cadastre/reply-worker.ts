import {parentPort} from "node:worker_threads";
import {createReplyReader, type ReplyRequest, type ReplyRow} from "./reply-reader.ts";

/** A message to the thread: an answer to read, or null, which ends the thread after its earlier tasks. */
export type ReplyTask = {readonly id: number; readonly request: ReplyRequest} | null;

/** The result of a task. */
export type ReplyResult = {readonly id: number} & ({readonly rows: ReplyRow[]} | {readonly error: unknown});

const reader = createReplyReader();
const port = parentPort;

port?.on("message", async (task: ReplyTask) => {
  if (task === null) {
    port.close();
    await reader.close();
  } else port.postMessage(await resultOf(task));
});

function resultOf({id, request}: NonNullable<ReplyTask>): Promise<ReplyResult> {
  return reader.read(request).then(
    (rows) => ({id, rows}),
    (error: unknown) => ({id, error}),
  );
}
