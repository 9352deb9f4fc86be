import {serialize} from "node:v8";
import {messageOf, UserError} from "../errors.ts";
import {dieWithParent} from "./own-child.ts";

type Fault = {
  readonly text: string;
  readonly isOfUser: boolean;
  readonly code?: string | undefined;
  readonly stack?: string | undefined;
};

/** A message of a program to the process that started it: that it is ready, a result as `v8.serialize` writes it, or a fault. */
export type ProgramMessage = {readonly ready: true} | {readonly result: Uint8Array} | {readonly fault: Fault};

/** Does the tasks that a `BoundedChild` sends, one after another, until that process ends. A result has at most `mostBytes(task)`. */
export function serveTasks<Task>(
  work: (task: Task) => Promise<unknown>,
  mostBytes: (task: Task) => number,
): void {
  dieWithParent();
  process.on("message", async (task: Task) => tell(await outcomeOf(task, work, mostBytes(task))));
  tell({ready: true});
}

async function outcomeOf<Task>(
  task: Task,
  work: (task: Task) => Promise<unknown>,
  mostBytes: number,
): Promise<ProgramMessage> {
  try {
    const result = serialize(await work(task));
    if (result.length > mostBytes)
      throw new UserError(`what is read of it takes ${result.length} bytes, at most ${mostBytes} are taken.`);
    return {result};
  } catch (error) {
    const {code, stack} = error as NodeJS.ErrnoException;
    return {fault: {text: messageOf(error), isOfUser: error instanceof UserError, code, stack}};
  }
}

function tell(message: ProgramMessage): void {
  process.send?.(message);
}
