import {prettifyError, type z} from "zod";
import {messageOf, UserError} from "../errors.ts";

/**
 * Parses a JSON text whose member `format` says how to read it. Throws a `UserError` that begins with `path`
 * for text that is not JSON and for a value that does not match the schema (`name` is its noun). For another
 * format it throws one with the message that `refusal` returns.
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
