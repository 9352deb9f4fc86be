import {ageDays, freshnessOf} from "../../../../lib/dates.ts";
import type {ContextItem} from "../../../../schemas/market-answer.ts";

/** A context item with what the server finds it by. */
export type PlacedItem = {
  readonly keyType: "county" | "state";
  readonly key: string;
  readonly item: ContextItem;
};

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
