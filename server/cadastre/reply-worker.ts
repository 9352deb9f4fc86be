import {parentPort} from "node:worker_threads";
import {createReplyReader, type ReplyRequest, type ReplyRow} from "./reply-reader.ts";

/** What the thread is sent: an answer to read, or null to end after what it was sent before. */
export type ReplyTask = {readonly id: number; readonly request: ReplyRequest} | null;

/** What comes back for a task. */
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
