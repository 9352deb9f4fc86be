import {readFileSync} from "node:fs";
import {join} from "node:path";
import {z} from "zod";
import {LandUseMap, type LandUseRule, type LandUseSystem} from "../../../schemas/vocabulary/land-use.ts";
import {UserError} from "../../errors.ts";
import {referenceDir} from "../../paths.ts";

export type CompiledRule = {
  readonly rule: LandUseRule;
  fits(code: string): boolean;
  readonly description: RegExp | null;
};
export type CompiledSystem = {
  readonly id: string;
  readonly system: LandUseSystem;
  readonly rules: readonly CompiledRule[];
  readonly exclude: readonly RegExp[];
};
export type CompiledMap = {
  readonly map: LandUseMap;
  readonly systems: ReadonlyMap<string, CompiledSystem>;
  /** Words that say what a parcel is not. */
  readonly denied: RegExp;
  readonly keywords: readonly {
    category: LandUseMap["keywords"][number]["category"];
    pattern: RegExp;
    unless: RegExp | null;
  }[];
};

/** Loads and compiles the land-use map; throws a `UserError` that names the place of an error. */
export function loadLandUseMap(path = join(referenceDir, "land-use-map.json")): CompiledMap {
  const parsed = LandUseMap.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!parsed.success) throw new UserError(`${path}: ${z.prettifyError(parsed.error)}`);
  return compileMap(parsed.data, path);
}

let compiled: CompiledMap | undefined;

/** The land-use map of the reference data, loaded once. */
export function landUseMap(): CompiledMap {
  compiled ??= loadLandUseMap();
  return compiled;
}

function compileMap(map: LandUseMap, path: string): CompiledMap {
  const systems = Object.entries(map.systems).map(([id, system]) => compileSystem(id, system, map, path));
  return {
    map,
    systems: new Map(systems.map((system) => [system.id, system])),
    denied: new RegExp(map.denied, "gi"),
    keywords: map.keywords.map(({category, pattern, unless}) => ({
      category,
      pattern: new RegExp(pattern, "i"),
      unless: unless === undefined ? null : new RegExp(unless, "i"),
    })),
  };
}

function compileSystem(id: string, system: LandUseSystem, map: LandUseMap, path: string): CompiledSystem {
  const badStep = system.normalise.find((step) => !isKnownStep(step));
  if (badStep !== undefined) throw new UserError(`${path}: ${id}: unknown step "${badStep}"`);
  const badRule = system.rules.find((rule) => !(rule.source in map.sources));
  if (badRule !== undefined)
    throw new UserError(`${path}: ${id}: rule "${badRule.label}" names no known source`);
  return {
    id,
    system,
    rules: system.rules.map(compileRule),
    exclude: (system.exclude ?? []).map(({description}) => new RegExp(description, "i")),
  };
}

function compileRule(rule: LandUseRule): CompiledRule {
  const codes = new Set(rule.codes ?? []);
  const pattern = rule.pattern === undefined ? null : new RegExp(rule.pattern);
  const [low, high] = rule.range ?? [1, 0];
  return {
    rule,
    description: rule.when?.description === undefined ? null : new RegExp(rule.when.description, "i"),
    fits: (code) =>
      codes.has(code) ||
      (pattern?.test(code) ?? false) ||
      (/^\d{1,9}$/.test(code) && Number(code) >= low && Number(code) <= high),
  };
}

/**
 * Applies the normalisation steps of a code system to a published code; `split` yields several codes. The
 * steps are `trim`, `upper`, `dropSpaces`, `digitsOnly`, `first:N`, `split:CHARS` (a character or a class in
 * brackets) and `sliceByLength:L=A-B,…` (characters A to B of a code of length L; codes of other lengths are
 * unchanged). Throws for an unknown step.
 */
export function normaliseCode(code: string, steps: readonly string[]): string[] {
  return steps
    .reduce<string[]>((codes, step) => codes.flatMap((each) => applyStep(each, step)), [code])
    .filter(Boolean);
}

/** True for a step that `normaliseCode` supports. */
function isKnownStep(step: string): boolean {
  return /^(trim|upper|dropSpaces|digitsOnly|first:\d+|split:.+|sliceByLength:(\d+=\d+-\d+,?)+)$/.test(step);
}

function applyStep(code: string, step: string): string[] {
  const [name, argument = ""] = splitOnce(step, ":");
  switch (name) {
    case "trim":
      return [code.trim()];
    case "upper":
      return [code.toUpperCase()];
    case "dropSpaces":
      return [code.replaceAll(" ", "")];
    case "digitsOnly":
      return [code.replace(/\D/g, "")];
    case "first":
      return [code.slice(0, Number(argument))];
    case "split":
      return splitAt(code, new Set(argument.replace(/^\[(.*)\]$/, "$1")));
    case "sliceByLength":
      return [sliceByLength(code, argument)];
    default:
      throw new Error(`land-use map: unknown step "${step}"`);
  }
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function splitAt(code: string, separators: ReadonlySet<string>): string[] {
  const parts = [""];
  for (const character of code) {
    if (separators.has(character)) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

function sliceByLength(code: string, rules: string): string {
  for (const rule of rules.split(",")) {
    const [length, from, to] = rule.split(/[=-]/).map(Number);
    if (code.length === length) return code.slice(from, to);
  }
  return code;
}
