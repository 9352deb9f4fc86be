import type {CattleClass, Commodity} from "../../../schemas/price-row.ts";
import {plainText, snakeCase, vocabulary} from "./plain-text.ts";

const commodities = vocabulary<Commodity>({
  feeder_cattle: "feeder_cattle",
  feeder: "feeder_cattle",
  slaughter_cattle: "slaughter_cattle",
  slaughter: "slaughter_cattle",
  replacement_cattle: "replacement_cattle",
  replacement: "replacement_cattle",
  dairy_calves: "dairy_calves",
  feeder_dairy_calves: "dairy_calves",
  baby_calves: "dairy_calves",
});

/** The commodity of a report heading or column; null for anything that is not cattle priced here (sheep, cheese …). */
export function commodityOf(published: string | null): Commodity | null {
  const text = plainText(published);
  return text === null ? null : (commodities.get(snakeCase(text)) ?? null);
}

type ClassWords = {readonly class: CattleClass; readonly dairyCross?: true};

const classes = vocabulary<ClassWords>({
  steers: {class: "steers"},
  steer: {class: "steers"},
  heifers: {class: "heifers"},
  heifer: {class: "heifers"},
  bulls: {class: "bulls"},
  bull: {class: "bulls"},
  cows: {class: "cows"},
  cow: {class: "cows"},
  bred_cows: {class: "bred_cows"},
  bred_cow: {class: "bred_cows"},
  bred_heifers: {class: "bred_heifers"},
  bred_heifer: {class: "bred_heifers"},
  stock_cows: {class: "stock_cows"},
  stock_cow: {class: "stock_cows"},
  cow_calf_pairs: {class: "cow_calf_pairs"},
  cow_calf_pair: {class: "cow_calf_pairs"},
  pairs: {class: "cow_calf_pairs"},
  heifer_pairs: {class: "heifer_pairs"},
  heifer_pair: {class: "heifer_pairs"},
  dairy_steers: {class: "dairy_steers"},
  holstein_steers: {class: "dairy_steers"},
  dairy_heifers: {class: "dairy_heifers"},
  holstein_heifers: {class: "dairy_heifers"},
  dairy_bulls: {class: "dairy_bulls"},
  holstein_bulls: {class: "dairy_bulls"},
  dairy_cows: {class: "dairy_cows"},
  holstein_cows: {class: "dairy_cows"},
  beef_dairy_steers: {class: "steers", dairyCross: true},
  beef_dairy_heifers: {class: "heifers", dairyCross: true},
  beef_dairy_bulls: {class: "bulls", dairyCross: true},
  beef_dairy_cows: {class: "cows", dairyCross: true},
  baby_calves: {class: "baby_calves"},
  baby_bull_calves: {class: "baby_calves"},
  baby_heifer_calves: {class: "baby_calves"},
});

/**
 * The class of a heading or column, with the breed column where a source has one; null for an unknown word.
 * Beef-on-dairy cattle are of their sex, with the descriptor `dairy_cross`: they never join the plain cells.
 */
export function classOf(published: string | null, breed: string | null): ClassWords | null {
  const text = plainText(published);
  if (text === null) return null;
  const dairy = /^(holstein|dairy|jersey)$/i.test(plainText(breed) ?? "");
  const key = snakeCase(text);
  return (dairy ? classes.get(`dairy_${key}`) : undefined) ?? classes.get(key) ?? null;
}
