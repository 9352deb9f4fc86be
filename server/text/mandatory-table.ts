import {z} from "zod";
import {moneyWords} from "../../lib/market/cell-words.ts";
import {MandatoryPrice} from "../../schemas/market-answer.ts";
import {mandatoryFields} from "../../schemas/market-fields/mandatory.ts";
import {type ColumnOf, type Facts, joined, tableOf} from "./description.ts";
import {changeWords} from "./market-record.ts";

/** A line as it is told; a server of another version may say less. */
const MandatoryLine = MandatoryPrice.partial().extend({report_scope: MandatoryPrice.shape.report_scope});
type MandatoryLine = z.infer<typeof MandatoryLine>;

const MixedAnswer = z.looseObject({
  records: z.array(z.unknown()),
  context: z.array(z.looseObject({signal: z.string().optional()})),
});

/** Parts a market answer from its lines of mandatory reports. Where there are any, its context does not tell them again. */
export function apartFromMandatory(body: unknown): {own: unknown; lines: MandatoryLine[]} {
  const {records, context, ...answer} = MixedAnswer.parse(body);
  const [others, lines]: [unknown[], MandatoryLine[]] = [[], []];
  for (const record of records) {
    const {data} = MandatoryLine.safeParse(record);
    if (data === undefined) others.push(record);
    else lines.push(data);
  }
  if (lines.length === 0) return {own: body, lines};
  const kept = context.filter(({signal}) => signal !== "mandatory_prices");
  return {own: {...answer, records: others, context: kept}, lines};
}

const money = (amount: number | null | undefined) => (amount == null ? "" : moneyWords(amount));
const header = (name: keyof typeof mandatoryFields) => mandatoryFields[name].header ?? name;

const columns: readonly ColumnOf<MandatoryLine>[] = [
  {header: header("region"), cell: ({region}) => region},
  {
    header: header("class_printed"),
    cell: (line) => joined([line.class_printed, line.grade_printed].map((word) => word?.toLowerCase())),
  },
  {
    header: header("price_basis_live"),
    cell: ({price_basis_live: basis, delivery_printed: delivery}) =>
      joined([basis, delivery === "fob" ? "FOB" : delivery], " "),
  },
  {header: header("purchase_type"), cell: ({purchase_type: way}) => way?.replaceAll("_", " "), priority: 5},
  {header: header("price_avg"), cell: ({price_avg: price}) => money(price) || "not told", right: true},
  {
    header: "range",
    cell: ({price_low: low, price_high: high}) =>
      low == null || high == null ? "" : `${money(low)}-${money(high)}`,
    ...{right: true, priority: 6},
  },
  {header: header("head_count"), cell: ({head_count: head}) => head},
  {header: header("avg_weight_lb"), cell: ({avg_weight_lb: weight}) => weight, priority: 4},
  {header: header("change_week"), cell: ({change_week: change}) => changeWords(change), right: true},
  {header: header("report_date"), cell: ({report_date: day}) => day, priority: 2},
];

/** The table of lines of mandatory reports, apart from the prices of auctions. */
export const mandatoryTable = (lines: readonly MandatoryLine[]) =>
  tableOf(
    columns,
    lines,
    "What packers report by law: cattle that they bought, and values of boxed beef (no auction prices)",
  );

const factNames = [
  ...(["region", "report_date", "purchase_type", "class_printed", "grade_printed"] as const),
  ...(["price_basis_live", "delivery_printed", "price_avg", "price_low", "price_high"] as const),
  ...(["head_count", "avg_weight_lb", "change_week", "report_title", "evidence_id"] as const),
];

/** The members of each line that an agent receives; undefined without lines. */
export function mandatoryFacts(lines: readonly MandatoryLine[]): Facts[] | undefined {
  if (lines.length === 0) return undefined;
  return lines.map((line) =>
    Object.fromEntries(factNames.flatMap((name) => (line[name] == null ? [] : [[name, line[name]]]))),
  );
}
