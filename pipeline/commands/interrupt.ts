import {endProcess} from "../../lib/process/libc.ts";
import {currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";

/** Exit code of a process that was stopped by Ctrl-C (128 and the number of SIGINT). */
const STOPPED = 130;

/**
 * Does the work of a build. On Ctrl-C it says what became of the build and ends the process with 130: staging folder and lock
 * of a dead process are cleared away by the next command. `part` is the folder of a part, which is not published.
 */
export async function interruptible<T>(data: DataFolder, work: () => Promise<T>, part?: string): Promise<T> {
  const before = await publishedNow(data);
  const stop = () => {
    void stopText(data, before, part).then((text) => {
      process.stderr.write(`\n${text}\n`);
      endProcess(STOPPED);
    });
  };
  process.once("SIGINT", stop);
  try {
    return await work();
  } finally {
    process.off("SIGINT", stop);
  }
}

async function stopText(data: DataFolder, before: string, part: string | undefined): Promise<string> {
  if (part !== undefined) return `Stopped. ${part} was not made; the same command begins again.`;
  const now = await publishedNow(data);
  if (now !== before) return `Stopped after publishing: ${now} is whole, and it is the one that is served.`;
  const served = now === "" ? "nothing is served, as before" : `${now} is served as before`;
  return `Stopped. Nothing was published: ${served}. The next build clears away what was begun.`;
}

/** Gives the id of the published build; an empty text when no build is published or the link cannot be read. */
async function publishedNow(data: DataFolder): Promise<string> {
  return (await currentBuildId(data).catch(() => null)) ?? "";
}
