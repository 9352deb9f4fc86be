import {ageDays, freshnessOf} from "../../../lib/dates.ts";
import {limitations} from "../../../lib/limitations.ts";
import {headWords, moneyWords, priceWords} from "../../../lib/market/cell-words.ts";
import {type AnswerContext, evidenceOf} from "../../../lib/market/evidence.ts";
import {priceConfidence, recencyPercent, thinHead} from "../../../lib/market/price-confidence.ts";
import {mandatoryMaxAgeDays, weekBack} from "../../../lib/market/pricing-rules.ts";
import {value} from "../../../lib/models/model.ts";
import {recordModel} from "../../../lib/models/record-model.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import type {Evidence} from "../../../schemas/market-evidence.ts";
import {mandatoryFields} from "../../../schemas/market-fields/mandatory.ts";
import {recordText} from "../../../schemas/market-fields/market-field.ts";
import {reportPageOf} from "../../../schemas/market-fields/structures.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import type {MandatoryPrice} from "../../../schemas/market-records.ts";
import {slug} from "../documents/json-values.ts";
import {gathered} from "../signals/signal-tables.ts";
import {answerContext} from "./answer-context.ts";
import {changeStatusOf, type PreviousRecord, previousRecords, valueHashOf} from "./drafts.ts";
import {compareLines, linesOf, type MandatoryLine, type ReportRow} from "./mandatory-lines.ts";
import {previous_mandatory_prices} from "./previous-build.ts";

/** Members that a line has because other price records do. */
const absent = {cell_id: null, state: null, venue_id: null, venue_name: null};

/** A line as it is served, with its key and hash for the next build's comparison, and its evidence. */
type MandatoryRecord = {
  row: MandatoryPrice & {record_key: string; value_hash: string};
  evidence: Evidence;
};

/**
 * The newest lines of mandatory reports, at most 21 days old, most important first: negotiated totals, the cutout, other totals, single
 * grades. A model that asks for them reads the gathered reports and `previous_mandatory_prices`.
 */
export const mandatoryRecords = value<readonly MandatoryRecord[]>(
  "lines of mandatory reports",
  async (run) => {
    const context = await run.value(answerContext);
    const rows = await run.db.rows<ReportRow>(
      `SELECT key, valid_from AS report_date, report_title, report_slug, section, published_at_source, labels, measures, source_path,
      strftime(ingested_at, '%Y-%m-%dT%H:%M:%SZ') AS ingested_at FROM gathered_mandatory_reports
    WHERE valid_from BETWEEN DATE '${context.asOf}' - ${mandatoryMaxAgeDays + weekBack.days + weekBack.tolerance} AND DATE '${context.asOf}' ORDER BY valid_from DESC, key`,
    );
    const previous = await previousRecords(run, previous_mandatory_prices);
    const byLine = Map.groupBy(rows.flatMap(linesOf), ({id}) => id);
    return [...byLine.values()]
      .map(([newest, ...older]) => ({newest: newest!, older}))
      .filter(({newest}) => ageDays(newest.of.report_date, context.asOf) <= mandatoryMaxAgeDays)
      .sort((a, b) => compareLines(a.newest, b.newest))
      .map(({newest, older}, at) => recordOf(newest, older, {context, previous, importance: at + 1}));
  },
);

/** The lines, as they are served. */
export const mandatory_prices = recordModel({
  name: "mandatory_prices",
  reads: [gathered.mandatory_reports, previous_mandatory_prices],
  columns: marketFiles.mandatory_prices.columns,
  more: {record: recordText(mandatoryFields, "mandatory")},
  rows: async (run) => (await run.value(mandatoryRecords)).map(({row}) => row),
});

type RecordInputs = {
  readonly context: AnswerContext;
  readonly previous: ReadonlyMap<string, PreviousRecord>;
  readonly importance: number;
};

function recordOf(
  line: MandatoryLine,
  older: readonly MandatoryLine[],
  {context, previous, importance}: RecordInputs,
): MandatoryRecord {
  const {id, of, ...values} = line;
  const {report_date, report_title, section} = of;
  const age = ageDays(report_date, context.asOf);
  const base = weekBase(line, older);
  const change_week = base === null ? null : roundHalfAway(line.price_avg! - base.price_avg!, 2);
  const record_key = `${id}|${report_date}`;
  const {region: _, region_states: __, ...figures} = values;
  const value_hash = valueHashOf({...figures, change_week});
  const change_status = changeStatusOf(previous.get(record_key), value_hash);
  // No two lines share an id, as two slugs might.
  const evidence_id = `mp-${id.replaceAll("/", ".")}`;
  const row = {
    report_scope: "mandatory" as const,
    line_id: id,
    ...absent,
    price_unit: "per_cwt" as const,
    ...values,
    ...{report_date, report_period: periodOf(report_title), section, report_title},
    ...{change_week, change_week_from: base?.of.report_date ?? null},
    ...{age_days: age, freshness: freshnessOf(age) as "fresh" | "recent"},
    report_url: reportPageOf(of.report_slug),
    upstream: {
      ...{system: "lmr_datamart" as const, report_slug: of.report_slug, report_program: "mandatory" as const},
      ...{issue_status: null, published_at_source: of.published_at_source},
      report_slugs: of.report_slug === null ? [] : [of.report_slug],
      report_urls: [reportPageOf(of.report_slug)].filter((url) => url !== null),
    },
    ...{change_status, evidence_id, importance, record_key, value_hash},
  };
  return {row, evidence: evidenceFor(row, of, context)};
}

/** The same line about a week before; null where either has no price. */
function weekBase({of, price_avg}: MandatoryLine, older: readonly MandatoryLine[]): MandatoryLine | null {
  if (price_avg === null) return null;
  const daysOff = (line: MandatoryLine) =>
    Math.abs(ageDays(line.of.report_date, of.report_date) - weekBack.days);
  const bases = older.filter((line) => line.price_avg !== null && daysOff(line) <= weekBack.tolerance);
  return bases.toSorted((a, b) => daysOff(a) - daysOff(b))[0] ?? null;
}

function periodOf(title: string): MandatoryPrice["report_period"] {
  const word = /\b(daily|weekly|monthly)\b/i.exec(title)?.[1]?.toLowerCase() ?? null;
  return word as MandatoryPrice["report_period"];
}

/** What a reader may compare a line with, by the basis of its price. */
const implications = {
  live: "Packers' purchases on live weight: compare with a bid on live weight and the same delivery, not with an auction price.",
  dressed:
    "Packers' purchases on carcass weight: divide by the dressing percentage before comparing with a live bid.",
  cutout:
    "Value of the cuts of a carcass, not a price of cattle: compare with the same grade and carcass weight of another day.",
  unstated:
    "The line does not say whether the price is of live or carcass weight: read it in the report before comparing.",
} as const;

/** Head by which the confidence of a cutout counts: its volume is of loads, and every packer above a size reports it. */
const cutoutHead = 100;

function evidenceFor(row: MandatoryRecord["row"], of: ReportRow, context: AnswerContext): Evidence {
  const {price_basis_live: basis, head_count: head, price_avg: price} = row;
  const counted = price === null ? 0 : basis === "cutout" ? cutoutHead : (head ?? 0);
  const isThin = price !== null && head !== null && counted < thinHead;
  return evidenceOf(context, {
    id: row.evidence_id,
    kind: price === null ? "no_price" : "observed_price",
    claim: claimOf(row),
    entities: [
      `line:${row.line_id}`,
      `report:${of.report_slug ?? slug(of.key.split("/")[0]!)}@${row.report_date}`,
      ...row.region_states.map((state) => `state:${state}`),
    ],
    sources: ["ams-lmr-datamart", ...(row.change_week === null ? [] : ["derived-aggregates"])],
    sourceDate: row.report_date,
    ingestedAt: of.ingested_at,
    verifiedAt: null,
    transformation: {
      method: "verbatim",
      rules: ["mandatory"],
      inputs: [of.source_path],
      parameters: {section: row.section, compared_with: row.change_week_from},
    },
    confidence: priceConfidence({
      ...{
        recency: recencyPercent(row.age_days) / 100,
        head: counted,
        coverage: 1,
        agreement: 0.9,
        thin: isThin,
      },
    }),
    limitations: isThin ? [limitations.L04, limitations.L01] : [limitations.L01],
    implication: implications[basis ?? "unstated"],
    contradictions: null,
    changeStatus: row.change_status,
  });
}

function claimOf(row: MandatoryPrice): string {
  const {price_avg, price_low, price_high, head_count, change_week, delivery_printed: delivery} = row;
  const basis =
    row.price_basis_live === null
      ? ""
      : {live: "live weight", dressed: "carcass weight", cutout: "carcass value"}[row.price_basis_live];
  const kind = [
    row.class_printed?.toLowerCase(),
    row.grade_printed?.toLowerCase(),
    basis,
    delivery === "fob" ? "FOB" : delivery,
  ];
  const line = `${row.report_title.replace(" (PDF)", "")} of ${row.report_date}, ${row.section}: ${kind.filter(Boolean).join(", ")}`;
  if (price_avg === null)
    return `${line}: no price is published, because nothing was traded or it is withheld.`;
  const range =
    price_low === null || price_high === null
      ? ""
      : ` (${moneyWords(price_low)} to ${moneyWords(price_high)})`;
  const weight = row.avg_weight_lb === null ? "" : ` of ${row.avg_weight_lb} lb on average`;
  const head = head_count === null ? "" : `, ${headWords(head_count, "per_cwt")}${weight}`;
  const change =
    change_week === null
      ? ""
      : `; ${moneyWords(Math.abs(change_week))} ${change_week < 0 ? "lower" : "higher"} than on ${row.change_week_from}`;
  return `${line}, at ${priceWords(price_avg, "per_cwt")}${range}${head}${change}.`;
}
