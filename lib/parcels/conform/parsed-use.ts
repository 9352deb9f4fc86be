import {classifyLandUse, type UseFacts} from "../land-use/classify.ts";
import {landUseMap} from "../land-use/land-use-map.ts";
import {type ConformEntry, prefixOf} from "./column-references.ts";
import {pack, unpack} from "./packed-text.ts";

/** Parts of a packed answer of `parsedUse`. */
export const useParts = ["category", "method", "confidence", "system", "vacant", "flag"] as const;

/** The fields from which an entry takes codes, in order; empty for an entry without codes. */
export function codeFields({use}: Pick<ConformEntry, "use">): string[] {
  return use === undefined ? [] : [use.codeFrom].flat();
}

/** True when an entry has a code or a printed description to classify by. */
export function hasUse({fields, use}: Pick<ConformEntry, "fields" | "use">): boolean {
  return use !== undefined || "use_code" in fields || "use_description" in fields;
}

/** True when a code system of the entry needs the acreage. */
export function asksAcres({use}: Pick<ConformEntry, "use">): boolean {
  return (use?.systems ?? []).some((id) =>
    landUseMap()
      .systems.get(id)
      ?.rules.some(({rule: {when}}) => when?.acresMax !== undefined || when?.acresAbove !== undefined),
  );
}

/**
 * Classifies the land use of a packed question (see `useFactsOf`) and returns packed `useParts`
 * (`docs/design/parcels.md` section 6).
 */
export function parsedUse(packed: string, entry: Pick<ConformEntry, "use" | "joins">): string {
  const {category, method, confidence, codeSystem, isVacantLand, flag} = landUseOf({
    facts: useFactsOf(packed, entry),
    systems: entry.use?.systems ?? [],
  });
  return pack([
    category,
    method,
    category === null ? null : confidence,
    codeSystem,
    isVacantLand === null ? null : Number(isVacantLand),
    flag,
  ]);
}

/** The columns that the land use of a row fills. */
export const landUseColumns: ReadonlySet<string> = new Set([
  "use_code_system",
  "land_use_category",
  "land_use_method",
  "land_use_confidence",
  "is_vacant_land",
]);

/** Classifies the land use from published facts, by this version's map. */
export function landUseOf({facts, systems}: {facts: UseFacts; systems: readonly string[]}) {
  return classifyLandUse(facts, systems, landUseMap());
}

/**
 * Unpacks a question on land use: the description, the improvement (`0`, `1` for positive, or nothing), `1`
 * for a value, `1` for a building, the acres (rounded up), the agricultural share (rounded down to tenths),
 * the tax status, then the codes.
 */
export function useFactsOf(packed: string, entry: Pick<ConformEntry, "use" | "joins">): UseFacts {
  const [description, improvement, valued, built, acres, agShare, taxStatus, ...codes] = unpack(packed);
  const names = codeFields(entry).map((name) => withoutPrefix(name, entry));
  return {
    codes: Object.fromEntries(names.map((name, i) => [name, codes[i] ?? null])),
    description: description ?? null,
    improvementValue: numberOf(improvement),
    totalValue: valued === "1" ? 1 : null,
    buildingArea: built === "1" ? 1 : null,
    acres: numberOf(acres),
    agAcresShare: numberOf(agShare),
    taxStatus: taxStatus ?? null,
  };
}

function numberOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text);
}

/** The published name of a field, as the map knows it; ours may have the prefix of a joined table. */
function withoutPrefix(name: string, entry: Pick<ConformEntry, "joins">): string {
  const prefix = prefixOf(name, entry);
  return prefix === null ? name : name.slice(prefix.length + 1);
}
