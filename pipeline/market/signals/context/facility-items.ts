import {ageDays} from "../../../../lib/dates.ts";
import type {GatheredRow} from "../gather.ts";
import {contextItem, newestWithin, type SignalItems} from "./items.ts";

/** Days from the fetch for which screening records are shown, and permit ids that one item names at most. */
const windowDays = 30;
const mostIds = 10;

/**
 * Number of records of livestock operations in a county, and their first permit ids. They have no date: the age is that of the
 * fetch.
 */
export function facilityItems(rows: readonly GatheredRow[], asOf: string): SignalItems {
  const livestock = rows.filter((row) => row["county_fips"] != null && row["livestock"] === true);
  const {shown, old} = newestWithin(livestock, ({key}) => key, {asOf, days: () => windowDays});
  const county = (row: GatheredRow) => String(row["county_fips"]);
  const known = new Set(shown.map(county));
  const leftOut = [...Map.groupBy(old, county)]
    .filter(([key]) => !known.has(key))
    .map(([key, group]) => {
      const newest = group
        .map(({valid_from}) => valid_from)
        .sort()
        .at(-1)!;
      return {keyType: "county" as const, key, signal: "facility_screening", ageDays: ageDays(newest, asOf)};
    });
  const items = [...Map.groupBy(shown, county)].map(([key, group]) => {
    const fetched = group.map(({valid_from}) => valid_from).sort()[0]!;
    const item = contextItem(
      {
        signal: "facility_screening",
        source_id: "echo",
        key_type: "county",
        key,
        values: {
          facilities: group.length,
          permit_ids: group
            .map((row) => row.key.split("/").at(-1)!)
            .sort()
            .slice(0, mostIds),
        },
        valid_from: fetched,
        valid_to: null,
        source_date: null,
        ageFrom: fetched,
        limitations: [
          "Records as reported to the regulator, of the queries in this build only; no finding of any kind.",
        ],
      },
      asOf,
    );
    return {keyType: "county" as const, key, item};
  });
  return {items, leftOut};
}
