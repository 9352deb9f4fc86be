import {
  date,
  fieldsOf,
  integer,
  money,
  oneOf,
  orNull,
  rounded,
  structure,
  text,
  texts,
} from "./market-field.ts";
import {shared} from "./shared.ts";
import {Upstream} from "./structures.ts";

const field = fieldsOf(["mandatory"]);
const fixed = {revises: true} as const;
const usd = "USD per cwt, 2 decimals; null where the report withholds it or nothing was traded";

/** Members that other price records have, so that a program which reads these finds null. */
const absent = (what: string) =>
  field(orNull(text), `Always null: a line is of no ${what}`, {perQuery: true, sql: "NULL"});

/** The fields of the lines of mandatory reports, in column order: what packers bought, never part of an auction price. */
export const mandatoryFields = {
  report_scope: field(oneOf(["mandatory"]), "Always `mandatory`"),
  line_id: field(text, "Report code, section and labels of the line: the same in every issue of the report"),
  cell_id: absent("cell"),
  state: absent("single state"),
  venue_id: absent("venue"),
  venue_name: absent("venue"),
  region: field(text, "Region as printed, such as `5 Area`; `National` where the report names none", {
    header: "region",
  }),
  region_states: field(texts, "States of the region, sorted; empty for the nation"),
  report_date: field(date, "Date of the report", {...fixed, header: "report"}),
  report_period: field(orNull(oneOf(["daily", "weekly", "monthly"])), "What one issue covers, by its title"),
  section: field(text, "Section of the report"),
  purchase_type: field(
    orNull(oneOf(["negotiated", "negotiated_grid", "formula", "forward_contract"])),
    "How the packers bought; null where neither line nor title names one kind",
    {header: "purchase"},
  ),
  class_printed: field(orNull(text), "Cattle as printed, such as `STEER`; null for the cutout", {
    header: "cattle",
  }),
  grade_printed: field(
    orNull(text),
    "Grade as printed; of the cutout grade and carcass weight, such as `choice 600-900`",
    {
      header: "grade",
    },
  ),
  price_basis_live: field(
    orNull(oneOf(["live", "dressed", "cutout"])),
    "What the price is of: live weight, carcass, or the values of a carcass's cuts; null where none is stated",
    {header: "basis"},
  ),
  delivery_printed: field(orNull(oneOf(["fob", "delivered"])), "Who pays the freight: `fob` the packer"),
  price_unit: field(
    oneOf(["per_cwt"]),
    "Unit of every price: cwt of live weight or of carcass, by the basis",
  ),
  price_avg: field(money, usd, {...fixed, header: "USD/cwt"}),
  price_low: field(money, usd, fixed),
  price_high: field(money, usd, fixed),
  head_count: field(orNull(integer), "Head; null where withheld or not published", {
    ...fixed,
    header: "head",
  }),
  avg_weight_lb: field({...orNull(integer), stored: (value) => rounded(value, 0)}, "Average weight, lb", {
    ...fixed,
    header: "lb",
  }),
  change_week: field(money, "Less the same line 4 to 10 days before; null without one", {
    ...fixed,
    header: "week",
  }),
  change_week_from: field(orNull(date), "Date of the report that it is compared with"),
  age_days: field(integer, "Days from `report_date` to the as-of date"),
  freshness: field(oneOf(["fresh", "recent"]), "Class of the age; older lines are not served"),
  report_title: field(text, "Title of the report, as published"),
  report_url: field(orNull(text), "The publisher's page of the report"),
  upstream: field(structure(Upstream), "The report"),
  importance: field(
    integer,
    "Rank among the lines of the build, from 1: negotiated totals, cutout, other totals, single grades",
  ),
  change_status: field(...shared.change_status),
  evidence_id: field(...shared.evidence_id),
};
