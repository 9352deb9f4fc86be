import {classifyLandUse} from "../land-use/classify.ts";
import {type CompiledMap, loadLandUseMap} from "../land-use/land-use-map.ts";
import {pack, unpack} from "./packed-text.ts";
import {type ConformEntry, prefixOf} from "./references.ts";

/** Parts of a packed question of `useForms`, before the codes: what `useQuestion` of the mapped table packs. */
export const useQuestion = [
  "description",
  "improvement",
  "valued",
  "built",
  "acres",
  "agShare",
  "taxStatus",
] as const;

/** Parts of a packed answer of `useForms`. */
export const useParts = ["category", "method", "confidence", "system", "vacant"] as const;

/** Fields that an entry takes codes from, in order; none where it publishes no code. */
export function codeFields({use}: Pick<ConformEntry, "use">): string[] {
  return use === undefined ? [] : [use.codeFrom].flat();
}

/** True where an entry has a code or a printed description to classify by. */
export function hasUse({fields, use}: Pick<ConformEntry, "fields" | "use">): boolean {
  return use !== undefined || "use_code" in fields || "use_description" in fields;
}

/** True where one of the entry's systems asks for the acreage, or for the share of it in agricultural use. */
export function asksAcres({use}: Pick<ConformEntry, "use">): boolean {
  return (use?.systems ?? []).some((id) =>
    landUseMap()
      .systems.get(id)
      ?.rules.some(({rule}) => rule.when?.acresMax !== undefined),
  );
}

/**
 * The land use of a row: a packed text of `useQuestion` and the codes in, one of `useParts` out (`docs/design/parcels.md` section 6).
 * Improvement is `0`, `1` (positive) or nothing; acres are rounded up, the agricultural share down to tenths.
 */
export function useForms(packed: string, entry: Pick<ConformEntry, "use" | "joins">): string {
  const [description, improvement, valued, built, acres, agShare, taxStatus, ...codes] = unpack(packed);
  const names = codeFields(entry).map((name) => withoutPrefix(name, entry));
  const found = classifyLandUse(
    {
      codes: Object.fromEntries(names.map((name, i) => [name, codes[i] ?? null])),
      description: description ?? null,
      improvementValue: numberOf(improvement),
      totalValue: valued === "1" ? 1 : null,
      buildingArea: built === "1" ? 1 : null,
      acres: numberOf(acres),
      agAcresShare: numberOf(agShare),
      taxStatus: taxStatus ?? null,
    },
    entry.use?.systems ?? [],
    landUseMap(),
  );
  return pack([
    found.category,
    found.method,
    found.category === null ? null : found.confidence,
    found.codeSystem,
    found.isVacantLand === null ? null : Number(found.isVacantLand),
  ]);
}

function numberOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text);
}

/** The map knows fields by their published names; ours may have the prefix of a joined table. */
function withoutPrefix(name: string, entry: Pick<ConformEntry, "joins">): string {
  const prefix = prefixOf(name, entry);
  return prefix === null ? name : name.slice(prefix.length + 1);
}

let compiled: CompiledMap | undefined;

function landUseMap(): CompiledMap {
  compiled ??= loadLandUseMap();
  return compiled;
}
