import {FileError} from "@open-cattle/parcel-files";
import {UserError} from "../../lib/errors.ts";

/** An error of the package that reads files as one that the user can fix; any other thrown value as it is. */
export function asUserError(thrown: unknown): unknown {
  return thrown instanceof FileError ? new UserError(thrown.message) : thrown;
}

/** The result of work with a file; a `FileError` of it is thrown as a `UserError`. */
export async function withUserErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asUserError(error);
  }
}

/** Passes pieces of a file on; a `FileError` between them is thrown as a `UserError`. */
export async function* piecesOrUserError<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* pieces;
  } catch (error) {
    throw asUserError(error);
  }
}
