/**
 * The version of each set of rules by which answers are computed; `transformation.version` names those behind a claim. A set is raised when
 * what it computes of the same inputs changes: `test/pipeline/market/rule-sets.test.ts` keeps a digest of each.
 */
export const ruleSetVersions = {
  cells: 5,
  curve: 5,
  changes: 5,
  state_weeks: 3,
  estimate: 2,
  schedule: 3,
  reporter: 6,
  directory: 1,
  mandatory: 1,
} as const;
export type RuleSet = keyof typeof ruleSetVersions;

/** The versions of rule sets in a text, such as `cells-2+changes-2`. */
export function versionOf(sets: readonly RuleSet[]): string {
  return sets.map((name) => `${name}-${ruleSetVersions[name]}`).join("+");
}
