import {z} from "zod";
import type {Endpoint} from "../http/endpoint.ts";
import {suggestedParameters} from "../http/parameters.ts";
import {listedAs} from "./listed-types.ts";
import type {Tool} from "./tool-table.ts";

/**
 * Returns the argument schema of a tool: its endpoint's parameters under the same names, typed as text, number or boolean. The endpoint
 * validates the values.
 */
export function inputSchema({requires, omits = [], defaultLimit}: Tool, {parameters}: Endpoint): z.ZodObject {
  const withWeeks = "history" in parameters.shape ? ", 1 with history" : "";
  const usual = defaultLimit && `Records on a page, ${defaultLimit} by default${withWeeks}`;
  const argument = (name: string, parameter: z.ZodType) => {
    const isOptional = parameter instanceof z.ZodOptional;
    const kind = name === "limit" ? z.number() : valueKind(isOptional ? parameter.unwrap() : parameter);
    const about = (name === "limit" && usual) || (parameter.description ?? name);
    return (isOptional && name !== requires ? kind.optional() : kind).describe(about);
  };
  const taken = Object.entries(parameters.shape as Record<string, z.ZodType>)
    // The description already conveys the evidence.
    .filter(([name]) => name !== "evidence" && !omits.includes(name))
    .map(([name, parameter]) => [name, argument(name, parameter)]);
  return z.strictObject(Object.fromEntries(taken));
}

/** The type of a parameter's value after parsing; enumerations and what is derived from them stay text. */
function valueKind(parameter: unknown): z.ZodNumber | z.ZodBoolean | z.ZodString {
  const read = parameter instanceof z.ZodPipe ? parameter.out : parameter;
  return read instanceof z.ZodNumber || read instanceof z.ZodBoolean ? read : z.string();
}

/**
 * Returns the schema of a tool's arguments with helpful error messages: which name was probably meant, what the tool accepts, and what a
 * value must be.
 */
export function helpfulSchema<Schema extends z.ZodObject>(schema: Schema): Pick<Schema, "~standard"> {
  const {$schema: _, ...listed} = z.toJSONSchema(schema);
  const validate = (given: unknown) => {
    const {data, error} = schema.safeParse(withoutQuotes(given, schema.shape), {
      error: (issue) => complaint(issue, schema.shape),
    });
    // The message names the argument; with a path, the protocol would name it again.
    return error === undefined ? {value: data} : {issues: error.issues.map(({message}) => ({message}))};
  };
  return {"~standard": {...listedAs(schema, listed)["~standard"], validate}} as Pick<Schema, "~standard">;
}

/** Numbers and yes or no that came as text, as they do over HTTP, become what the schema names. */
function withoutQuotes(given: unknown, shape: Readonly<Record<string, z.ZodType>>): unknown {
  if (given === null || typeof given !== "object" || Array.isArray(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const type = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const inner = type instanceof z.ZodOptional ? type.unwrap() : type;
      const text = typeof value === "string" ? value.trim() : "";
      if (inner instanceof z.ZodNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return [name, Number(text)];
      if (inner instanceof z.ZodBoolean && /^(true|false)$/.test(text)) return [name, text === "true"];
      return [name, value];
    }),
  );
}

function complaint(issue: z.core.$ZodRawIssue, shape: Readonly<Record<string, z.ZodType>>): string {
  const names = Object.keys(shape);
  const taken = names.length === 0 ? "It takes no arguments." : `It takes ${names.join(", ")}.`;
  if (issue.code === "unrecognized_keys")
    return `${issue.keys.map((key) => unknownName(key, names)).join(" ")} ${taken}`;
  const [name] = issue.path ?? [];
  const value = JSON.stringify(issue.input);
  if (name === undefined) return `The arguments must be an object, not ${value}. ${taken}`;
  const {description = ""} = shape[String(name)]!;
  if (value === undefined) return `${String(name)} is required: ${description}`;
  return `${String(name)} must be ${expectedOf(issue)}, not ${value}: ${description}`;
}

function unknownName(key: string, names: readonly string[]): string {
  const similar = suggestedParameters(key, names).map((name) => `"${name}"`);
  return `Unknown argument "${key}".${similar.length === 0 ? "" : ` Did you mean ${similar.join(" or ")}?`}`;
}

function expectedOf(issue: z.core.$ZodRawIssue): string {
  if (issue.code === "too_small") return `${issue.minimum} or more`;
  if (issue.code === "too_big") return `${issue.maximum} or less`;
  return kindWords[String(issue["expected"])] ?? `a ${issue["expected"]}`;
}

const kindWords: Readonly<Record<string, string>> = {
  int: "a whole number",
  string: "a text",
  boolean: "true or false",
};
