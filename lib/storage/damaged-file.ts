import {UserError} from "../errors.ts";

/** The error of a place of a published file that is not as it was written. */
export class DamagedFileError extends UserError {
  override name = "DamagedFileError";
  readonly path: string;

  /** `place` says what is damaged: `row 7`. */
  constructor(path: string, place: string) {
    super(`${path}: ${place} is damaged. Run "cattle verify".`);
    this.path = path;
  }
}
