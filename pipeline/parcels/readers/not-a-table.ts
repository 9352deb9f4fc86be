import {UserError} from "../../../lib/errors.ts";

/** A file that is well and known, but holds no rows of its own: it is left out with the message as the reason. */
export class NotATable extends UserError {
  override name = "NotATable";
}
