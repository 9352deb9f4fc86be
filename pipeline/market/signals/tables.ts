import {parse} from "csv-parse/sync";
import {messageOf, UserError} from "../../../lib/errors.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import type {Json} from "../json-values.ts";

/**
 * The rows of a table in text, by the names of its header: commas, tabs, pipes or semicolons, whichever the header has most
 * of. Throws a UserError with the line for a row of another length than the header's, such as where a download was cut off.
 */
export function tableRows({path}: RawFile, text: string): Json[] {
  const [header = ""] = text.split(/\r?\n/, 1);
  const delimiter = [",", "\t", "|", ";"].reduce((best, candidate) =>
    header.split(candidate).length > header.split(best).length ? candidate : best,
  );
  try {
    return parse(text, {
      columns: uniqueNames,
      delimiter,
      skip_empty_lines: true,
      relax_quotes: true,
      trim: true,
    }) as Json[];
  } catch (thrown) {
    throw new UserError(`${path}: not a table, perhaps cut off: ${messageOf(thrown).split("\n")[0]}.`);
  }
}

/** Header names; a name that stands twice gets a number, so that no column hides another. */
function uniqueNames(names: string[]): string[] {
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((other) => other === name).length;
    return before === 0 ? name : `${name} ${before + 1}`;
  });
}
