import {states} from "@open-cattle/us-address";
import {limitations} from "../../../lib/limitations.ts";
import {sqlText} from "../../../lib/sql/duckdb.ts";
import {freshnessSql} from "../../../schemas/market-fields/price.ts";
import {type SignalTable, signalFiles} from "../../../schemas/signal-files.ts";
import {type DescribedColumn, instantType} from "../../../schemas/vocabulary/described-file.ts";

/** Where and how answers carry a signal (`docs/design/market.md` section 13): SQL over the columns of its table. */
export type ContextRules = {
  readonly table: SignalTable;
  /** Name in answers; by default that of the rows. */
  readonly signal?: string;
  /** A join that gives the rows further columns; the feed names the models that it reads. */
  readonly beside?: string;
  /** Condition for rows that answers may carry; default all. */
  readonly carries?: string;
  /** Partition of which only the newest row counts, on equal days the first in `order`; by default all rows count. */
  readonly newestOf?: string;
  readonly order?: string;
  /** Days after its first day during which a row is shown; by default as long as it is carried. */
  readonly days?: string;
  /** Lists of counties, states and venues whose answers carry the row; by default its own area. */
  readonly places?: Readonly<Partial<Record<"county" | "state" | "venue", string>>>;
  /** Rows of one place with the same value here make one item (`key_type` is the kind of place); by default all rows do. */
  readonly group?: string;
  /** A place has this many items at most, the first in `order`; by default all. */
  readonly most?: number;
  /** True if only the first row of a place, in `order`, counts. */
  readonly firstOnly?: true;
  /** Key type and key of the item; by default the place. */
  readonly keyOf?: readonly [keyType: string, key: string];
  /**
   * Values of an item over the rows of its group, with units in their names: a column (of the first row), or `<SQL> AS <name>`.
   * `plainSql` and `utcSql` format a number and an instant for JSON.
   */
  readonly values: readonly string[];
  /** Condition for groups that the licence allows to publish; default all. */
  readonly licensed?: string;
  /** True for items that hold until withdrawn or replaced: they show an age but no freshness class. */
  readonly lasting?: true;
  readonly limitation: string;
  /** An item older than so many days says this sentence too. */
  readonly aged?: readonly [days: number, limitation: string];
  /** True if an item must say that the state's counties have changed (L19). */
  readonly namesVintage?: true;
};

/** SQL: a JSON object with these members. */
function objectSql(members: readonly (readonly [string, string])[]): string {
  return `to_json({${members.map(([name, sql]) => `'${name}': ${sql}`)}})`;
}

/** SQL: the values of an item; a column takes the first row's value, and numbers lose trailing zeros. */
function valuesSql(table: SignalTable, values: readonly string[]): string {
  const columns: readonly DescribedColumn[] = signalFiles[table].columns;
  return objectSql(
    values.map((value) => {
      const [sql, name = value] = value.split(/ AS (?=\w+$)/) as [string, string?];
      const type = columns.find((column) => column.name === sql)?.type;
      const first = type === undefined ? sql : `first(${sql} ORDER BY place_order, seq)`;
      if (type === instantType) return [name, utcSql(first)];
      return [name, /^(DOUBLE|DECIMAL)/.test(type ?? "") ? plainSql(first) : `(${first})`];
    }),
  );
}

/** SQL: looks up a text column in a map of texts or lists of texts; null for an unknown text. */
export function lookupSql(column: string, entries: Iterable<readonly [string, string | string[]]>): string {
  const sql = (value: string | string[]) =>
    typeof value === "string" ? sqlText(value) : `[${value.map(sqlText)}]`;
  return `map {${[...entries].map(([key, value]) => `${sqlText(key)}: ${sql(value)}`)}}[${column}]`;
}

/** SQL: the registry id that an item cites, that of its first row. */
export const citedId = "first(source_id ORDER BY seq)";

/** SQL: the list of all states, for signals that apply to each of them. */
export const everyState = `[${states.map(({state}) => sqlText(state))}]`;

const ownArea = {
  county: "if(area_type = 'county', [area], [])",
  state: "if(area_type = 'state', [area], [])",
};

/** SQL: a number as JSON, without trailing zeros. */
export const plainSql = (number: string) => `regexp_replace((${number})::DOUBLE::VARCHAR, '\\.0$', '')::JSON`;

/** SQL: an instant as JSON. */
export const utcSql = (instant: string) => `strftime(${instant}, '%Y-%m-%dT%H:%M:%SZ')`;

/**
 * SQL: the context of rules, one line per signal and place: with its item as JSON; without item but with the youngest age, if all
 * rows are past their window; with neither, if no licence allows it. A missing signal has no line.
 */
export function contextSql(rules: readonly ContextRules[], asOf: string): string {
  const lines = rules.map((one) => `SELECT * FROM (${linesSql(one, asOf)})`);
  return `SELECT key_type, key, signal, item::VARCHAR AS item, age_days::INTEGER AS age_days FROM (${lines.join(" UNION ALL ")})`;
}

function linesSql(rules: ContextRules, asOf: string): string {
  const {
    table,
    beside = "",
    carries = "true",
    newestOf,
    order = "''",
    days = "NULL",
    places = ownArea,
  } = rules;
  const {group = "NULL", values, licensed = "true", lasting = false, firstOnly = false, most} = rules;
  const [keyType, key] = rules.keyOf ?? ["key_type", "place"];
  const isInstant = signalFiles[table].columns[2]!.type === instantType;
  const day = (sql: string) => (isInstant ? utcSql(sql) : sql);
  const unnested = Object.entries(places).map(
    ([type, list]) => `SELECT *, '${type}' AS key_type, unnest(${list}) AS place FROM counting`,
  );
  const grouping = "key_type, place, group_signal, item_group";
  const limitation = `[${sqlText(rules.limitation)}]`;
  const sentences =
    rules.aged === undefined
      ? limitation
      : `if(item_age > ${rules.aged[0]}, list_append(${limitation}, ${sqlText(rules.aged[1])}), ${limitation})`;
  const changed = `key_type = 'county' AND place LIKE '09%'`;
  const members = {
    signal: "group_signal",
    source_id: citedId,
    key_type: keyType,
    key,
    values: valuesSql(table, values),
    valid_from: day("min(valid_from)"),
    valid_to: day("max(valid_to)"),
    source_date: "max(source_date)",
    age_days: "item_age",
    freshness: lasting ? "NULL" : freshnessSql("item_age"),
    limitations: rules.namesVintage
      ? `if(${changed}, [${sqlText(rules.limitation)}, ${sqlText(limitations.L19)}], ${sentences})`
      : sentences,
  };
  return `
    WITH counting AS (SELECT *, ${order} AS place_order, DATE '${asOf}' - valid_from::DATE AS age FROM signal_${table} ${beside} WHERE (${carries})
        ${newestOf === undefined ? "" : `AND age >= 0 QUALIFY row_number() OVER (PARTITION BY ${newestOf} ORDER BY valid_from DESC, place_order, seq) = 1`}),
      placed AS (SELECT *, ${rules.signal === undefined ? "signal" : sqlText(rules.signal)} AS group_signal, ${group} AS item_group,
        coalesce(age <= ${days}, true) AS shown FROM (${unnested.join(" UNION ALL ")}) WHERE place IS NOT NULL),
      items AS (SELECT key_type, place, group_signal, DATE '${asOf}' - coalesce(max(source_date), min(valid_from)::DATE) AS item_age,
          bool_or(shown) AS has_item, min(age) AS youngest, ${licensed} AS licensed, ${objectSql(Object.entries(members))}::VARCHAR AS item
        FROM (FROM placed WINDOW same AS (PARTITION BY ${grouping} ORDER BY NOT shown, place_order, seq)
          QUALIFY shown = first_value(shown) OVER same ${firstOnly ? "AND (NOT shown OR row_number() OVER same = 1)" : ""})
        GROUP BY ${grouping}
        ${most === undefined ? "" : `QUALIFY row_number() OVER (PARTITION BY key_type, place ORDER BY NOT bool_or(shown), min(place_order), min(seq)) <= ${most}`})
    SELECT key_type, place AS key, group_signal AS signal, item, item_age AS age_days FROM items WHERE has_item AND licensed
    UNION ALL SELECT key_type, place, group_signal, NULL, min(youngest) FROM items WHERE NOT has_item GROUP BY ALL
    UNION ALL SELECT DISTINCT key_type, place, group_signal, NULL, NULL FROM items WHERE has_item AND NOT licensed`;
}
