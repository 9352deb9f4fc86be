import {ageDays, freshnessOf} from "../../../lib/dates.ts";
import {limitations} from "../../../lib/limitations.ts";
import type {ContextItem} from "../../../schemas/market-answer.ts";
import type {MarketSourceId} from "../../../schemas/market-source.ts";
import type {SignalTable} from "../../../schemas/signal-files.ts";
import {countyVintage} from "./areas.ts";
import type {GatheredRow} from "./reading.ts";

/** The key by which the server finds a signal. */
type Place = {readonly keyType: "county" | "state"; readonly key: string};

/** The as-of date, and the paths of the newest fetches of lists. */
export type ContextSetting = {readonly asOf: string; readonly current: ReadonlySet<string>};

/** Rows of one place and group, of which there is one at least. */
type Group = readonly [GatheredRow, ...GatheredRow[]];

/** Where and how a signal stands in answers (`docs/design/market.md` section 13). */
export type ContextRules = {
  readonly table: SignalTable;
  /** Name in answers; that of the rows without it. */
  readonly signal?: string;
  /** True for a row that answers may carry; all of them without it. */
  readonly carries?: (row: GatheredRow, setting: ContextSetting) => boolean;
  /** Name of what a row is of: the newest row of each counts, of equal days the first in `order`. All rows count without it. */
  readonly newestOf?: (row: GatheredRow) => string;
  readonly order?: (row: GatheredRow) => string;
  /** Days from its first day for which a row is shown; without it as long as it is carried. */
  readonly days?: (row: GatheredRow) => number;
  /** Places whose answers have the row; its own area without it. */
  readonly places?: (row: GatheredRow) => readonly Place[];
  /** Rows of one place with the same text here make one item; all do without it. */
  readonly group?: (row: GatheredRow, place: Place) => string;
  /** True where of the rows of a place the first in `order` counts alone. */
  readonly firstOnly?: true;
  /** The item's key; the place without it. */
  readonly keyOf?: (row: GatheredRow) => readonly [keyType: string, key: string];
  /** Values with units in their names; null where no licence lets them out. */
  readonly values: (rows: Group, place: Place) => Record<string, unknown> | null;
  /** True for what holds until it is withdrawn or replaced: its age is told, no class of freshness. */
  readonly lasting?: true;
  readonly limitation: string;
  /** True where an item says that the counties of its state changed (L19). */
  readonly namesVintage?: true;
};

/** A line of the table `context`: a signal without an item is left out, with its age, or with null where no licence lets it out. */
export type ContextRow = {
  readonly key_type: Place["keyType"];
  readonly key: string;
  readonly signal: string;
  readonly item: ContextItem | null;
  readonly age_days: number | null;
};

/** The context of one feed by place. A signal that is missing has no line, and one past its window is left out by name. */
export function contextRows(
  rules: ContextRules,
  {rows, source, setting}: {rows: readonly GatheredRow[]; source: MarketSourceId; setting: ContextSetting},
): ContextRow[] {
  const {asOf} = setting;
  const {places = ownPlace, days = () => Infinity, firstOnly = false} = rules;
  const carried = rows.filter((row) => rules.carries?.(row, setting) ?? true);
  const placed = countingRows(carried, rules, asOf).flatMap((row) =>
    places(row).map((place) => ({row, place, age: ageDays(row.valid_from.slice(0, 10), asOf)})),
  );
  const groups = Map.groupBy(
    placed,
    ({row, place}) => `${place.keyType}\n${place.key}\n${rules.group?.(row, place) ?? ""}`,
  );
  const lines = [...groups.values()].map((members): ContextRow => {
    const {row, place} = members[0]!;
    const line = {key_type: place.keyType, key: place.key, signal: rules.signal ?? row.signal};
    const shown = members.filter((member) => member.age <= days(member.row)).map((member) => member.row);
    const youngest = Math.min(...members.map(({age}) => age));
    if (shown.length === 0) return {...line, item: null, age_days: youngest};
    const group = (firstOnly ? shown.slice(0, 1) : shown) as unknown as Group;
    const values = rules.values(group, place);
    if (values === null) return {...line, item: null, age_days: null};
    const item = itemOf(rules, group, place, {values, asOf, signal: line.signal, source_id: source});
    return {...line, item, age_days: item.age_days};
  });
  // Of a signal that is left out in a place the youngest age is told, once.
  const leftOut = lines
    .filter(({item}) => item === null)
    .sort((a, b) => (b.age_days ?? 0) - (a.age_days ?? 0))
    .map((line) => [`${line.key_type} ${line.key} ${line.signal} ${line.age_days === null}`, line] as const);
  return [...lines.filter(({item}) => item !== null), ...new Map(leftOut).values()];
}

/** The rows in their order; of each name the newest that is not after the as-of date. */
function countingRows(
  rows: readonly GatheredRow[],
  {newestOf, order = () => ""}: ContextRules,
  asOf: string,
): readonly GatheredRow[] {
  if (newestOf === undefined) return rows;
  const known = rows.filter(({valid_from}) => valid_from <= asOf);
  const ordered = known.sort((a, b) => (order(a) < order(b) ? -1 : Number(order(a) > order(b))));
  return [...Map.groupBy(ordered, newestOf).values()].map((group) =>
    group.reduce((newest, row) => (row.valid_from > newest.valid_from ? row : newest)),
  );
}

function ownPlace({area_type, area}: GatheredRow): Place[] {
  return area_type === "county" || area_type === "state" ? [{keyType: area_type, key: String(area)}] : [];
}

type ItemFacts = Pick<ContextItem, "signal" | "source_id" | "values"> & {asOf: string};

/** One item as answers carry it; its age counts from the source's date, else from its first day. */
function itemOf(rules: ContextRules, group: Group, place: Place, {asOf, ...facts}: ItemFacts): ContextItem {
  const sorted = (name: string) =>
    group.flatMap((row) => (row[name] == null ? [] : [String(row[name])])).sort();
  const [valid_from, source_date] = [sorted("valid_from")[0]!, sorted("source_date").at(-1) ?? null];
  const [key_type, key] = rules.keyOf?.(group[0]) ?? [place.keyType, place.key];
  const age_days = ageDays(source_date ?? valid_from, asOf);
  const isChanged = rules.namesVintage && place.keyType === "county" && countyVintage(place.key) !== null;
  return {
    signal: facts.signal,
    source_id: facts.source_id,
    key_type,
    key,
    values: facts.values,
    valid_from,
    valid_to: sorted("valid_to").at(-1) ?? null,
    source_date,
    age_days,
    freshness: rules.lasting ? null : freshnessOf(Math.max(0, age_days)),
    limitations: [rules.limitation, ...(isChanged ? [limitations.L19] : [])],
  };
}
