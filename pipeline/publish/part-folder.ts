import {join} from "node:path";
import {messageOf, UsageError, UserError} from "../../lib/errors.ts";
import {fileFault} from "../../lib/storage/build-files.ts";
import {MARKET} from "../../lib/storage/build-layout.ts";
import {readForeign} from "../../lib/storage/foreign-file.ts";
import {parseFormatted} from "../../lib/storage/formatted-json.ts";
import {PartFile, partFormat} from "../../schemas/part-file.ts";

/** The name of the file that says what a part is; it is written last. */
export const partFileName = "part.json";

/** A part in a folder. */
export type PartFolder = {readonly dir: string; readonly part: PartFile};

/** Gives the name of a part among the parts of a build: `MARKET` or a state. */
export function partName(part: PartFile): string {
  return part.kind === "market" ? MARKET : part.state;
}

/** Says what a part is in one line: name, rows, day, kind of input, and the program that made it. */
export function partText(part: PartFile): string {
  const rows =
    part.kind === "market" ? Object.values(part.made.rows).reduce((a, b) => a + b, 0) : part.made.rows;
  const input = part.sample ? "sample data" : "real data";
  return `${partName(part)}, ${rows.toLocaleString("en-US")} rows, as of ${part.as_of_date}, ${input}, made by ${part.code_version}`;
}

/** Reads what a part says of itself. Throws a `UsageError` for a folder that is no part, and a `UserError` for another format. */
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
    format: partFormat,
    refusal: (format) =>
      `${path}: format ${format}, this program reads parts of format ${partFormat}. Build it again.`,
  });
}

/** Throws a `UserError` that names the first file of a part that is absent or not as the part says. */
export async function requireSoundPart({dir, part}: PartFolder): Promise<void> {
  for (const file of part.files) {
    const fault = await fileFault(join(dir, file.path), file, "full").catch(messageOf);
    if (fault !== null) {
      throw new UserError(`${join(dir, file.path)}: ${fault}. Copy or build ${partName(part)} again.`);
    }
  }
}
