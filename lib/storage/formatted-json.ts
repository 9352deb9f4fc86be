import {prettifyError, type z} from "zod";
import {messageOf, UserError} from "../errors.ts";

/**
 * Gives the value of a JSON text that says by its member `format` how it is to be read. Throws a `UserError` that begins with `path` for
 * a text that is not JSON and for a value that breaks the schema (`name` is its noun), and one with the whole message that `refusal` gives
 * for another format.
 */
export function parseFormatted<Schema extends z.ZodType>(
  path: string,
  text: string,
  {
    schema,
    name,
    formats,
    refusal,
  }: {schema: Schema; name: string; formats: readonly unknown[]; refusal: (format: unknown) => string},
): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(`${path}: not JSON: ${messageOf(error)}`);
  }
  const found = (value as {format?: unknown} | null)?.format;
  if (!formats.includes(found)) throw new UserError(refusal(found));
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new UserError(`${path}: not ${name}:\n${prettifyError(parsed.error)}`);
  return parsed.data;
}
