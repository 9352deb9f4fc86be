import type {z} from "zod";
import type {InvalidParameter} from "../schemas/problem.ts";
import type {Endpoint} from "./endpoint.ts";
import {invalidParameters} from "./problem.ts";

/** Parameters of one request: the schema's output and the names that the endpoint does not know. */
export type Parameters = {query: unknown; ignored: string[]; given: string[]};

const MOST_CHARACTERS_ECHOED = 60;

/**
 * Reads the query string of a request for an endpoint: trimmed, empty values left out, unknown names ignored and listed.
 * Throws the 400 of every repeated, missing or malformed parameter.
 */
export function readParameters(endpoint: Endpoint, raw: Readonly<Record<string, unknown>>): Parameters {
  const known = endpoint.parameters.shape;
  const values: Record<string, string> = {};
  const ignored: string[] = [];
  const repeated: InvalidParameter[] = [];
  for (const [name, value] of Object.entries(raw)) {
    if (typeof value !== "string") repeated.push({name, reason: "is given more than once"});
    else if (!Object.hasOwn(known, name)) ignored.push(name);
    else if (value.trim() !== "") values[name] = value.trim();
  }
  if (repeated.length > 0) throw invalidParameters(repeated);
  const parsed = endpoint.parameters.safeParse(values);
  if (!parsed.success) {
    throw invalidParameters(parsed.error.issues.map((issue) => describe(issue, values, endpoint.unspoken)));
  }
  return {query: parsed.data, ignored: ignored.sort(), given: Object.keys(values)};
}

/** Text that names a question and all that changes its answer's bytes: equal questions, equal text. */
export function canonicalQuery({query, ignored}: Parameters): string {
  // The schema's output has its members in the order of the schema, whatever the order of the request.
  return JSON.stringify([query, ignored]);
}

function describe(
  issue: z.core.$ZodIssue,
  values: Record<string, string>,
  unspoken: readonly string[],
): InvalidParameter {
  const name = String(issue.path[0] ?? "");
  const value = values[name];
  const allowed = allowedValues(issue);
  return {
    name,
    ...(value === undefined || unspoken.includes(name)
      ? {}
      : {value: value.slice(0, MOST_CHARACTERS_ECHOED)}),
    reason: value === undefined && issue.code === "invalid_type" ? "is required" : issue.message,
    ...(allowed === undefined ? {} : {allowed}),
  };
}

function allowedValues(issue: z.core.$ZodIssue): string[] | undefined {
  if (issue.code === "invalid_value") return issue.values.map(String);
  const allowed = issue.code === "custom" ? issue.params?.["allowed"] : undefined;
  return Array.isArray(allowed) ? allowed.map(String) : undefined;
}
