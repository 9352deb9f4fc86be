import type {GatheredRow} from "../gather.ts";
import {contextItem, type PlacedItem} from "./items.ts";

/** Published notices by disease, of counties and of whole states. They stay, with their age, until they are withdrawn. */
export function healthItems(rows: readonly GatheredRow[], asOf: string): PlacedItem[] {
  const standing = rows.filter(
    ({["status"]: status}) => !/withdrawn|retracted|rescinded/.test(String(status)),
  );
  const placed = standing.flatMap((row) => {
    const area = String(row["area"]);
    const state = stateOfRow(row);
    return [
      ...(row["area_type"] === "county" ? [{keyType: "county" as const, key: area, row}] : []),
      ...(state === null ? [] : [{keyType: "state" as const, key: state, row}]),
    ];
  });
  const groups = Map.groupBy(
    placed,
    ({keyType, key, row}) => `${keyType}\n${key}\n${String(row["disease"])}`,
  );
  return [...groups.values()].map((group) => {
    const {keyType, key} = group[0]!;
    return {
      keyType,
      key,
      item: healthItem(
        {keyType, key},
        group.map(({row}) => row),
        asOf,
      ),
    };
  });
}

function stateOfRow(row: GatheredRow): string | null {
  return row["area_type"] === "state"
    ? String(row["area"])
    : ((row["state_of_county"] as string | null) ?? null);
}

function healthItem(
  {keyType, key}: {keyType: string; key: string},
  rows: readonly GatheredRow[],
  asOf: string,
) {
  const dates = rows.map(({valid_from}) => valid_from).sort();
  const latest = rows.reduce((newest, row) => (row.valid_from >= newest.valid_from ? row : newest));
  return contextItem(
    {
      signal: "animal_health",
      source_id: "aphis",
      key_type: keyType,
      key,
      values: {
        disease: latest["disease"],
        latest_notice: latest["title"],
        latest_status: latest["status"],
        notices: rows.length,
        notices_marked_active: rows.filter((row) => row["status"] === "active").length,
        first_date: dates[0],
        latest_date: dates.at(-1),
      },
      valid_from: dates[0]!,
      valid_to: null,
      source_date: dates.at(-1)!,
      lasting: true,
      limitations: [
        "Published notices; not the status of any herd or premises, and no statement on permits.",
      ],
    },
    asOf,
  );
}
