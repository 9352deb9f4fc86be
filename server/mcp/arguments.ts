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
  if (name === undefined) return `The arguments are ${value}, and an object is wanted. ${taken}`;
  const {description = ""} = shape[String(name)]!;
  if (value === undefined) return `${String(name)} is required: ${description}`;
  return `${String(name)} is ${value}, ${wanted(issue)}: ${description}`;
}

function unknownName(key: string, names: readonly string[]): string {
  const meant = suggestedParameters(key, names);
  return `${key} is no argument of this tool${meant.length === 0 ? "." : `; ${meant.join(" or ")} was meant?`}`;
}

function wanted(issue: z.core.$ZodRawIssue): string {
  if (issue.code === "too_small") return `and ${issue.minimum} is the least`;
  if (issue.code === "too_big") return `and ${issue.maximum} is the most`;
  return `and a ${kindWords[String(issue["expected"])] ?? issue["expected"]} is wanted`;
}

const kindWords: Readonly<Record<string, string>> = {
  int: "whole number",
  string: "text",
  boolean: "true or false",
};
