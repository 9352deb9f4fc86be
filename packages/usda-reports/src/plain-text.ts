/** What publishers write for a missing value, in lower case. */
export const emptyWords: ReadonlySet<string> = new Set(["", "n/a", "na", "none", "null", "nan", "-", "--"]);

/**
 * A published text trimmed, with single spaces and plain hyphens in ranges; null for publishers' words for a missing value (`N/A`,
 * `None`, empty).
 */
export function plainText(text: string | null | undefined): string | null {
  const trimmed = (text ?? "")
    .replace(/\s+/g, " ")
    .replace(/(?<=\d ?)[\u2010-\u2015\u2212](?= ?\d)/g, "-")
    .trim();
  return emptyWords.has(trimmed.toLowerCase()) ? null : trimmed;
}

/** Lower case with underscores: `Medium and Large` → `medium_and_large`. */
export function snakeCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/&/g, " and ")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
}

/**
 * A lookup from published words in snake case to meanings. It is a Map because a published word may be anything
 * (`constructor`).
 */
export function vocabulary<Meaning>(
  meanings: Readonly<Record<string, Meaning>>,
): ReadonlyMap<string, Meaning> {
  return new Map(Object.entries(meanings));
}
