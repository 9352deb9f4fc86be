import {ReportError} from "@open-cattle/usda-reports";
import {UserError} from "../../../lib/errors.ts";

/** The result of reading a report; a `ReportError` is thrown as a `UserError` that names the file. */
export function ofReport<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ReportError) throw new UserError(`${path}: ${error.message}`);
    throw error;
  }
}
