import type {LandUseCategory, LandUseMethod} from "../../../schemas/vocabulary/land-use.ts";
import {type CompiledMap, type CompiledRule, type CompiledSystem, normaliseCode} from "./land-use-map.ts";

/** Published facts about a parcel's use; null or absent means unknown, never zero. */
export type UseFacts = {
  /** Published codes by field name, in order of preference. */
  readonly codes: Readonly<Record<string, string | null>>;
  readonly description?: string | null;
  readonly improvementValue?: number | null;
  readonly landValue?: number | null;
  readonly totalValue?: number | null;
  readonly buildingArea?: number | null;
  readonly acres?: number | null;
  readonly agAcresShare?: number | null;
  readonly taxStatus?: string | null;
};

type LandUse = {
  readonly category: LandUseCategory | null;
  readonly method: LandUseMethod;
  /** 0 to 1, 4 decimals; 0 without a category. */
  readonly confidence: number;
  /** The system whose rule decided, else the first that has a code, else null. */
  readonly codeSystem: string | null;
  /**
   * Result of the improvement test: true for bare land, false with a building, null when the values do not
   * tell.
   */
  readonly isVacantLand: boolean | null;
  /** Cleaning code of a row whose code is implausible; otherwise null. */
  readonly flag: string | null;
};

type Decision = {
  category: LandUseCategory | null;
  method: LandUseMethod;
  confidence: number;
  flag?: string | null;
};
type SystemDecision = Decision & {system: CompiledSystem | null};

const none: Decision = {category: null, method: "none", confidence: 0};
const builtCategories: ReadonlySet<LandUseCategory> = new Set(["residential", "commercial", "industrial"]);

/**
 * Decides the land-use category (`docs/design/parcels.md` section 6): by the code systems in order, then by
 * keywords in the printed description. A rule without category ends the search. Throws for a system that is
 * not in the map.
 */
export function classifyLandUse(
  facts: UseFacts,
  systemIds: readonly string[],
  compiled: CompiledMap,
): LandUse {
  const systems = systemIds.map((id) => systemOf(id, compiled));
  const codedSystem = systems.find((system) => codeFor(system, facts.codes) !== null) ?? null;
  const ruled = bySystems(facts, systems, compiled);
  const beside = byKeywords(wordsBeside(facts.codes), compiled);
  // The code may belong to a newer edition than the system knows; the words printed with it are more
  // reliable.
  const wordsDisagree = beside.category !== null && ruled !== null && beside.category !== ruled.category;
  const found = wordsDisagree ? beside : (ruled ?? byKeywords(wordsOf(facts), compiled));
  const bare = improvementTest(facts);
  return {
    ...afterImprovementTest(found, bare, compiled),
    codeSystem: (found.system ?? codedSystem)?.id ?? null,
    isVacantLand: bare,
    flag: found.category === null ? (found.flag ?? null) : null,
  };
}

/**
 * A code printed with its description, such as `11 - SINGLE FAMILY`; a code has a digit or is one or two
 * letters.
 */
const codeWithWords = /^\s*((?=\D*\d)\w{1,6}|[A-Za-z]{1,2})\s*[-–:]\s*(?=\D*$)(.*[A-Za-z]{3}.*)$/;

/** Words instead of a code, such as `AGRICULTURAL`. */
const wordsAlone = /^(?=\D+$).*[A-Za-z]{4}/;

/** The printed description, else the words after a printed code, else words instead of a code. */
function wordsOf({description, codes}: UseFacts): string | null {
  if (description !== null && description !== undefined && description.trim() !== "") return description;
  return wordsBeside(codes) ?? Object.values(codes).find((code) => wordsAlone.test(code ?? "")) ?? null;
}

function wordsBeside(codes: UseFacts["codes"]): string | null {
  return Object.values(codes).flatMap((code) => codeWithWords.exec(code ?? "")?.[2] ?? [])[0] ?? null;
}

function systemOf(id: string, compiled: CompiledMap): CompiledSystem {
  const system = compiled.systems.get(id);
  if (system === undefined) throw new Error(`land-use map: no system "${id}"`);
  return system;
}

function bySystems(
  facts: UseFacts,
  systems: readonly CompiledSystem[],
  compiled: CompiledMap,
): SystemDecision | null {
  for (const system of systems) {
    if (system.exclude.some((pattern) => pattern.test(facts.description ?? ""))) return {...none, system};
    const decision = bySystem(facts, system, compiled);
    if (decision !== null) return {...decision, system};
  }
  return null;
}

function bySystem(facts: UseFacts, system: CompiledSystem, compiled: CompiledMap): Decision | null {
  const printed = codeFor(system, facts.codes);
  if (printed === null) return null;
  const ruled = (code: string): Decision[] =>
    normaliseCode(code, system.system.normalise)
      .map((each) => system.rules.find((rule) => rule.fits(each) && holds(rule, facts)))
      .filter((rule) => rule !== undefined)
      .map(({rule: {category, method, confidence = 0, flag = null}}) => ({
        category,
        method,
        confidence,
        flag,
      }));
  const whole = ruled(printed);
  const alone = codeWithWords.exec(printed)?.[1];
  const decisions = whole.length === 0 && alone !== undefined ? ruled(alone) : whole;
  return decisions.length === 0 ? null : oneOfSeveral(decisions, compiled);
}

/**
 * The code for a system: from the fields that the system names, else from any field; null when there is none.
 */
function codeFor({system}: CompiledSystem, codes: UseFacts["codes"]): string | null {
  const known = new Set(system.fields?.map((name) => name.toLowerCase()));
  const entries = Object.entries(codes);
  const named = entries.filter(([name]) => known.has(name.toLowerCase()));
  const preferred = named.length > 0 ? named : entries;
  const printed = preferred.map(([, code]) => code).find((code) => code !== null && code.trim() !== "");
  // Software that takes a column of codes for numbers prints `1.0` for `1`.
  return printed?.replace(/^\s*(\d+)\.0+\s*$/, "$1") ?? null;
}

function holds({rule, description}: CompiledRule, facts: UseFacts): boolean {
  const {when} = rule;
  if (when === undefined) return true;
  const {improvementValue: improvement, agAcresShare: share, acres, taxStatus} = facts;
  if (description !== null && !description.test(facts.description ?? "")) return false;
  if (when.improvementValue === "zero" && improvement !== 0) return false;
  if (when.improvementValue === "positive" && !(isKnown(improvement) && improvement > 0)) return false;
  if (when.agAcresShare !== undefined && !(isKnown(share) && share >= when.agAcresShare)) return false;
  if (when.acresMax !== undefined && !(isKnown(acres) && acres <= when.acresMax)) return false;
  if (when.acresAbove !== undefined && !(isKnown(acres) && acres > when.acresAbove)) return false;
  return when.taxStatus === undefined || taxStatus?.trim().toUpperCase() === when.taxStatus;
}

/** Picks one of several classes of a parcel by the map's order, with less confidence when they differ. */
function oneOfSeveral(decisions: readonly Decision[], {map}: CompiledMap): Decision {
  const land = decisions.filter(({category}) => category !== null);
  if (land.length === 0) return {...none, flag: decisions.find(({flag}) => flag)?.flag ?? null};
  const {order, confidenceFactor} = map.multiClass;
  const winner = order.map((category) => land.find((each) => each.category === category)).find(Boolean)!;
  const mixed = land.some(({category}) => category !== winner.category);
  return mixed ? {...winner, confidence: round4(winner.confidence * confidenceFactor)} : winner;
}

/**
 * Decides by the first matching keyword of the map, without the words that say what the parcel is not
 * (NON-FARM). In `category | detail` the category decides, unless the detail says vacant.
 */
function byKeywords(
  description: string | null | undefined,
  {denied, keywords, map}: CompiledMap,
): SystemDecision {
  const text = (description ?? "").slice(0, 500).replace(denied, " ");
  const categoryOf = (words: string) =>
    keywords.find(({pattern, unless}) => pattern.test(words) && !(unless?.test(words) ?? false))?.category;
  const whole = categoryOf(text);
  const category =
    text.includes("|") && whole !== "vacant" ? (categoryOf(text.split("|")[0]!) ?? whole) : whole;
  if (category === undefined) return {...none, system: null};
  return {category, method: "keyword", confidence: map.keywordConfidence, system: null};
}

function improvementTest(facts: UseFacts): boolean | null {
  const {improvementValue, buildingArea, landValue, totalValue} = facts;
  if (isKnown(improvementValue) && improvementValue > 0) return false;
  if (isKnown(buildingArea) && buildingArea > 0) return false;
  const valued = (isKnown(landValue) && landValue > 0) || (isKnown(totalValue) && totalValue > 0);
  return improvementValue === 0 && valued ? true : null;
}

function afterImprovementTest(found: SystemDecision, bare: boolean | null, {map}: CompiledMap): Decision {
  const {category, method, confidence, system} = found;
  const built = category !== null && builtCategories.has(category);
  if (bare === true && built && system !== null && !system.system.hasVacantCode) {
    return {category: "vacant", method: "improvement_test", confidence: map.improvementTest.confidence};
  }
  const conflict = (bare === true && built) || (bare === false && category === "vacant");
  return {
    category,
    method,
    confidence: conflict ? round4(confidence * map.improvementTest.conflictFactor) : confidence,
  };
}

function isKnown(value: number | null | undefined): value is number {
  return value !== null && value !== undefined;
}

function round4(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
