import {messageOf, UserError} from "../../lib/errors.ts";

/**
 * True for a fault of the machine, such as a full disk: it has an error code of the operating system. Everything else that is
 * thrown while one file is read is put down to that file, so that no file stops the others.
 */
export function isSystemFault(thrown: unknown): boolean {
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
  return (
    /^E[A-Z]+$/.test(code ?? "") || /No space left on device|Out of Memory Error/i.test(messageOf(thrown))
  );
}

/** The reason for which a file failed, with its path; of a fault that no reader foresaw the first line. */
export function faultOfFile(thrown: unknown, path: string): string {
  const text = messageOf(thrown);
  if (thrown instanceof UserError) return text.includes(path) ? text : `${path}: ${text}`;
  return `${path}: ${text.split("\n")[0]}`;
}
