import {type OwnerMatch, scoreOwnerRoles} from "../owner/owner-score.ts";
import {ownerTokens} from "../owner/owner-tokens.ts";
import type {ParcelSet} from "../parcel-artifacts.ts";
import type {SourceRegistry} from "../source-facts.ts";
import {intersect} from "../term-index.ts";
import {inCounties} from "./county-filter.ts";
import {firstRows} from "./first-rows.ts";
import {type OwnerReader, ownerReader} from "./owner-names.ts";
import {type OwnerTiers, ownerTiers} from "./owner-tiers.ts";
import {unitedRows} from "./row-lists.ts";
import {type UseQuestion, useTest} from "./use-filter.ts";

/** Words of any role, or names in their roles. */
export type OwnerWords =
  | {readonly tokens: readonly string[]}
  | {readonly lastName: string; readonly firstName: string | null};

export type OwnerQuestion = UseQuestion & {
  readonly words: OwnerWords;
  /** County keys; null for any county. */
  readonly counties: ReadonlySet<string> | null;
  readonly offset: number;
  readonly limit: number;
};

export type OwnerHit = {readonly set: ParcelSet; readonly row: number; readonly match: OwnerMatch};

export type OwnerPage = {
  readonly hits: readonly OwnerHit[];
  /** Exact number of hits before paging. */
  readonly total: number;
  /** Rows that fit but for having no category. */
  readonly unclassified: number;
  /** Hits before the category filter: none means that the county may be asked. */
  readonly beforeUse: number;
};

/**
 * Parcels by owner, ordered by score, state, county key, `parcel_id_std`, `parcelUid`. The total is exact; rows of other pages are counted,
 * not read. Withheld owners have no tokens and are never found.
 */
export function findOwners(
  sets: readonly ParcelSet[],
  question: OwnerQuestion,
  sources: SourceRegistry,
): OwnerPage {
  const count = {unclassified: 0, beforeUse: 0};
  const groups = [...sets]
    .sort((a, b) => compareText(a.state, b.state))
    .flatMap((set) => scoredGroups(set, question, {sources, count}))
    .sort(
      (a, b) => b.score - a.score || compareText(a.set.state, b.set.state) || compareText(a.county, b.county),
    );
  return {
    hits: pageOf(groups, question),
    total: groups.reduce((sum, {rows}) => sum + rows.length, 0),
    ...count,
  };
}

/** Rows of one score and county: the order inside is that of their numbers. */
type Group = {
  readonly set: ParcelSet;
  readonly score: number;
  readonly county: string;
  readonly rows: number[];
};

type Counting = {sources: SourceRegistry; count: {unclassified: number; beforeUse: number}};

function scoredGroups(set: ParcelSet, question: OwnerQuestion, {sources, count}: Counting): Group[] {
  const inCounty = inCounties(set, question.counties);
  const verdictOf = useTest(set, question);
  const counties = set.parcels.dictionary("county_key");
  const groups: Group[] = [];
  for (const [score, rows] of tiersOf(set, question.words, ownerReader(set, sources))) {
    const byCounty = new Map<number, number[]>();
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      if (!inCounty(row)) continue;
      count.beforeUse += 1;
      const verdict = verdictOf(row);
      if (verdict === "unclassified") count.unclassified += 1;
      if (verdict !== "kept") continue;
      const code = counties.codeAt(row);
      const known = byCounty.get(code);
      if (known === undefined) byCounty.set(code, [row]);
      else known.push(row);
    }
    for (const [code, kept] of byCounty)
      groups.push({set, score, county: counties.values[code] ?? "", rows: kept});
  }
  return groups;
}

/** Only the groups that the page touches are ordered inside, and only as far as it reaches. */
function pageOf(groups: readonly Group[], {offset, limit}: OwnerQuestion): OwnerHit[] {
  const hits: OwnerHit[] = [];
  let before = 0;
  for (const {set, score, rows} of groups) {
    const from = Math.max(0, offset - before);
    const to = Math.min(rows.length, offset + limit - before);
    if (from < to) {
      const order = [set.parcels.text("parcel_id_std"), set.parcels.text("parcel_uid")];
      for (const row of firstRows(rows, to, order).slice(from)) hits.push({set, row, match: matchOf(score)});
    }
    before += rows.length;
    if (before >= offset + limit) break;
  }
  return hits;
}

function matchOf(hundredths: number): OwnerMatch {
  const type = hundredths === 100 ? "exact" : hundredths >= 80 ? "normalized" : "fuzzy";
  return {type, score: hundredths / 100};
}

function tiersOf(set: ParcelSet, words: OwnerWords, reader: OwnerReader): OwnerTiers {
  return "tokens" in words ? ownerTiers(set, words.tokens, reader) : roleTiers(set, words, reader);
}

/** Rows that may fit names in their roles, each scored by its names: the last of the words may be begun only. */
function roleTiers(
  set: ParcelSet,
  asked: Exclude<OwnerWords, {tokens: unknown}>,
  reader: OwnerReader,
): OwnerTiers {
  const given = asked.firstName === null ? {} : {firstName: asked.firstName};
  const tiers = new Map<number, number[]>();
  for (const row of roleCandidates(set, asked)) {
    const match = scoreOwnerRoles({lastName: asked.lastName, ...given}, reader.names(row));
    if (match === null) continue;
    const score = Math.round(match.score * 100);
    const rows = tiers.get(score);
    if (rows === undefined) tiers.set(score, [row]);
    else rows.push(row);
  }
  return tiers;
}

/** Terms that begin with a token; more would be no name. */
const mostTerms = 100_000;

function roleCandidates(
  set: ParcelSet,
  {lastName, firstName}: {lastName: string; firstName: string | null},
): number[] {
  const words = [...ownerTokens(lastName), ...ownerTokens(firstName ?? "")];
  const last = words.at(-1);
  if (last === undefined) return [];
  const begun = unitedRows(
    set.owners.prefix(last, mostTerms).map(({rows}) => rows),
    set.parcels.rows,
  );
  return intersect(
    [begun, ...words.slice(0, -1).map((word) => set.owners.find(word))],
    Number.POSITIVE_INFINITY,
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
