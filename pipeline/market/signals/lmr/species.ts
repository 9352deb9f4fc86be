/**
 * What a mandatory report is about, by its legacy code (`LM_CT…` cattle, `LM_XB…` boxed beef) and its title. Null for hogs,
 * pork, lamb, sheep and dairy: those reports are no part of this service.
 */
export function cattleKind(code: string, words: string): "cattle" | "beef" | null {
  const legacy = /LM[_ ]?([A-Z]{2})\d/i.exec(`${code} ${words}`)?.[1]?.toUpperCase();
  if (legacy === "CT") return "cattle";
  if (legacy === "XB" || legacy === "XS") return "beef";
  if (legacy !== undefined) return null;
  if (/\b(hogs?|swine|pork|lambs?|sheep|mutton|butter|cheese|milk|whey)\b/i.test(words)) return null;
  if (/\b(beef|cutout|trimmings)\b/i.test(words)) return "beef";
  return /\b(cattle|steers?|heifers?|cows?|bulls?)\b/i.test(words) ? "cattle" : null;
}
