import {readFileSync} from "node:fs";
import {relative} from "node:path";
import type {z} from "zod";
import {ConfigError, messageOf} from "../errors.ts";
import {packageRoot} from "../paths.ts";

/**
 * Reads a registry file. Throws a `ConfigError` with one line per problem that names file, field and fault.
 */
export function readRegistryFile<T>(schema: z.ZodType<T>, path: string): T {
  const result = schema.safeParse(readJson(path));
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `${shownPath(path)}: ${fault(issue)}`);
  throw new ConfigError(lines.join("\n"));
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new ConfigError(`${shownPath(path)}: not readable as JSON: ${messageOf(error)}`);
  }
}

/** Formats an issue as "field: what is wrong"; for a union, it reports the branch that matched furthest. */
function fault(issue: z.core.$ZodIssue, above: PropertyKey[] = []): string {
  const path = [...above, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const deepest = issue.errors.reduce((best, next) => (depth(next) > depth(best) ? next : best));
    if (depth(deepest) > 0 && deepest[0] !== undefined) return fault(deepest[0], path);
  }
  const place = path.map(String).join(".");
  if (issue.code === "invalid_key" && issue.issues[0] !== undefined)
    return `${place}: ${issue.issues[0].message}.`;
  if (issue.code === "unrecognized_keys") {
    return `unknown field ${issue.keys.map((key) => `"${[place, key].filter(Boolean).join(".")}"`).join(", ")}.`;
  }
  return `${place === "" ? "entry" : place}: ${issue.message}.`;
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(
    0,
    ...issues.map((issue) => issue.path.length + (issue.code === "unrecognized_keys" ? 1 : 0)),
  );
}

/** A path for messages, relative to the package when inside it. */
export function shownPath(path: string): string {
  const below = relative(packageRoot, path);
  return below.startsWith("..") ? path : below;
}
