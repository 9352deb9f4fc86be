import type {CattleClass, Commodity, Dressing, LotDescriptor, PriceUnit} from "../../../schemas/price-row.ts";
import type {WordColumn} from "../staging.ts";
import {ageClassOf, offspringWeightOf, pregnancyStageOf, splitAgeStageDressing} from "../words/age-stage.ts";
import {classOf, commodityOf} from "../words/cattle-class.ts";
import {gradeOf} from "../words/grade.ts";
import {dressingOf, lotDescriptorsOf} from "../words/lot-words.ts";
import {plainText} from "../words/plain-text.ts";
import {assumedPriceUnit, freightOf, noUnitColumn, priceUnitOf, weightBasisOf} from "../words/price-unit.ts";

export type RowWords = Readonly<Record<WordColumn, string | null>>;

/** The words of a row in our vocabulary; `reject_reason` where a word cannot be understood. */
export type KnownWords = {
  commodity: Commodity | null;
  class: CattleClass | null;
  frame: string | null;
  muscle_grade: string | null;
  quality_grade: string | null;
  dressing: Dressing | null;
  age_class: string | null;
  pregnancy_stage: string | null;
  offspring_weight: string | null;
  lot_descriptors: LotDescriptor[];
  lot_description: string | null;
  price_unit: PriceUnit | null;
  weight_basis: string;
  freight: string | null;
  word_reject: string | null;
  word_detail: string | null;
};

/**
 * The words of a row in the vocabulary of `docs/design/market.md` section 1; without a unit column the commodity decides.
 */
export function knownWords(words: RowWords): KnownWords {
  const joined = splitAgeStageDressing(words.age_stage_dressing);
  const commodity = commodityOf(words.commodity);
  const cattle = classOf(words.class, words.breed);
  const dressing = dressingOf(words.dressing ?? joined.dressing);
  const grade = gradeOf({
    commodity,
    grade: words.grade,
    frame: words.frame,
    muscleGrade: words.muscle_grade,
    qualityGrade: words.quality_grade,
    yieldGrade: words.yield_grade,
  });
  const lots = lotDescriptorsOf(words.lot_desc);
  const unit =
    words.price_unit === noUnitColumn ? assumedPriceUnit(commodity) : priceUnitOf(words.price_unit);
  return {
    commodity,
    class: cattle?.class ?? null,
    frame: grade.frame,
    muscle_grade: grade.muscleGrade,
    quality_grade: grade.qualityGrade,
    dressing: dressing ?? null,
    age_class: ageClassOf(words.age ?? joined.age),
    pregnancy_stage: pregnancyStageOf(words.pregnancy_stage ?? joined.stage),
    offspring_weight: offspringWeightOf(words.offspring_weight),
    lot_descriptors: cattle?.dairyCross ? [...new Set([...lots, "dairy_cross" as const])].sort() : lots,
    lot_description: plainText(words.lot_desc),
    price_unit: unit === "per_head" && pairClasses.has(cattle?.class ?? "") ? "per_pair" : unit,
    weight_basis: weightBasisOf(words.weight_collect),
    freight: freightOf(words.freight),
    ...rejection(words, {
      known: commodity !== null,
      class: cattle !== null,
      dressing: dressing !== undefined,
      unit: unit !== null,
    }),
  };
}

/** Classes that are sold as a cow with her calf: their "unit" and "head" is a pair (`docs/design/market.md` section 2). */
const pairClasses = new Set<string>(["cow_calf_pairs", "heifer_pairs"]);

type Understood = {known: boolean; class: boolean; dressing: boolean; unit: boolean};

/** First word that cannot be understood, in the order of the row checks. */
function rejection(
  words: RowWords,
  understood: Understood,
): {word_reject: string | null; word_detail: string | null} {
  const refuse = (word_reject: string, what: string, word: string | null) => ({
    word_reject,
    word_detail: `${what}: ${word === null ? "nothing" : JSON.stringify(word)} came`,
  });
  if (!understood.known)
    return refuse("not_cattle", "feeder, slaughter or replacement cattle were expected", words.commodity);
  if (!understood.unit)
    return refuse(
      "unknown_price_unit",
      "Per Cwt, Per Head, Per Unit or Per Family was expected",
      words.price_unit,
    );
  if (!understood.class) return refuse("unknown_class", "a class of cattle was expected", words.class);
  if (!understood.dressing)
    return refuse("unknown_dressing", "Very Low to Very High was expected", words.dressing);
  return {word_reject: null, word_detail: null};
}
