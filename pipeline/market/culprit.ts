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
  let suspects = files;
  let thrown: unknown;
  do {
    const middle = Math.ceil(suspects.length / 2);
    const [first, second] = [suspects.slice(0, middle), suspects.slice(middle)];
    const outcome = await tried(first, make);
    if ("thrown" in outcome) {
      [suspects, thrown] = [first, outcome.thrown];
      continue;
    }
    const other = second.length === 0 ? outcome : await tried(second, make);
    if (!("thrown" in other)) return null;
    [suspects, thrown] = [second, other.thrown];
  } while (suspects.length > 1);
  const [file] = suspects;
  return file === undefined ? null : {file, thrown};
}
