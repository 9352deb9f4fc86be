import {dieWithParent} from "../../lib/process/die-with-parent.ts";
import {createAnswerReader} from "./answer-reader.ts";
import {largeBytes} from "./county-reader.ts";
import type {ReaderMessage, ReaderOrder} from "./reader-child.ts";
import {warmUp} from "./warm-up.ts";

// The program of the process that reads what counties send (`docs/design/reliability.md` section 5).

dieWithParent();

const reader = createAnswerReader();
const turn = {tenant: "", signal: new AbortController().signal};

process.on("message", async (order: ReaderOrder) => {
  if (order.kind === "end") {
    await reader.close();
    process.disconnect();
    return;
  }
  const message = await resultOf(order);
  // The server replaces a process that holds too much memory. A collection takes 30 ms, the start of a process a second.
  if (order.task.body.byteLength > largeBytes) globalThis.gc?.();
  tell(message);
});
await warmUp(reader);
tell({ready: true});

function resultOf({kind, task}: Exclude<ReaderOrder, {kind: "end"}>): Promise<ReaderMessage> {
  return reader.read(kind, task as never, turn).then(
    (result) => ({result}),
    (fault: unknown) => ({fault}),
  );
}

function tell(message: ReaderMessage): void {
  process.send?.(message);
}
