import {readFileSync} from "node:fs";
import {join} from "node:path";
import {z} from "zod";
import {LandUseMap, type LandUseRule, type LandUseSystem} from "../../../schemas/land-use.ts";
import {UserError} from "../../errors.ts";
import {referenceDir} from "../../paths.ts";
import {isKnownStep} from "./code-steps.ts";

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
  readonly keywords: readonly {
    category: LandUseMap["keywords"][number]["category"];
    pattern: RegExp;
    unless: RegExp | null;
  }[];
};

/** Reads and compiles the land-use map; throws a `UserError` with the place of a fault. */
export function loadLandUseMap(path = join(referenceDir, "land-use-map.json")): CompiledMap {
  const parsed = LandUseMap.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!parsed.success) throw new UserError(`${path}: ${z.prettifyError(parsed.error)}`);
  return compileMap(parsed.data, path);
}

function compileMap(map: LandUseMap, path: string): CompiledMap {
  const systems = Object.entries(map.systems).map(([id, system]) => compileSystem(id, system, map, path));
  return {
    map,
    systems: new Map(systems.map((system) => [system.id, system])),
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
