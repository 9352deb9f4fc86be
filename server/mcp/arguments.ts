import type {z} from "zod";
import {meantNames} from "../http/parameters.ts";

/**
 * Gives the schema of a tool's arguments with complaints that help: which name was meant, what the tool takes, and what a value has to
 * be.
 */
export function helpfulSchema<Schema extends z.ZodObject>(schema: Schema): Pick<Schema, "~standard"> {
  const standard = schema["~standard"];
  const validate = (given: unknown) => {
    const {success, data, error} = schema.safeParse(given);
    if (success) return {value: data};
    return {issues: error.issues.map((issue) => ({message: complaint(issue, {schema, given})}))};
  };
  return {"~standard": {...standard, validate}} as Pick<Schema, "~standard">;
}

type Context = {schema: z.ZodObject; given: unknown};

function complaint(issue: z.core.$ZodIssue, {schema, given}: Context): string {
  const names = Object.keys(schema.shape);
  const taken = names.length === 0 ? "It takes no arguments." : `It takes ${names.join(", ")}.`;
  if (issue.code === "unrecognized_keys") {
    return `${issue.keys.map((key) => unknownName(key, names)).join(" ")} ${taken}`;
  }
  const name = String(issue.path[0] ?? "");
  if (name === "") return `The arguments are ${JSON.stringify(given)}, and an object is wanted. ${taken}`;
  const {description = ""} = schema.shape[name] as z.ZodType;
  const value = (given as Record<string, unknown>)[name];
  if (value === undefined) return `${name} is required: ${description}`;
  return `${name} is ${JSON.stringify(value)}, ${wanted(issue)}: ${description}`;
}

function unknownName(key: string, names: readonly string[]): string {
  const meant = meantNames(key, names);
  return `${key} is no argument of this tool${meant.length === 0 ? "." : `; ${meant.join(" or ")} was meant?`}`;
}

function wanted(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `and a ${kindWords[issue.expected] ?? issue.expected} is wanted`;
  if (issue.code === "invalid_value") return `and a word out of ${issue.values.join(", ")} is wanted`;
  if (issue.code === "too_small") return `and ${issue.minimum} is the least`;
  if (issue.code === "too_big") return `and ${issue.maximum} is the most`;
  return issue.message;
}

const kindWords: Readonly<Record<string, string>> = {
  int: "whole number",
  string: "text",
  boolean: "true or false",
};
