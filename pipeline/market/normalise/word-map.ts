import {
  assumedPriceUnit,
  classOf,
  commodityOf,
  deliveryOf,
  dressingOf,
  freightOf,
  gradeOf,
  isCashPrice,
  isCattleCategory,
  isGrade,
  isOtherSpecies,
  lotDescriptorsOf,
  noUnitColumn,
  plainText,
  pregnancyStageOf,
  priceUnitOf,
  rangeOf,
  splitAgeStageDressing,
  type WordColumn,
  weightBasisOf,
  wordColumns,
} from "@open-cattle/usda-reports";
import {model, value} from "../../../lib/models/model.ts";
import {cleanTexts} from "../../../lib/text/clean-text.ts";
import {refuseCollisions} from "../staging/row-keys.ts";
import {raw_words} from "../staging/staged-models.ts";

type WordGroup = RowWords & {word_key: bigint};

/**
 * The normalised words of each distinct kind of row, and the number to which each staged word key leads, with the number of the published
 * word for its commodity: receipts are of such a group, of which one commodity may have several (`Replacement Dairy Cattle`).
 */
const wordMeanings = value("word meanings", async (run) => {
  const groups = (await run.rows(raw_words, `ORDER BY ${wordColumns.join(", ")}`)) as WordGroup[];
  const published = ({commodity}: RowWords) => commodity?.trim().toLowerCase() ?? "";
  const numbers = new Map([...new Set(groups.map(published))].map((word, at) => [word, at]));
  const meanings = new Map<string, KnownWords & {words_no: number; unit_assumed: boolean}>();
  const keys = groups.map(({word_key, ...words}) => {
    const meaning = {...knownWords(cleanTexts(words)), unit_assumed: words.price_unit === noUnitColumn};
    const key = JSON.stringify(meaning);
    const entry = meanings.get(key) ?? {...meaning, words_no: meanings.size + 1};
    meanings.set(key, entry);
    return {word_key, words_no: entry.words_no, group_no: numbers.get(published(words))!};
  });
  return {keys, words: [...meanings.values()]};
});

/** The number of each staged word key in `known_words`. */
export const word_map = model({
  name: "word_map",
  reads: [raw_words],
  columns: {BIGINT: "word_key", INTEGER: "words_no group_no"},
  rows: async (run) => (await run.value(wordMeanings)).keys,
  check: (run) => refuseCollisions(run.db, "word_map", "word_key"),
});

/** The normalised words of each distinct kind of row. Equal meanings share one number, however they are worded. */
export const known_words = model({
  name: "known_words",
  reads: [raw_words],
  columns: {
    INTEGER: "words_no",
    VARCHAR:
      "commodity class frame muscle_grade quality_grade dressing age_class pregnancy_stage offspring_weight lot_description price_unit weight_basis freight delivery region word_reject word_detail",
    "VARCHAR[]": "lot_descriptors",
    BOOLEAN: "unit_assumed",
  },
  rows: async (run) => (await run.value(wordMeanings)).words,
  computedIn: ["cattle-class", "delivery", "grade", "lot-words", "price-unit"].map(
    (name) => `packages/usda-reports/src/${name}.ts`,
  ),
});

type RowWords = Readonly<Record<WordColumn, string | null>>;

/** Normalised words of a row; `word_reject` is set if a word is not understood. */
type KnownWords = ReturnType<typeof knownWords>;

/**
 * Normalises the words of a row to the vocabulary of `docs/design/market.md` section 1; without a unit column the commodity
 * decides the unit.
 */
function knownWords(words: RowWords) {
  const joined = splitAgeStageDressing(words.age_stage_dressing);
  const commodity = commodityOf(words.commodity);
  const cattle = classOf(words.class, words.breed, words.commodity);
  const dressing = dressingOf(words.dressing ?? joined.dressing);
  const gradeWords = {
    commodity,
    grade: words.grade,
    frame: words.frame,
    muscleGrade: words.muscle_grade,
    qualityGrade: words.quality_grade,
    yieldGrade: words.yield_grade,
  };
  const grade = gradeOf(gradeWords);
  const delivery = deliveryOf(words.delivery, words.delivery_current);
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
    age_class: rangeOf(words.age ?? joined.age),
    pregnancy_stage: pregnancyStageOf(words.pregnancy_stage ?? joined.stage),
    offspring_weight: rangeOf(words.offspring_weight),
    lot_descriptors: cattle?.beefCross ? [...new Set([...lots, "beef_cross" as const])].sort() : lots,
    lot_description: plainText(words.lot_desc),
    price_unit: unit === "per_head" && pairClasses.has(cattle?.class ?? "") ? "per_pair" : unit,
    weight_basis: weightBasisOf(words.weight_collect),
    freight: freightOf(words.freight),
    delivery: delivery ?? null,
    region: plainText(words.region),
    ...rejection([
      [!isOtherSpecies(words.category), "not_cattle", "the category Cattle", words.category],
      [
        commodity !== null,
        isCattleCategory(words.category) ? "unknown_commodity" : "not_cattle",
        "feeder, slaughter or replacement cattle",
        words.commodity,
      ],
      [unit !== null, "unknown_price_unit", "Per Cwt, Per Head, Per Unit or Per Family", words.price_unit],
      [cattle !== null, "unknown_class", "a class of cattle", words.class],
      [
        isGrade(gradeWords),
        "unknown_grade",
        "a frame with its muscle grade, or a quality grade",
        words.grade ?? `${words.frame ?? "no frame"}, ${words.muscle_grade ?? "no muscle grade"}`,
      ],
      [
        delivery !== undefined,
        "unknown_delivery",
        "Current or months of delivery",
        words.delivery ?? `current ${words.delivery_current}`,
      ],
      [
        isCashPrice(words.purchase_type, words.basis_futures_month),
        "not_a_cash_price",
        "a cash price",
        words.purchase_type ?? words.basis_futures_month,
      ],
      [dressing !== undefined, "unknown_dressing", "Very Low to Very High", words.dressing],
    ]),
  };
}

/** Classes sold as a cow with her calf: their "unit" and "head" mean a pair (`docs/design/market.md` section 2). */
const pairClasses = new Set<string>(["cow_calf_pairs", "heifer_pairs"]);

type WordCheck = readonly [understood: boolean, reason: string, expected: string, word: string | null];

/** The first failed check. */
function rejection(checks: readonly WordCheck[]): {word_reject: string | null; word_detail: string | null} {
  const [failed] = checks.filter(([understood]) => !understood);
  if (failed === undefined) return {word_reject: null, word_detail: null};
  const [, word_reject, expected, word] = failed;
  return {
    word_reject,
    word_detail: `expected ${expected}, got ${word === null ? "nothing" : JSON.stringify(word)}`,
  };
}
