/**
 * Makes something from files, and where that throws, finds the file at which it does by halving and makes it without that file.
 * Gives what was made and the files that were left out, each with the error. An error that no single file makes is thrown, like
 * one for which `mayBeOfFile` is false.
 */
export async function withoutCulprits<File, Made>(
  files: readonly File[],
  make: (files: readonly File[]) => Promise<Made>,
  mayBeOfFile: (thrown: unknown) => boolean,
): Promise<{made: Made; culprits: Map<File, unknown>}> {
  const culprits = new Map<File, unknown>();
  for (;;) {
    const left = files.filter((file) => !culprits.has(file));
    const outcome = await tried(left, make);
    if ("made" in outcome) return {made: outcome.made, culprits};
    if (!mayBeOfFile(outcome.thrown)) throw outcome.thrown;
    const culprit = await culpritOf(left, make);
    if (culprit === null) throw outcome.thrown;
    culprits.set(culprit.file, culprit.thrown);
  }
}

type Tried<Made> = {made: Made} | {thrown: unknown};

async function tried<File, Made>(
  files: readonly File[],
  make: (files: readonly File[]) => Promise<Made>,
): Promise<Tried<Made>> {
  try {
    return {made: await make(files)};
  } catch (thrown) {
    return {thrown};
  }
}

/** The file that makes a list of files fail on its own; null where no half of a failing list fails. */
async function culpritOf<File, Made>(
  files: readonly File[],
  make: (files: readonly File[]) => Promise<Made>,
): Promise<{file: File; thrown: unknown} | null> {
  const middle = Math.ceil(files.length / 2);
  for (const half of [files.slice(0, middle), files.slice(middle)]) {
    const [file] = half;
    const outcome = file === undefined ? {} : await tried(half, make);
    if (file === undefined || !("thrown" in outcome)) continue;
    return half.length === 1 ? {file, thrown: outcome.thrown} : culpritOf(half, make);
  }
  return null;
}
