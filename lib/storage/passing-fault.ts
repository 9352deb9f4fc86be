const notRun = "ERR_NOT_RUN";
/** Codes of failures that come from the state of the machine and not from the file that was opened. */
const passing: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EINTR", "EAGAIN", notRun]);

/** True for a failure that may pass: too many open files, too little memory. The same try may succeed a moment later. */
export function isPassing(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (passing.has((error as NodeJS.ErrnoException).code)) return true;
  }
  return false;
}

/** An error of work that could not be done for a reason that may pass. */
export function passingFault(message: string): Error {
  return Object.assign(new Error(message), {code: notRun});
}
