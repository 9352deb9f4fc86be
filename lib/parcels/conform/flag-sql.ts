import {sqlName} from "../../sql/duckdb.ts";
import {areaTolerance, largestAcres} from "./area-sql.ts";
import {ownerParts} from "./owner-forms.ts";
import {answerColumn} from "./packed-text.ts";
import type {ConformEntry} from "./references.ts";
import {situsParts} from "./situs-forms.ts";
import {hasUse, useParts} from "./use-forms.ts";
import {valueFlags} from "./value-sql.ts";

/** Gives SQL of the sorted list of a row's cleaning codes. */
export function flagsSql(entry: ConformEntry, asOf: string): string {
  const flags = [...flagConditions(entry, asOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  const cases = flags.map(([code, condition]) => `CASE WHEN ${condition} THEN '${code}' END`);
  // Most rows have no code and need no list.
  return `CASE WHEN ${flags.map(([, condition]) => `(${condition})`).join(" OR ")}
    THEN list_filter([${cases.join(", ")}]::VARCHAR[], lambda code: code IS NOT NULL) ELSE []::VARCHAR[] END`;
}

function* flagConditions(entry: ConformEntry, asOf: string): Generator<[code: string, condition: string]> {
  yield* valueFlags(entry, asOf);
  yield ["null_text", '"~null_text"'];
  yield ["bad_number", '"~bad_number"'];
  yield ["bad_date", '"~bad_date"'];
  yield ["no_geometry", '"~x" IS NULL'];
  yield ["point_outside", '"~outside"'];
  yield ["invalid_geometry", '"~invalid"'];
  yield ["area_unit_unknown", '"~unit_unknown"'];
  yield ["area_implausible", `"~acres_stated" > ${largestAcres} OR "~geom_acres" > ${largestAcres}`];
  yield [
    "area_mismatch",
    `"~declared" > 0 AND "~acres_stated_basis" <> 'computed'
      AND abs("~declared" - coalesce("~geom_acres", "~acres_computed")) > ${areaTolerance} * "~declared"`,
  ];
  yield ["owner_withheld", `${answerColumn("owner", ownerParts.indexOf("withheld"))} = '1'`];
  yield ["situs_is_mailing", situsIsMailing(entry)];
  yield ["address_unparsed", addressUnparsed()];
  if (hasUse(entry)) yield* useFlags(entry);
}

/** Least acres of vacant land that may be open range, and the states in which there is some. */
const rangeAcres = 40;
const rangeStates: ReadonlySet<string> = new Set(
  "AZ CA CO ID KS MT ND NE NM NV OK OR SD TX UT WA WY".split(" "),
);

/** Gives the conditions of a code that is not believed for land of this size, and of vacant land that may be open range. */
function* useFlags(entry: ConformEntry): Generator<[code: string, condition: string]> {
  const part = (name: (typeof useParts)[number]) => answerColumn("use", useParts.indexOf(name));
  yield ["code_implausible_for_area", `${part("flag")} = 'code_implausible_for_area'`];
  const isPrinted = "use_description" in entry.fields || entry.use?.descriptionFrom !== undefined;
  if (!isPrinted || !rangeStates.has(entry.coverage.state)) return;
  const built = ["building_value", "building_area"]
    .filter((column) => column in entry.fields)
    .map((column) => ` AND NOT coalesce(${sqlName(column)} > 0, false)`);
  yield [
    "open_range_possible",
    `${part("category")} = 'vacant' AND "use_description" ILIKE '%vacant land%'
      AND coalesce(nullif("~declared", 0), "~geom_acres") >= ${rangeAcres}${built.join("")}`,
  ];
}

/** Gives SQL that is true for an address in another state, which is not that of the land. */
function situsIsMailing({coverage}: ConformEntry): string {
  if (coverage.country !== "US") return "false";
  const part = (name: (typeof situsParts)[number]) => answerColumn("situs", situsParts.indexOf(name));
  return `${part("state")} <> '${coverage.state}'`;
}

/** Gives SQL that is true for a line that is neither an address nor a known kind of line without one. */
function addressUnparsed(): string {
  const part = (name: (typeof situsParts)[number]) => answerColumn("situs", situsParts.indexOf(name));
  return `"~situs" IS NOT NULL AND ${part("situs_status")} = 'name_only'`;
}
