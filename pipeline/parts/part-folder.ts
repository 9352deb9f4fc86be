import {mkdir, readdir, rm, stat} from "node:fs/promises";
import {join} from "node:path";
import {
  fileDifference,
  isProvenDead,
  ownIdentity,
  privateFolder,
  readForeign,
  readForeignJson,
  setFolderMode,
  sharedFolder,
  writeNew,
} from "@open-cattle/safe-files";
import {countWords} from "../../lib/counts.ts";
import {messageOf, UsageError, UserError} from "../../lib/errors.ts";
import {MARKET} from "../../lib/storage/build-layout.ts";
import {parseFormatted} from "../../lib/storage/formatted-text.ts";
import {ProcessIdentity} from "../../schemas/delta-record.ts";
import {PartFile, partFormat} from "../../schemas/part-file.ts";

/** Name of the file that describes a part; it is written last. */
export const partFileName = "part.json";

/** A part in a folder. */
export type PartFolder = {readonly dir: string; readonly part: PartFile};

/** Folders of a build or part under construction; whatever remains of them is removed on disposal. */
export type Staging = AsyncDisposable & {
  /** Becomes the folder of the build or the part. */
  readonly dir: string;
  /** Temporary folder for the stages. */
  readonly workDir: string;
};

const OWNER_SUFFIX = ".owner.json";
const WORK_SUFFIX = ".work";
/** Folders whose owner can be proven neither dead nor alive are removed after a day. */
const unprovableMs = 24 * 3_600_000;

/** Creates a staging folder with an owner file, beside its destination so that it can be renamed. */
export async function makeStaging(dir: string): Promise<Staging> {
  try {
    await writeNew(`${dir}${OWNER_SUFFIX}`, `${JSON.stringify(ownIdentity())}\n`, {mode: 0o600});
    for (const [path, mode] of [
      [dir, sharedFolder],
      [`${dir}${WORK_SUFFIX}`, privateFolder],
    ] as const) {
      await mkdir(path, {mode});
      setFolderMode(path, mode);
    }
  } catch (error) {
    // Leftovers would block the next build by a process with the same pid.
    await removeStaging(dir);
    throw error;
  }
  return {dir, workDir: `${dir}${WORK_SUFFIX}`, [Symbol.asyncDispose]: () => removeStaging(dir)};
}

/** Removes the staging folders of dead owners with this name prefix and returns their names. */
export async function sweepStaging(
  folder: string,
  prefix: string,
  now: number = Date.now(),
): Promise<string[]> {
  const names = await readdir(folder);
  const staging = names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.replace(/\.(owner\.json|work)$/, ""));
  const swept: string[] = [];
  for (const name of new Set(staging)) {
    if (!(await isAbandoned(join(folder, name), now))) continue;
    await removeStaging(join(folder, name));
    swept.push(name);
  }
  return swept.sort();
}

async function removeStaging(dir: string): Promise<void> {
  await rm(dir, {recursive: true, force: true});
  await rm(`${dir}${WORK_SUFFIX}`, {recursive: true, force: true});
  await rm(`${dir}${OWNER_SUFFIX}`, {force: true});
}

async function isAbandoned(dir: string, now: number): Promise<boolean> {
  const owner = await readForeignJson(`${dir}${OWNER_SUFFIX}`, ProcessIdentity);
  if (owner !== null && isProvenDead(owner)) return true;
  const changed = await Promise.all(
    [dir, `${dir}${WORK_SUFFIX}`, `${dir}${OWNER_SUFFIX}`].map((path) => stat(path).catch(() => null)),
  );
  return changed.every((found) => found === null || now - found.mtimeMs > unprovableMs);
}

/** Returns the name of a part: `MARKET` or a state. */
export function partName(part: PartFile): string {
  return part.kind === "market" ? MARKET : part.state;
}

/** Describes a part in one line: name, rows, day, kind of input, and the program that made it. */
export function partText(part: PartFile): string {
  const rows =
    part.kind === "market" ? Object.values(part.made.rows).reduce((a, b) => a + b, 0) : part.made.rows;
  const input = part.sample ? "sample data" : "real data";
  return `${partName(part)}, ${countWords(rows)} rows, as of ${part.as_of_date}, ${input}, made by ${part.code_version}`;
}

/** Reads the description of a part. Throws a `UsageError` for a folder that is no part, and a `UserError` for another format. */
export async function readPart(dir: string): Promise<PartFolder> {
  const path = join(dir, partFileName);
  const text = await readForeign(path, 2 ** 30).catch((error: unknown) => {
    throw new UsageError(
      `${path}: cannot be read (${messageOf(error)}). A part is a folder that "cattle build --part" made.`,
    );
  });
  return {dir, part: parsePart(path, text)};
}

function parsePart(path: string, text: string): PartFile {
  return parseFormatted(path, text, {
    schema: PartFile,
    name: "a part",
    formats: [partFormat],
    refusal: (format) =>
      `${path}: format ${format}, this program reads parts of format ${partFormat}. Build it again.`,
  });
}

/** Throws a `UserError` that names the first file of a part that is missing or does not match. */
export async function requireSoundPart({dir, part}: PartFolder): Promise<void> {
  for (const file of part.files) {
    const fault = await fileDifference(join(dir, file.path), file, "full").catch(messageOf);
    if (fault !== null) {
      throw new UserError(`${join(dir, file.path)}: ${fault}. Copy or build ${partName(part)} again.`);
    }
  }
}
