/** A fault that the user can mend: the message has the place, what came, what was expected and, if there is one, the cure. */
export class UserError extends Error {
  override name = "UserError";
}

/** A wrong setting or configuration file; the command line exits with 78. */
export class ConfigError extends UserError {
  override name = "ConfigError";
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
