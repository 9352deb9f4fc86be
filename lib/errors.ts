import {FileFault} from "@open-cattle/safe-files";

/**
 * An error that the user can fix. The message names the place, the value found, the value expected and, if
 * there is one, the cure.
 */
export class UserError extends Error {
  override name = "UserError";
  /**
   * What the program does next may depend on the code, never on the message. `no_raw_folder`: there is no folder of raw files yet;
   * `task_limit`: a child process exceeded its limits or ended; others are those of the subclasses.
   */
  readonly code: string | undefined;

  constructor(message: string, {code, ...options}: ErrorOptions & {readonly code?: string} = {}) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Wrong usage: an invalid argument or option. The command line exits with 2, and the message suggests a next
 * step.
 */
export class UsageError extends UserError {
  override name = "UsageError";
}

/** A wrong setting or configuration file; the command line exits with 78. */
export class ConfigError extends UserError {
  override name = "ConfigError";
}

/** True for an error that the user can fix; a fault of a file is one. */
export function isUserError(thrown: unknown): thrown is UserError | FileFault {
  return thrown instanceof UserError || thrown instanceof FileFault;
}

/**
 * The text of a thrown value for people: one line for an error that the user or the owner of the disk can
 * fix, a stack trace for a bug.
 */
export function textOfFault(thrown: unknown): string {
  if (isUserError(thrown) || !(thrown instanceof Error)) return messageOf(thrown);
  return isSystemError(thrown) ? `${thrown.message}.` : (thrown.stack ?? thrown.message);
}

/**
 * True for an operating system error. DuckDB has no codes for its I/O errors, so they are recognised by their
 * text.
 */
function isSystemError(error: NodeJS.ErrnoException): boolean {
  if (error.syscall !== undefined && /^E[A-Z0-9]+$/.test(error.code ?? "")) return true;
  return /^IO Error: .*(No space left|Input\/output error|Read-only file system|Permission denied|File too large)/.test(
    error.message,
  );
}

/** The message of a thrown value of any type; for a damaged file of a build with the command that names all of them. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof FileFault && thrown.code === "damaged")
    return `${thrown.message} Run "cattle verify".`;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
