import {readFileSync} from "node:fs";
import {join} from "node:path";
import {sourcesDir} from "../../../../lib/paths.ts";
import type {Named, Served} from "./figures.ts";

type Source = {id: string; citationBoundary: string};

/** The registry, read here independently, so that the answers are not checked by the code that made them. */
const registry = JSON.parse(readFileSync(join(sourcesDir, "market.json"), "utf8")) as Source[];

/** The fourteen names of `docs/design/contract.md`. */
const fields =
  `claim entity_ids sources source_date ingested_at last_verified_at transformation confidence limitations
  operational_implication legal_boundary actionability contradictions change_status`.split(/\s+/);

const isText = (value: unknown) => typeof value === "string" && value.length > 0;
const isSorted = (value: unknown) =>
  Array.isArray(value) && JSON.stringify(value) === JSON.stringify([...new Set(value)].sort());
const isDate = (value: unknown) => value === null || /^\d{4}-\d{2}-\d{2}$/.test(String(value));
const isInstant = (value: unknown) =>
  value === null || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(String(value));
const oneOf =
  (...words: string[]) =>
  (value: unknown) =>
    words.includes(String(value));

/** Values that each of the fourteen may have (`docs/design/market.md` section 6). */
const rules: Record<string, (value: unknown) => boolean> = {
  claim: (value) => isText(value) && /[.]$/.test(String(value)),
  entity_ids: (value) => isSorted(value) && (value as string[]).every((id) => /^[a-z]+:./.test(id)),
  sources: (value) =>
    isSorted(value) && (value as string[]).every((id) => registry.some((source) => source.id === id)),
  source_date: isDate,
  ingested_at: isInstant,
  last_verified_at: isInstant,
  transformation: (value) => isText((value as Named)["method"]) && isText((value as Named)["version"]),
  confidence: (value) => oneOf("high", "medium", "low", "unknown")((value as Named)["level"]),
  limitations: (value) => Array.isArray(value) && value.at(-1)?.startsWith("Market information only"),
  operational_implication: (value) => value === null || isText(value),
  legal_boundary: isText,
  actionability: oneOf("informational", "compare", "verify_before_acting", "do_not_act"),
  contradictions: (value) => value === null || Array.isArray(value),
  change_status: oneOf("new", "unchanged", "revised", "withdrawn", "stale"),
};

/** Faults of the evidence of a served record; empty when it has none. */
export function evidenceFaults(served: Served): string[] {
  const {path, record, evidence} = served;
  const at = (fault: string) => `${path} ${record["evidence_id"]}: ${fault}`;
  if (evidence === undefined) return [at("no evidence")];
  const missing = fields.filter((name) => !(name in evidence)).map((name) => at(`${name} is missing`));
  const bad = fields
    .filter((name) => name in evidence && !rules[name]!(evidence[name]))
    .map((name) => at(`${name} is ${JSON.stringify(evidence[name])}`));
  return [...missing, ...bad, ...boundaryFaults(served), ...levelFaults(served), ...claimFaults(served)].map(
    (fault) => (fault.startsWith(path) ? fault : at(fault)),
  );
}

function boundaryFaults({evidence}: Served): string[] {
  const sources = evidence["sources"] as string[];
  const told = registry.filter(({id}) => sources.includes(id)).map((source) => source.citationBoundary);
  const faults =
    evidence["legal_boundary"] === told.join(" ") ? [] : ["legal_boundary is not that of its sources"];
  return sources.length === 1 && sources[0] === "derived-aggregates"
    ? [...faults, "derived-aggregates stands alone"]
    : faults;
}

/** Rows of one cell at one sale share their evidence: its caps look at the head of all of them. */
function levelFaults({record, group, evidence}: Served): string[] {
  const {level, score} = evidence["confidence"] as {level: string; score: number | null};
  const byScore = score === null ? "unknown" : score >= 0.6 ? "high" : score >= 0.3 ? "medium" : "low";
  const head = group.reduce((sum, row) => sum + Number(row["head_count"] ?? 0), 0);
  const least = record["price_unit"] === "per_pair" ? 5 : 10;
  const thin = "row_ordinal" in record ? head < least : record["thin"] === true;
  const low = thin || group.some((row) => row["outlier"] === true);
  const estimate = record["price_basis"] === "nearest_market_estimate";
  const status = (record["completeness"] as Named | null | undefined)?.["status"] ?? "no_sale_known_missing";
  const unsure = estimate || status !== "no_sale_known_missing";
  const capped = low ? "low" : unsure && byScore === "high" ? "medium" : byScore;
  const expected = score === null ? "unknown" : capped;
  return level === expected ? [] : [`level ${level} with score ${score}, expected ${expected}`];
}

/** Numbers of the claim that occur in no record of its group; a venue count may come from the list of venues. */
function claimFaults({record, group, evidence}: Served): string[] {
  const known = new Set((JSON.stringify(group).match(/\d+(\.\d+)?/g) ?? []).map(Number));
  const venues = (record["contributing_venues"] as unknown[] | undefined)?.length;
  const numbers =
    String(evidence["claim"])
      .replaceAll(/(\d),(?=\d)/g, "$1")
      .match(/\d+(\.\d+)?/g) ?? [];
  return numbers
    .filter((number) => !known.has(Number(number)) && Number(number) !== venues)
    .map((number) => `${number} of the claim is not in the record: ${evidence["claim"]}`);
}
