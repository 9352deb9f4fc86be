import {UserError} from "../errors.ts";

/** The error of a row of a published file that is not as it was written. */
export class DamagedFileError extends UserError {
  override name = "DamagedFileError";
  readonly path: string;

  constructor(path: string, row: number) {
    super(`${path}: row ${row} is damaged. Run "cattle verify".`);
    this.path = path;
  }
}
