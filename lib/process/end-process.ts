import {libc} from "./libc.ts";

/**
 * Ends the process at once with an exit code; what is buffered is not written. `process.exit` waits for V8's threads first, and one of
 * those may wait for a collection that the ending thread no longer makes: with ten gigabytes mapped that was one exit in ten, and the
 * process stood for ever. Where there is no C library to ask (Windows) it is `process.exit`.
 */
export function endProcess(code: number): never {
  libc?._exit(code);
  process.exit(code);
}
