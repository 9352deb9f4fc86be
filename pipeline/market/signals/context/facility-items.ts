import type {GatheredRow} from "../gather.ts";
import {contextItem, newestBy, type PlacedItem, within} from "./items.ts";

/** Days from the fetch for which screening records are shown, and permit ids that one item names at most. */
const windowDays = 30;
const mostIds = 10;

/** Number of facility records in a county, and their first permit ids. They have no date: the age is that of the fetch. */
export function facilityItems(rows: readonly GatheredRow[], asOf: string): PlacedItem[] {
  const shown = newestBy(
    rows.filter((row) => row["county_fips"] != null && within(row.valid_from, asOf, windowDays)),
    ({key}) => key,
  );
  return [...Map.groupBy(shown, (row) => String(row["county_fips"]))].map(([key, group]) => {
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
    return {keyType: "county", key, item};
  });
}
