import {serialize} from "node:v8";
import {isUserError, messageOf, UserError} from "../errors.ts";
import {dieWithParent} from "./own-child.ts";

type Fault = {
  readonly text: string;
  readonly isUserError: boolean;
  readonly code?: string | undefined;
  readonly stack?: string | undefined;
};

/** A message from the child to its parent: ready, a result as `v8.serialize` writes it, or an error. */
export type ProgramMessage = {readonly ready: true} | {readonly result: Uint8Array} | {readonly fault: Fault};

/**
 * Runs the tasks that a `BoundedChild` sends, one after another, until the parent ends. A result may take
 * `maxBytes(task)` bytes.
 */
export function serveTasks<Task>(
  work: (task: Task) => Promise<unknown>,
  maxBytes: (task: Task) => number,
): void {
  dieWithParent();
  process.on("message", async (task: Task) => tell(await outcomeOf(task, work, maxBytes(task))));
  tell({ready: true});
}

async function outcomeOf<Task>(
  task: Task,
  work: (task: Task) => Promise<unknown>,
  maxBytes: number,
): Promise<ProgramMessage> {
  try {
    const result = serialize(await work(task));
    if (result.length > maxBytes)
      throw new UserError(`its content is ${result.length} bytes; at most ${maxBytes} are allowed.`, {
        code: "task_limit",
      });
    return {result};
  } catch (error) {
    const {code, stack} = error as NodeJS.ErrnoException;
    return {fault: {text: messageOf(error), isUserError: isUserError(error), code, stack}};
  }
}

function tell(message: ProgramMessage): void {
  process.send?.(message);
}
