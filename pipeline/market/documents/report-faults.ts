import {ReportError} from "@open-cattle/usda-reports";
import {UserError} from "../../../lib/errors.ts";

/** The result of reading a report; a `ReportError` is thrown as a `UserError` that names the file. */
export async function ofReport<T>(path: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ReportError) throw new UserError(`${path}: ${error.message}`);
    throw error;
  }
}
