import type {OwnerMatch} from "../owner/owner-score.ts";
import {searchTokens} from "../owner/owner-tokens.ts";
import type {ParcelSet} from "../parcel-set.ts";
import type {SourceRegistry} from "../record/source-facts.ts";
import {firstRows, largestRows, type RowOrder, type SizeOrder} from "./largest-rows.ts";
import {acresOf, acreUnitsOf, countyOf, ownerFactsReader, ownerReader} from "./owner-reader.ts";
import {type RowScore, rolesScore, rowsOfTokens, rowsOfWords, wordsScore} from "./owner-rows.ts";
import {
  countedRows,
  isHit,
  type OpenRangeCount,
  openRangeCounter,
  type UseQuestion,
  useTest,
} from "./use-filter.ts";
import {allAtOnce, type Steps} from "./yield-to-loop.ts";

/** The words of a query: unspecific, or a last and a first name. */
export type OwnerWords =
  | {readonly tokens: readonly string[]}
  | {readonly lastName: string; readonly firstName: string | null};

export type OwnerQuestion = UseQuestion & {
  readonly words: OwnerWords;
  /** True to match identical names only. */
  readonly exact?: boolean | undefined;
  /** By score by default. */
  readonly sort?: "score" | SizeOrder | undefined;
  /** County keys; null for any county. */
  readonly counties: ReadonlySet<string> | null;
  readonly offset: number;
  readonly limit: number;
};

export type OwnerHit = {
  readonly set: ParcelSet;
  readonly row: number;
  /** The score says how well the name matches; the notes say how it differs from the query. */
  readonly match: OwnerMatch & {readonly notes: readonly string[]};
};

/** Sums over all hits of a search. */
export type OwnerTotals = {
  readonly parcels: number;
  /** Sum over the parcels with known acres, 4 decimals. */
  readonly acres: number;
  readonly parcelsWithAcres: number;
  readonly counties: number;
  readonly states: number;
};

export type OwnerPage = {
  readonly hits: readonly OwnerHit[];
  /** Exact number of hits before paging. */
  readonly total: number;
  /** Over all hits, not only this page. */
  readonly totals: OwnerTotals;
  /** True when no hit on any page has all words of the query. */
  readonly isNearest: boolean;
  /** Rows that match except that their category is unknown. */
  readonly unclassified: number;
  /** Vacant land that may be open range and fits all but the category. */
  readonly openRange: OpenRangeCount;
  /** Hits before the category filter; 0 means that the county service may be queried. */
  readonly beforeUse: number;
};

/** Runs `ownerSteps` to completion without yielding. */
export function findOwners(
  sets: readonly ParcelSet[],
  question: OwnerQuestion,
  sources: SourceRegistry,
): OwnerPage {
  return allAtOnce(ownerSteps(sets, question, sources));
}

/**
 * Finds parcels by owner, ordered by score, state, county key, `parcel_id_std` and `parcelUid`. The total is
 * exact; rows of other pages are counted but not read. Withheld owners have no tokens and are never found. A
 * name that a million parcels share takes a tenth of a second in total.
 */
export function* ownerSteps(
  sets: readonly ParcelSet[],
  question: OwnerQuestion,
  sources: SourceRegistry,
): Steps<OwnerPage> {
  const count = {unclassified: 0, openRange: {parcels: 0, acreUnits: 0}, beforeUse: 0};
  const groups: Group[] = [];
  for (const set of sets) yield* addGroups(groups, {set, question, sources, count});
  groups.sort((a, b) => b.score - a.score || compareText(a.set.state, b.set.state) || a.county - b.county);
  const totals = totalsOf(groups);
  return {
    hits: yield* pageOf(groups, question),
    total: totals.parcels,
    totals,
    isNearest: groups.length > 0 && groups[0]!.score < minNormalized,
    ...count,
  };
}

/** Rows with the same score and county, and the sum of their acres; only parcel numbers order them. */
type Group = {
  readonly set: ParcelSet;
  readonly score: number;
  /** Digits of the county key after those of the state. */
  readonly county: number;
  readonly rows: number[];
  acreUnits: number;
  rowsWithAcres: number;
};

type Searched = {
  readonly set: ParcelSet;
  readonly question: OwnerQuestion;
  readonly sources: SourceRegistry;
  readonly count: {unclassified: number; openRange: OpenRangeCount; beforeUse: number};
};

/** Matching rows with their scores; `sure` when every one of them is a hit. */
type Candidates = {readonly rows: Uint32Array; readonly scoreOf: RowScore; readonly sure: boolean};

function* candidatesOf({set, question: {words}, sources}: Searched): Steps<Candidates[]> {
  const reader = ownerReader(set, sources);
  if ("tokens" in words) {
    const {whole, byPrefix, misspelt} = yield* rowsOfWords(set, words.tokens);
    return [
      {rows: whole, scoreOf: wordsScore(set, words.tokens, reader), sure: true},
      {rows: byPrefix, scoreOf: () => 70, sure: true},
      {rows: misspelt, scoreOf: () => 60, sure: true},
    ];
  }
  const {lastName, firstName} = words;
  const tokens = [...searchTokens(lastName), ...searchTokens(firstName ?? "")];
  const rows = yield* rowsOfTokens(set, tokens);
  const asked = firstName === null ? {lastName} : {lastName, firstName};
  return [{rows, scoreOf: rolesScore(asked, reader), sure: false}];
}

/** Rows scored between two yields. */
const stepRows = 2_048;

function* addGroups(groups: Group[], searched: Searched): Steps<void> {
  const {set, question, count} = searched;
  const isCounted = countedRows(set, question.counties);
  const verdictOf = useTest(set, question);
  const countRange = openRangeCounter(set, count.openRange);
  const grouping = new Grouping(set, groups);
  for (const {rows, scoreOf, sure} of yield* candidatesOf(searched)) {
    for (let i = 0; i < rows.length; i++) {
      if (i % stepRows === stepRows - 1) yield;
      const row = rows[i]!;
      if (!isCounted(row)) continue;
      const verdict = verdictOf(row);
      const isKept = isHit(verdict, question);
      const score = sure && !isKept && question.exact !== true ? 100 : scoreOf(row);
      if (score === 0 || (question.exact === true && score < 100)) continue;
      count.beforeUse += 1;
      if (verdict === "unclassified") count.unclassified += 1;
      if (verdict === "open_range") countRange(row);
      if (isKept) grouping.add(row, score);
    }
  }
}

/** Sorts the rows of a set into groups by score and county, creating groups as needed. */
class Grouping {
  private readonly set: ParcelSet;
  private readonly groups: Group[];
  private readonly factsAt: (row: number) => number;
  private readonly known = new Map<number, Group>();
  private lastKey = Number.NaN;
  private last: Group | undefined;

  constructor(set: ParcelSet, groups: Group[]) {
    this.set = set;
    this.groups = groups;
    this.factsAt = ownerFactsReader(set);
  }

  add(row: number, score: number): void {
    const facts = this.factsAt(row);
    const county = countyOf(facts);
    // Scores are at most 100.
    const key = county * 128 + score;
    if (this.last === undefined || this.lastKey !== key) {
      this.lastKey = key;
      this.last = this.known.get(key) ?? this.newGroup(key, {county, score});
    }
    this.last.rows.push(row);
    const units = acreUnitsOf(facts);
    if (units === null) return;
    this.last.acreUnits += units;
    this.last.rowsWithAcres += 1;
  }

  private newGroup(key: number, {county, score}: {county: number; score: number}): Group {
    const group = {set: this.set, score, county, rows: [], acreUnits: 0, rowsWithAcres: 0};
    this.groups.push(group);
    this.known.set(key, group);
    return group;
  }
}

function totalsOf(groups: readonly Group[]): OwnerTotals {
  let [parcels, acreUnits, parcelsWithAcres] = [0, 0, 0];
  for (const group of groups) {
    parcels += group.rows.length;
    acreUnits += group.acreUnits;
    parcelsWithAcres += group.rowsWithAcres;
  }
  return {
    parcels,
    acres: acresOf(acreUnits),
    parcelsWithAcres,
    counties: new Set(groups.map(({set, county}) => `${set.state} ${county}`)).size,
    states: new Set(groups.map(({set}) => set.state)).size,
  };
}

/** The hits of a page sorted by acres or value. */
function pageBySize(groups: readonly Group[], order: SizeOrder, {offset, limit}: OwnerQuestion): OwnerHit[] {
  return largestRows(groups, order, offset + limit)
    .slice(offset)
    .map(([list, at]) => {
      const {set, rows, score} = groups[list]!;
      return {set, row: rows[at]!, match: matchOf(score)};
    });
}

/**
 * The hits of a page sorted by score. Only the groups on the page are sorted, and only as far as the page
 * reaches.
 */
function* pageOf(groups: readonly Group[], question: OwnerQuestion): Steps<OwnerHit[]> {
  const {offset, limit, sort = "score"} = question;
  if (sort !== "score") return pageBySize(groups, sort, question);
  const hits: OwnerHit[] = [];
  let before = 0;
  for (const {set, score, rows} of groups) {
    const from = Math.max(0, offset - before);
    const to = Math.min(rows.length, offset + limit - before);
    if (from < to) {
      const first = rows.length === 1 ? rows : yield* firstRows(rows, to, orderOf(set));
      for (let at = from; at < to; at++) hits.push({set, row: first[at]!, match: matchOf(score)});
    }
    before += rows.length;
    if (before >= offset + limit) break;
  }
  return hits;
}

/** The order within a county: by number, then by the unique key. */
function orderOf({parcels}: ParcelSet): RowOrder {
  return [parcels.text("parcel_id_std"), parcels.text("parcel_uid")];
}

/** Lowest score, in hundredths, of a name with all words of the query. */
const minNormalized = 80;

/** Notes on how the name differs from the query, by score in hundredths. */
const differences: Readonly<Record<number, string>> = {
  95: "words in another order",
  90: "further words in the name",
  80: "words apart in the name",
  70: "last word completed",
  60: "one letter corrected",
};

function matchOf(hundredths: number): OwnerHit["match"] {
  const type = hundredths === 100 ? "exact" : hundredths >= minNormalized ? "normalized" : "fuzzy";
  const difference = differences[hundredths];
  return {type, score: hundredths / 100, notes: difference === undefined ? [] : [difference]};
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
