import type {ColumnClaims} from "./column-claims.ts";
import type {ColumnValues} from "./column-values.ts";
import type {UseProposal, UseSystem} from "./field-proposal.ts";

/** Fewest rows with a code and words that both tell a use, to compare the two. */
const minCompared = 20;

/**
 * Proposes the land-use columns and the state's code systems that the codes fit. A column that fits a system
 * is preferred, and a property type is used only when there is nothing better. Without cells no system is
 * proposed.
 */
export function proposedUse(claims: ColumnClaims): UseProposal | undefined {
  const described =
    claims.unclaimed("use_description").find((name) => !isCodeList(claims.values(name))) ?? null;
  if (described !== null) claims.claim(described);
  const named = [...claims.unclaimed("use_code"), ...claims.unclaimed("use_any")];
  const candidates = [...new Set([...named, ...claims.unclaimed("use_type")])].filter((name) =>
    isClosedList(claims.values(name)),
  );
  // Ambiguous names: they count as land use only if their codes do.
  const doubtful = claims.unclaimed("use_if_known");
  const fits = [...candidates, ...doubtful].flatMap((name) => {
    const fitting = fittingSystems(claims.values(name), claims).filter(
      (system) => described === null || !isContradicted(system, name, {described, claims}),
    );
    return fitting.length === 0 ? [] : [{name, fitting}];
  });
  const [best] = fits;
  const code = best?.name ?? finestOf(candidates, claims) ?? described;
  if (code === null) return undefined;
  claims.claim(code);
  const words = described ?? wordsOf(code, candidates, claims);
  if (words !== null) claims.claim(words);
  const second = fits.find(
    ({name, fitting}) => name !== code && fitting.some(({columns}) => isNamed(columns, name)),
  );
  const ids = [...(best?.fitting ?? []), ...(second?.fitting ?? [])].map(({id}) => id);
  return {
    systems: [...new Set(ids)],
    codeFrom: second === undefined ? code : [code, second.name],
    ...(words === null ? {} : {descriptionFrom: words}),
  };
}

/** The first of the columns whose codes are more than single letters, else the first. */
function finestOf(candidates: readonly string[], claims: ColumnClaims): string | undefined {
  const isLetters = (name: string) => claims.values(name).share((cell) => /^[A-Z]$/i.test(cell)) >= 0.9;
  return candidates.find((name) => !isLetters(name)) ?? candidates[0];
}

/** The column that has the uses in words: that of the code, or another of the candidates. */
function wordsOf(code: string, candidates: readonly string[], claims: ColumnClaims): string | null {
  const hasWords = (name: string) => wordsShare(claims.values(name)) >= 0.5;
  if (hasWords(code)) return code;
  return candidates.find((name) => name !== code && hasWords(name)) ?? null;
}

function isNamed(columns: readonly string[] | undefined, name: string): boolean {
  return columns?.some((column) => column.toLowerCase() === name.toLowerCase()) ?? false;
}

/** The state's code system that knows at least 90 % of the codes, if any. */
function fittingSystems(values: ColumnValues, {state, facts}: ColumnClaims): UseSystem[] {
  if (state === undefined || values.filled.length < 5) return [];
  const shares = (facts.useSystemsOf?.(state) ?? [])
    .map((system) => ({system, share: values.share((cell) => system.knows(cell))}))
    .filter(({share}) => share >= 0.9)
    .sort((a, b) => b.share - a.share);
  return shares.slice(0, 1).map(({system}) => system);
}

/** True for a system by which most rows would have another use than the words beside their codes say: the codes are a county's own. */
function isContradicted(
  system: UseSystem,
  name: string,
  {described, claims}: {described: string; claims: ColumnClaims},
): boolean {
  const words = claims.values(described).cells;
  const compared = claims.values(name).cells.flatMap((code, i) => {
    const byCode = system.categoryOf(code, name);
    const byWords = claims.facts.useOfWords?.(words[i] ?? null) ?? null;
    return byCode === null || byWords === null ? [] : [byCode === byWords];
  });
  return compared.length >= minCompared && compared.filter(Boolean).length * 2 < compared.length;
}

/** True for a column with few distinct values, as land-use codes have; also true when few cells are known. */
function isClosedList(values: ColumnValues): boolean {
  if (values.filled.length < 50) return true;
  return new Set(values.filled).size <= 250 && values.distinct <= 0.5;
}

function isCodeList(values: ColumnValues): boolean {
  return values.filled.length >= 5 && wordsShare(values) < 0.2;
}

function wordsShare(values: ColumnValues): number {
  return values.share((cell) => /[a-z]{3}/i.test(cell));
}
