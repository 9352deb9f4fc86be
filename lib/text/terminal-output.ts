import {visibleText} from "./visible-text.ts";

// The only file that writes to stdout and stderr, so that no text of a file or a county acts on a screen
// (`docs/design/reliability.md` section 7).

/** Writes text for people to stdout. False asks the caller to wait for `drain`. */
export function writeText(text: string): boolean {
  return process.stdout.write(visibleText(text));
}

/** Writes text for programs, such as JSON, to stdout, unchanged. False asks the caller to wait for `drain`. */
export function writeData(text: string): boolean {
  return process.stdout.write(text);
}

/** Writes text to stderr. */
export function writeNote(text: string): void {
  process.stderr.write(visibleText(text));
}
