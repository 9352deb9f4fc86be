import {mkdir, rm} from "node:fs/promises";
import {UserError} from "../../lib/errors.ts";
import {isSameFile} from "../raw/file-digest.ts";
import type {RawFile} from "../raw/raw-files.ts";
import type {PlannedPart} from "./plan.ts";

/** The folder of a part, laid out like a build, and the folder in which its stage may keep files meanwhile. */
export type StagePlace = {readonly outDir: string; readonly tempDir: string};

/** What a stage made, and the part as it was made. */
export type MadeOf<Made> = {readonly part: PlannedPart; readonly made: Made};

/** A folder into which somebody goes on writing is no input of this night. */
const mostRounds = 4;

/**
 * Runs a stage on files of which none is touched from the digest to the end of the reading: what the manifest names is what was
 * read (`docs/design/reliability.md` section 2.1). A file that changed is left out, by name, and the stage runs once more without it.
 * Throws a `UserError` where files change in each of four rounds.
 */
export async function madeOfUnchanged<Made>(
  planned: PlannedPart,
  {outDir, tempDir}: StagePlace,
  make: (part: PlannedPart) => Promise<Made>,
): Promise<MadeOf<Made>> {
  let part = await withoutChanged(planned);
  for (let round = 0; round < mostRounds; round++) {
    // A file that was cut short while it was read may make the stage fail.
    const made = await make(part).then(
      (value) => ({value}),
      (thrown: unknown) => ({thrown}),
    );
    const next = await withoutChanged(part);
    if (next === part) {
      if ("thrown" in made) throw made.thrown;
      return {part, made: made.value};
    }
    part = next;
    for (const folder of [outDir, tempDir]) {
      await rm(folder, {recursive: true, force: true});
      await mkdir(folder, {recursive: true});
    }
  }
  throw new UserError(
    `${planned.name}: raw files go on changing while they are read. Build again when they rest.`,
  );
}

/** Gives the part with a fault in place of each file that is not as it was when its digest was taken; the same part without any. */
async function withoutChanged(part: PlannedPart): Promise<PlannedPart> {
  const files: RawFile[] = [];
  let changed = false;
  for (const file of part.files) {
    const {identity, absolutePath, sha256, path} = file;
    const isSame = identity === undefined || (await isSameFile(absolutePath, identity, sha256));
    changed ||= !isSame;
    files.push(
      isSame ? file : withFault(file, `${path}: changed after its digest was taken, and was not read.`),
    );
  }
  return changed ? {...part, files, inputsSha256: part.digestOf(files)} : part;
}

function withFault({identity: _gone, ...file}: RawFile, fault: string): RawFile {
  return {...file, sha256: "", fault};
}
