import {type CattleClass, type Commodity, cattleClasses, type PriceUnit} from "./report-words.ts";

/** Cattle that a sentence names. */
export type NamedCattle = {
  readonly class: CattleClass | null;
  readonly commodity: Commodity | null;
  readonly kind: string | null;
  readonly grade: string | null;
  readonly low: number | null;
  readonly high: number | null;
};

/** A word of a list of cattle: an adjective that narrows what follows, or a noun. */
export type CattleWord =
  | {readonly role: "commodity"; readonly commodity: Commodity | null; readonly kind?: string}
  | {readonly role: "grade"; readonly grade: string}
  | {readonly role: "kind"; readonly kind: string}
  | {readonly role: "prefix"; readonly prefix: "bred" | "stock" | "open" | "dairy"}
  | {readonly role: "sex"; readonly sex: string; readonly isPlural: boolean; readonly grade?: string}
  | {
      readonly role: "head";
      readonly head: "calves" | "yearlings" | "feeders" | "cattle" | "pairs" | "all" | "holsteins";
    };

const sexes = ["steer", "heifer", "bull", "cow"];

/** The words of cattle, longest first; each pattern is a whole word or phrase. */
const words: readonly (readonly [RegExp, (match: RegExpExecArray) => CattleWord])[] = [
  [/cow[-/ ]?calf pairs?|pairs/iy, () => ({role: "head", head: "pairs"})],
  [/all (?:other )?classes(?: of cattle)?/iy, () => ({role: "head", head: "all"})],
  [
    /(?:feeder dairy|baby)(?= (?:bull |heifer |steer )?calves)/iy,
    () => ({role: "commodity", commodity: "dairy_calves"}),
  ],
  [/(?:beef[-/ ]cross|beef on dairy|beef\/dairy)(?= )/iy, () => ({role: "kind", kind: "beef_cross"})],
  [/feeders|stockers/iy, () => ({role: "head", head: "feeders"})],
  [/feeder|stocker/iy, () => ({role: "commodity", commodity: "feeder_cattle"})],
  [/slaughter/iy, () => ({role: "commodity", commodity: "slaughter_cattle"})],
  [/replacement/iy, () => ({role: "commodity", commodity: "replacement_cattle"})],
  [/feeding/iy, () => ({role: "commodity", commodity: null, kind: "feeding"})],
  [/(?:boning|boner) utility|boning|boner(?!s)/iy, () => ({role: "grade", grade: "boner"})],
  [/(?:breaking|breaker) utility|breaking|breaker(?!s)/iy, () => ({role: "grade", grade: "breaker"})],
  [/lean utility|lean/iy, () => ({role: "grade", grade: "lean"})],
  [/premium whites?/iy, () => ({role: "grade", grade: "premium_white"})],
  [
    /(boner|breaker|lean)s/iy,
    ([, grade]) => ({role: "sex", sex: "cow", isPlural: true, grade: grade!.toLowerCase()}),
  ],
  [
    /bred|stock(?= cow)|open(?= heifer)/iy,
    ([word]) => ({role: "prefix", prefix: word.toLowerCase() as "bred"}),
  ],
  [/holsteins/iy, () => ({role: "head", head: "holsteins"})],
  [/dairy|holstein(?!s)/iy, () => ({role: "prefix", prefix: "dairy"})],
  [/calves|calf/iy, () => ({role: "head", head: "calves"})],
  [
    /yearlings|yearling(?= (?:sold|sell|selling|traded|trading|were|was|steady|not|too)\b)/iy,
    () => ({role: "head", head: "yearlings"}),
  ],
  [/yearling/iy, () => ({role: "kind", kind: "yearlings"})],
  [/young(?:er)?(?: age)?/iy, () => ({role: "kind", kind: "young"})],
  [/(?:long[- ](?:time )?)?weaned/iy, () => ({role: "kind", kind: "weaned"})],
  [/un-?weaned/iy, () => ({role: "kind", kind: "unweaned"})],
  [
    /(spayed|thin(?: fleshed)?|fleshy|grass)/iy,
    ([word]) => ({role: "kind", kind: word.toLowerCase().split(" ")[0]!}),
  ],
  [
    /(steer|heifer|bull|cow)(s?)/iy,
    ([, sex, plural]) => ({role: "sex", sex: sex!.toLowerCase(), isPlural: plural !== ""}),
  ],
  [/cattle|classes(?: of cattle)?/iy, () => ({role: "head", head: "cattle"})],
];

/** The word of cattle at a place of a text, with the place behind it; null if none is there. */
export function cattleWordAt(text: string, at: number): {word: CattleWord; end: number} | null {
  for (const [pattern, make] of words) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null && !/[a-z]/i.test(text[pattern.lastIndex] ?? ""))
      return {word: make(match), end: pattern.lastIndex};
  }
  return null;
}

type Item = NamedCattle & {readonly isSingular: boolean; readonly hasWeight: boolean};

/**
 * Collects the words of a list such as `feeder steers under 600 lb and heifer calves` into the cattle that it names. An adjective
 * narrows the nouns behind it until another of its sort comes; `calves` and `yearlings` belong to the singular nouns before them.
 */
export class CattleList {
  private items: Item[] = [];
  private commodities: {commodity: Commodity | null; kind: string | null}[] = [];
  private grades: string[] = [];
  private kind: string | null = null;
  private prefix: string | null = null;
  private isOpen = false;
  private weights: {low: number | null; high: number | null}[] = [];
  private ahead: {low: number | null; high: number | null} | null = null;

  get isEmpty(): boolean {
    return this.items.length === 0 && this.grades.length === 0 && this.weights.length === 0;
  }

  /** True for weights or grades alone, which narrow other cattle. */
  get isNarrowing(): boolean {
    const {items, commodities, kind, prefix} = this;
    return (
      items.length === 0 && commodities.length === 0 && kind === null && prefix === null && !this.isEmpty
    );
  }

  /** Adds the next word. */
  add(word: CattleWord): void {
    const wasOpen = this.isOpen;
    this.isOpen = word.role !== "sex" && word.role !== "head";
    if (word.role === "commodity") {
      if (!wasOpen) [this.commodities, this.grades, this.kind] = [[], [], null];
      this.commodities.push({commodity: word.commodity, kind: word.kind ?? null});
    } else if (word.role === "grade") this.grades = wasOpen ? [...this.grades, word.grade] : [word.grade];
    else if (word.role === "kind") this.kind = word.kind;
    else if (word.role === "prefix") this.prefix = word.prefix;
    else if (word.role === "sex") this.addSex(word.sex, word);
    else this.addHead(word.head);
  }

  /** Adds a range of weights: of the nouns since the last one or, before all nouns, of those that follow. */
  addWeight(low: number | null, high: number | null): void {
    const free = this.items.filter(({hasWeight}) => !hasWeight);
    if (this.items.length === 0) {
      this.ahead = {low, high};
      this.weights.push(this.ahead);
    } else if (free.length > 0)
      this.items = this.items.map((item) => (item.hasWeight ? item : {...item, low, high, hasWeight: true}));
    else {
      const last = this.items.at(-1)!;
      const same = this.items.filter((item) => item.low === last.low && item.high === last.high);
      this.items.push(...same.map((item) => ({...item, low, high})));
    }
    if (this.items.length > 0) this.ahead = null;
  }

  /**
   * The cattle of the list. With weights or grades alone they are those of `before`, the cattle named last. Bulls and cows without a
   * word for their use are of the use of the other cattle in the list.
   */
  cattle(before: readonly NamedCattle[]): NamedCattle[] {
    if (this.items.length === 0 && this.grades.length > 0) this.addSex("cow", {isPlural: true});
    if (this.items.length === 0) {
      const kinds = before.map((item) => JSON.stringify({...item, low: null, high: null}));
      return [...new Set(kinds)].flatMap((item) =>
        this.weights.map((weight) => ({...(JSON.parse(item) as NamedCattle), ...weight})),
      );
    }
    const uses = new Set(this.items.flatMap(({commodity}) => commodity ?? []));
    return this.items.map(({isSingular: _, hasWeight: __, ...item}) => ({
      ...item,
      commodity: item.commodity ?? defaultCommodity(item, uses.size === 1 ? [...uses][0]! : null),
    }));
  }

  private addSex(sex: string, {isPlural, grade}: {isPlural: boolean; grade?: string}): void {
    const name = `${sex}s`;
    const prefixed = this.prefix === null ? name : `${this.prefix}_${name}`;
    const known = cattleClasses.find((each) => each === prefixed);
    const uses = this.commodities.length === 0 ? [{commodity: null, kind: null}] : this.commodities;
    const grades = grade !== undefined ? [grade] : this.grades.length === 0 ? [null] : this.grades;
    const distinct = new Map(uses.map((use) => [JSON.stringify(use), use]));
    for (const use of distinct.values())
      for (const one of grades) {
        const item = {
          class: known ?? (name as CattleClass),
          commodity: use.commodity,
          kind: use.kind ?? this.kind,
          grade: one,
          ...(this.ahead ?? {low: null, high: null}),
        };
        this.items.push({...item, isSingular: !isPlural, hasWeight: false});
      }
    if (sexes.includes(sex)) [this.grades, this.prefix] = [[], null];
  }

  private addHead(head: "calves" | "yearlings" | "feeders" | "cattle" | "pairs" | "all" | "holsteins"): void {
    const from = this.items.findLastIndex(({isSingular}) => !isSingular) + 1;
    const singular = this.items.slice(from);
    const kind = head === "calves" || head === "yearlings" ? head : null;
    const isOfDairies = head === "calves" && this.prefix === "dairy";
    const use = isOfDairies ? ({commodity: "dairy_calves", kind: null} as const) : this.commodities[0];
    if (singular.length > 0 && head !== "all" && head !== "holsteins") {
      const items: Item[] = singular.map((item) => ({
        ...item,
        isSingular: false,
        ...(kind === null ? {} : {kind: described(item.kind, kind)}),
        ...(head === "feeders" ? {commodity: "feeder_cattle" as const} : {}),
        ...(head === "pairs"
          ? {
              class: item.class === "heifers" ? ("heifer_pairs" as const) : ("cow_calf_pairs" as const),
              commodity: "replacement_cattle" as const,
            }
          : {}),
      }));
      this.items.splice(from, singular.length, ...items);
      return;
    }
    // `Cattle` without a word for their use are no kind that can be named.
    if (head === "cattle" && use === undefined) return;
    this.items.push({
      class: head === "pairs" ? "cow_calf_pairs" : null,
      commodity:
        head === "all" ? null : head === "pairs" ? "replacement_cattle" : (use?.commodity ?? "feeder_cattle"),
      kind: head === "holsteins" ? "dairy" : described(use?.kind ?? this.kind, kind),
      grade: null,
      ...(this.ahead ?? {low: null, high: null}),
      isSingular: false,
      hasWeight: false,
    });
    this.kind = null;
  }
}

/** `unweaned` and `calves` as `unweaned_calves`; calves of a cross are named by the cross. */
function described(kind: string | null, head: string | null): string | null {
  if (kind === null || head === null || kind === head) return head ?? kind;
  if (kind === "beef_cross" && head === "yearlings") return kind;
  return /weaned|beef_cross/.test(kind) ? `${kind}_${head}` : head;
}

/** The unit of a move of these cattle where the sentence says none; null for calves of dairies and of crosses, which sell by head or by weight. */
export function usualUnit({class: name, commodity, kind}: NamedCattle): PriceUnit | null {
  if (commodity === "replacement_cattle") return /pairs/.test(name ?? "") ? "per_pair" : "per_head";
  const isBaby =
    commodity === "dairy_calves" ||
    kind === "beef_cross_calves" ||
    (name === "dairy_bulls" && kind === "calves");
  return isBaby ? null : "per_cwt";
}

function defaultCommodity(item: NamedCattle, ofList: Commodity | null): Commodity | null {
  if (item.kind === "feeding" || (item.class === null && item.kind === null)) return null;
  if (/^(bred_|stock_|cow_calf|heifer_pairs|open_)/.test(item.class ?? "")) return "replacement_cattle";
  if (/calves|yearlings/.test(item.kind ?? "") && item.kind !== "beef_cross_calves") return "feeder_cattle";
  if (item.grade !== null) return "slaughter_cattle";
  if (item.class === "steers" || item.class === "heifers") return ofList ?? "feeder_cattle";
  return ofList;
}

/** The cattle of which a statement is that `on lean cows` narrows; null if both name different cattle, or weights that exclude each other. */
export function narrow(
  cattle: readonly NamedCattle[],
  to: readonly NamedCattle[],
): readonly NamedCattle[] | null {
  const narrowed = to.flatMap((item) =>
    cattle
      .filter((own) => item.class === null || own.class === item.class || own.class === null)
      .map((own) => ({
        class: own.class ?? item.class,
        commodity: own.commodity ?? item.commodity,
        kind: item.kind ?? own.kind,
        grade: item.grade ?? own.grade,
        low: item.low ?? own.low,
        high: item.high ?? own.high,
      })),
  );
  // `650-lb weights` are a range of one weight, `over 700` of those `under 700` none.
  const isStated = (of: NamedCattle) =>
    [...to, ...cattle].some(({low, high}) => low === of.low && high === of.high);
  const isEmpty = narrowed.some(
    (of) => of.low !== null && of.high !== null && of.low >= of.high && !isStated(of),
  );
  return narrowed.length === 0 || isEmpty ? null : narrowed;
}

/** Bulls or cows without a use are of that of the cattle before: `slaughter cows steady and bulls 1.00 lower`. */
export function sameUse(cattle: readonly NamedCattle[], before: readonly NamedCattle[]): NamedCattle[] {
  const uses = new Set(before.map(({commodity}) => commodity));
  const [use = null] = uses.size === 1 ? uses : [];
  return cattle.map((item) => {
    const isOpen =
      item.commodity === null && item.kind === null && (item.class === "bulls" || item.class === "cows");
    return isOpen && use === "slaughter_cattle" ? {...item, commodity: use} : item;
  });
}

/** What `heavier weights` are: the cattle before, above their range; nobody if it has no upper end. */
export function beyond(before: readonly NamedCattle[]): NamedCattle[] {
  return before.flatMap((item) => (item.high === null ? [] : [{...item, low: item.high, high: null}]));
}
