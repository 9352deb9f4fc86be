import {plainText, snakeCase, vocabulary} from "./plain-text.ts";
import {type CattleClass, type Commodity, cattleClasses, commodities} from "./report-words.ts";

const otherCommodities = vocabulary<Commodity>({
  feeder: "feeder_cattle",
  slaughter: "slaughter_cattle",
  replacement: "replacement_cattle",
  replacement_dairy_cattle: "replacement_cattle",
  feeder_dairy_calves: "dairy_calves",
  baby_calves: "dairy_calves",
});
const commodityWords = new Map([
  ...commodities.map((name) => [name as string, name] as const),
  ...otherCommodities,
]);

/** The commodity of a report heading or column; null for anything other than cattle priced here (sheep, cheese …). */
export function commodityOf(published: string | null): Commodity | null {
  const text = plainText(published);
  return text === null ? null : (commodityWords.get(snakeCase(text)) ?? null);
}

/** True if the publisher's category names another species: none of its rows is cattle, whatever their commodity says. */
export function isOtherSpecies(category: string | null): boolean {
  return /\b(sheep|lambs?|goats?|hogs?|pigs?|swine|horses?|poultry)\b/i.test(category ?? "");
}

/** True for the category `Cattle`: an unknown commodity in it is still cattle. */
export function isCattleCategory(category: string | null): boolean {
  return plainText(category)?.toLowerCase() === "cattle";
}

type ClassWords = {readonly class: CattleClass; readonly beefCross?: true};

const otherClasses = vocabulary<CattleClass>({
  pairs: "cow_calf_pairs",
  baby_bull_calves: "baby_calves",
  baby_heifer_calves: "baby_calves",
});
/** Classes by name, in plural and singular. */
const classes = new Map([
  ...cattleClasses.flatMap((name) => [
    [name as string, name] as const,
    [name.replace(/s$/, ""), name] as const,
  ]),
  ...otherClasses,
]);

/**
 * The class of a heading or column, using the breed column if a source has one; null for an unknown word. Beef-on-dairy cattle
 * get the class of their sex and the descriptor `beef_cross`, so they never join plain cells. Replacement dairy cattle match
 * only dairy classes: a bred dairy cow is no bred beef cow, and no report has shown another name for one.
 */
export function classOf(
  published: string | null,
  breed: string | null,
  commodity: string | null = null,
): ClassWords | null {
  const text = plainText(published);
  if (text === null) return null;
  const dairy = /^(holstein|dairy|jersey)$/i.test(plainText(breed) ?? "");
  const key = snakeCase(text).replace(/^holstein_/, "dairy_");
  const cross = key.startsWith("beef_dairy_") ? classes.get(key.slice("beef_dairy_".length)) : undefined;
  if (cross !== undefined) return {class: cross, beefCross: true};
  if (snakeCase(commodity ?? "") === "replacement_dairy_cattle") {
    const own = classes.get(key.startsWith("dairy_") ? key : `dairy_${key}`);
    return own === undefined ? null : {class: own};
  }
  const named = (dairy ? classes.get(`dairy_${key}`) : undefined) ?? classes.get(key);
  return named === undefined ? null : {class: named};
}
