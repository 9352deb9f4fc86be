import {ageDays, freshnessOf} from "../../../../lib/dates.ts";
import type {ContextItem} from "../../../../schemas/market-answer.ts";

/** The key by which the server finds a signal. */
type Placed = {readonly keyType: "county" | "state"; readonly key: string};

/** A context item with its place. */
export type PlacedItem = Placed & {readonly item: ContextItem};

/** A signal that is known and not shown: with its age where it is out of date, with null where no licence lets it out. */
export type LeftOutSignal = Placed & {readonly signal: string; readonly ageDays: number | null};

/** The items of one signal, and where it is left out. */
export type SignalItems = {readonly items: readonly PlacedItem[]; readonly leftOut: readonly LeftOutSignal[]};

type ItemInput = Pick<
  ContextItem,
  | "signal"
  | "source_id"
  | "key_type"
  | "key"
  | "values"
  | "valid_from"
  | "valid_to"
  | "source_date"
  | "limitations"
> & {
  /** Day from which the age counts, where it is not `source_date`. */
  readonly ageFrom?: string | null;
  /** True for what holds until it is withdrawn or replaced: its age is told, no class of freshness. */
  readonly lasting?: boolean;
};

/** One item as answers carry it; its age counts from the source's date, else from the day given. */
export function contextItem({ageFrom, lasting = false, ...input}: ItemInput, asOf: string): ContextItem {
  const from = input.source_date ?? ageFrom ?? null;
  const age = from === null ? null : ageDays(from, asOf);
  const {limitations, ...rest} = input;
  return {
    ...rest,
    age_days: age,
    freshness: age === null || lasting ? null : freshnessOf(Math.max(0, age)),
    limitations,
  };
}

/** The newest rows of each group on the as-of date: those within so many days, and those that are older. */
export function newestWithin<Row extends {valid_from: string}>(
  rows: readonly Row[],
  name: (row: Row) => string,
  {asOf, days}: {asOf: string; days: (row: Row) => number},
): {shown: Row[]; old: Row[]} {
  const newest = newestBy(
    rows.filter(({valid_from}) => valid_from <= asOf),
    name,
  );
  const isShown = (row: Row) => within(row.valid_from, asOf, days(row));
  return {shown: newest.filter(isShown), old: newest.filter((row) => !isShown(row))};
}

/** True where a day is not after the as-of date and at most so many days before it. */
export function within(date: string, asOf: string, days: number): boolean {
  const age = ageDays(date, asOf);
  return age >= 0 && age <= days;
}

/** The newest row of each group, by first day. */
export function newestBy<Row extends {valid_from: string}>(
  rows: readonly Row[],
  name: (row: Row) => string,
): Row[] {
  return [...Map.groupBy(rows, name).values()].map((group) =>
    group.reduce((newest, row) => (row.valid_from > newest.valid_from ? row : newest)),
  );
}
