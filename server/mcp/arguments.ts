import {z} from "zod";
import {suggestedParameters} from "../http/parameters.ts";
import {listedAs} from "./listed-types.ts";

/**
 * Returns the schema of a tool's arguments with helpful error messages: which name was probably meant, what the tool accepts, and what a
 * value must be.
 */
export function helpfulSchema<Schema extends z.ZodObject>(schema: Schema): Pick<Schema, "~standard"> {
  const {$schema: _, ...listed} = z.toJSONSchema(schema);
  const validate = (given: unknown) => {
    const {data, error} = schema.safeParse(given, {error: (issue) => complaint(issue, schema.shape)});
    // The message names the argument; with a path, the protocol would name it again.
    return error === undefined ? {value: data} : {issues: error.issues.map(({message}) => ({message}))};
  };
  return {"~standard": {...listedAs(schema, listed)["~standard"], validate}} as Pick<Schema, "~standard">;
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
