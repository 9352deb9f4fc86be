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

/** The message of a thrown value of any type. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
