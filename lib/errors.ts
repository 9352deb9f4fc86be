/**
 * A fault that the user can mend; the message names the place, the value that came, the expected one and, if there is one,
 * the cure.
 */
export class UserError extends Error {
  override name = "UserError";
}

/** Wrong usage: an argument or an option that cannot be meant; the command line exits with 2, and the message has the way on. */
export class UsageError extends UserError {
  override name = "UsageError";
}

/** A wrong setting or configuration file; the command line exits with 78. */
export class ConfigError extends UserError {
  override name = "ConfigError";
}

/**
 * The text of a thrown value for a person: one line for a fault that the user or the owner of the disk can mend, the stack for a fault
 * of the program.
 */
export function textOfFault(thrown: unknown): string {
  if (thrown instanceof UserError || !(thrown instanceof Error)) return messageOf(thrown);
  return isOfSystem(thrown) ? `${thrown.message}.` : (thrown.stack ?? thrown.message);
}

/** True for an error of the operating system; DuckDB tells those of its files in words alone. */
function isOfSystem(error: NodeJS.ErrnoException): boolean {
  if (error.syscall !== undefined && /^E[A-Z0-9]+$/.test(error.code ?? "")) return true;
  return /^IO Error: .*(No space left|Input\/output error|Read-only file system|Permission denied|File too large)/.test(
    error.message,
  );
}

/** The message of a thrown value of any type. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

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
