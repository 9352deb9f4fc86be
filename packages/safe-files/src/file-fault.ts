/** A file is not as it must be, or the disk refuses. The message is one line for people, and begins with the path. */
export class FileFault extends Error {
  override name = "FileFault";
  /** The operating system's error code, or one of the subclass; what a program does next may depend on it, never on the message. */
  readonly code: string | undefined;

  constructor(message: string, {code, ...options}: ErrorOptions & {readonly code?: string | undefined} = {}) {
    super(message, options);
    this.code = code;
  }
}

/** The message of a thrown value of any type. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Codes of failures caused by the state of the machine, not by the file being opened. */
const transientCodes: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EINTR", "EAGAIN"]);

/** True for a transient failure, such as too many open files or too little memory: a retry may succeed. */
export function isTransient(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (transientCodes.has((error as NodeJS.ErrnoException).code)) return true;
  }
  return false;
}
