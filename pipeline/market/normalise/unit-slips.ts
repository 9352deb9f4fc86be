import {unitSlip} from "../../../lib/market/pricing-rules.ts";
import {model} from "../../../lib/models/model.ts";
import {found_issues} from "./issue-map.ts";
import {measured_rows} from "./measured-rows.ts";
import {known_words} from "./word-map.ts";

const {days, pounds, near, apart} = unitSlip;

/**
 * The rows that are judged and compared with: of at least 220 lb, per cwt or per head. `stated` and `other` are natural logarithms of
 * the price per cwt as the row states its unit, and in the other unit; at one weight they differ as the values per head do.
 */
const judged_rows = model({
  name: "judged_rows",
  reads: [found_issues, known_words, measured_rows],
  columns: {
    BIGINT: "row_no kind_no grade_no heading_no",
    INTEGER: "issue_no w span",
    DOUBLE: "stated other",
    VARCHAR: "commodity sex price_unit",
  },
  sql: () => `
    WITH headings AS (
      SELECT words_no, commodity, CASE WHEN class IN ('heifers', 'cows') THEN 'female' WHEN class IN ('steers', 'bulls') THEN 'male' ELSE class END AS sex, price_unit,
        dense_rank() OVER (ORDER BY commodity, class) AS kind_no,
        dense_rank() OVER (ORDER BY commodity, class, frame, muscle_grade, quality_grade) AS grade_no,
        dense_rank() OVER (ORDER BY commodity, class, frame, muscle_grade, quality_grade, price_unit, weight_basis, region) AS heading_no
      FROM known_words WHERE price_unit IN ('per_cwt', 'per_head')
    ), weighed AS (
      SELECT row_no, issue_no, words_no, price_avg, coalesce(avg_weight_lb, (weight_break_low_lb + weight_break_high_lb + 1) // 2)::INTEGER AS w
      FROM measured_rows WHERE reject_reason IS NULL AND price_avg > 0 AND w >= ${unitSlip.leastWeight}
    )
    SELECT row_no, kind_no, grade_no, heading_no, issue_no, w, price_unit,
      ln(price_avg::DOUBLE * CASE WHEN price_unit = 'per_cwt' THEN 1 ELSE 100 / w END) AS stated,
      ln(price_avg::DOUBLE * CASE WHEN price_unit = 'per_cwt' THEN 100 / w ELSE 1 END) AS other,
      ((report_end_date - DATE '1970-01-01') // ${days})::INTEGER AS span, commodity, sex
    FROM weighed JOIN headings USING (words_no) JOIN found_issues USING (issue_no)`,
});

/** SQL: where and when the rows of an issue were sold. */
const ofSale =
  "report_end_date, coalesce(venue_id, report_slug) AS market, state, report_slug || '@' || report_end_date AS sale";

/** The middle of a commodity in a span of 28 days and a hundred of pounds; that of the span alone for fewer than `middleRows` rows. */
const commodity_middles = model({
  name: "commodity_middles",
  reads: [judged_rows],
  columns: {VARCHAR: "commodity", INTEGER: "span hundreds", DOUBLE: "middle"},
  sql: () => `
    WITH spans AS (
      SELECT commodity, span, median(stated) AS middle FROM judged_rows GROUP BY ALL
    )
    SELECT commodity, span, w // 100 AS hundreds, CASE WHEN count(*) >= ${unitSlip.middleRows} THEN median(stated) ELSE any_value(middle) END AS middle
    FROM judged_rows JOIN spans USING (commodity, span) GROUP BY ALL`,
});

/** The middle of a grade in a span and a hundred of pounds, where it has enough rows. */
const grade_middles = model({
  name: "grade_middles",
  reads: [judged_rows],
  columns: {BIGINT: "grade_no", INTEGER: "span hundreds", DOUBLE: "middle"},
  sql: () => `
    SELECT grade_no, span, w // 100 AS hundreds, median(stated) AS middle FROM judged_rows GROUP BY ALL HAVING count(*) >= ${unitSlip.middleRows}`,
});

/** Headings with a row that is nearer to the middle of its grade, else of its commodity, in the other unit: no other row can be a slip. */
const suspect_rows = model({
  name: "suspect_rows",
  reads: [judged_rows, grade_middles, commodity_middles, found_issues],
  columns: {
    BIGINT: "row_no kind_no grade_no heading_no",
    INTEGER: "issue_no w span",
    DOUBLE: "stated other",
    DATE: "report_end_date",
    VARCHAR: "commodity sex price_unit market state sale",
  },
  sql: () => `
    WITH suspects AS (
      SELECT DISTINCT issue_no, heading_no
      FROM (SELECT *, w // 100 AS hundreds FROM judged_rows) JOIN commodity_middles AS c USING (commodity, span, hundreds)
      LEFT JOIN grade_middles AS g USING (grade_no, span, hundreds)
      WHERE abs(other - coalesce(g.middle, c.middle)) < abs(stated - coalesce(g.middle, c.middle))
    )
    SELECT judged_rows.*, ${ofSale} FROM judged_rows SEMI JOIN suspects USING (issue_no, heading_no) JOIN found_issues USING (issue_no)`,
});

/** What suspects are compared with: a price that a report states twice for one heading and weight counts once. */
const judged_prices = model({
  name: "judged_prices",
  reads: [judged_rows, suspect_rows, found_issues],
  columns: {
    BIGINT: "kind_no grade_no heading_no",
    INTEGER: "issue_no w span",
    DOUBLE: "stated",
    DATE: "report_end_date",
    VARCHAR: "commodity sex price_unit market state sale",
  },
  sql: () => `
    SELECT DISTINCT judged_rows.* EXCLUDE (row_no, other), ${ofSale} FROM judged_rows
    SEMI JOIN (SELECT DISTINCT commodity, span - unnest([0, 1]) AS span FROM suspect_rows) USING (commodity, span) JOIN found_issues USING (issue_no)`,
});

/** What decides the references of a row: all rows of one issue, heading and weight have the same, so each is looked up once. */
const lot = "issue_no, heading_no, w";

/** SQL: the lots of rows, with what like cattle are told by. */
const lotsOf = (rows: string) =>
  `SELECT DISTINCT ${lot}, kind_no, grade_no, commodity, sex, price_unit, market, state, sale, span, report_end_date FROM ${rows}`;

/** SQL: the lot `j`, the middle of like cattle `r`, and whether all of them are priced in the other unit. */
const middle =
  "j.issue_no, j.heading_no, j.w, median(r.stated) AS reference, bool_and(r.price_unit <> j.price_unit) AS is_opposed";

/** SQL: rows within 50 lb in the same report for which `joined` holds. */
const inReport = (joined: string) => (rows: string) =>
  `
  SELECT ${middle} FROM (${lotsOf(rows)}) AS j JOIN judged_prices AS r ON r.issue_no = j.issue_no AND ${joined} AND abs(r.w - j.w) <= ${pounds} GROUP BY j.issue_no, j.heading_no, j.w`;

/** SQL: rows alike in the columns in other sales of the last 28 days, within 50 lb or a multiple. Numbers of spans and bands keep the join small. */
const inOtherSales =
  (alike: string, within: number = pounds) =>
  (rows: string) =>
    `
  SELECT ${middle}
  FROM (SELECT * EXCLUDE (span), span - unnest([0, 1]) AS span FROM (SELECT *, w // ${within} + unnest([-1, 0, 1]) AS band FROM (${lotsOf(rows)}))) AS j
  JOIN (SELECT *, w // ${within} AS band FROM judged_prices) AS r USING (${alike}, span, band)
  WHERE r.sale <> j.sale AND abs(r.w - j.w) <= ${within} AND r.report_end_date BETWEEN j.report_end_date - ${days} AND j.report_end_date
  GROUP BY j.issue_no, j.heading_no, j.w`;

/**
 * References in the order in which they are asked: the same class in the report, at the venue and in the state over the last 28 days (of
 * the same grade first), the other sex in the report. A slip is of a heading, so rows under one are no reference for it.
 */
const references = [
  inReport("r.kind_no = j.kind_no AND r.heading_no <> j.heading_no"),
  inOtherSales("grade_no, market"),
  inOtherSales("grade_no, state"),
  inOtherSales("kind_no, market"),
  inOtherSales("kind_no, state"),
  inReport("r.commodity = j.commodity AND r.sex <> j.sex"),
  inOtherSales("grade_no, market", 3 * pounds),
];

/** What like cattle bring, by the first reference that fits the row in one of the two units; one that fits in neither says nothing of it. */
const unit_references = model({
  name: "unit_references",
  reads: [suspect_rows, judged_prices],
  columns: {BIGINT: "row_no", DOUBLE: "reference", BOOLEAN: "is_opposed"},
  sql: () => {
    const steps = references.map((rowsOf, at) => {
      const rows = at === 0 ? "suspect_rows" : `open_${at}`;
      return `fit_${at} AS MATERIALIZED (
        SELECT row_no, reference, is_opposed FROM ${rows} JOIN (${rowsOf(rows)}) USING (${lot}) WHERE least(abs(stated - reference), abs(other - reference)) <= ${near}
      ), open_${at + 1} AS MATERIALIZED (
        FROM ${rows} ANTI JOIN fit_${at} USING (row_no)
      )`;
    });
    return `WITH ${steps.join(", ")} ${references.map((_, at) => `FROM fit_${at}`).join(" UNION ALL ")}`;
  },
});

/**
 * Rows whose price fits like cattle in the other unit alone (`docs/design/market.md` section 2, slips of unit), and all rows of a
 * heading of whose judged rows at least half do. Two headings in two units accuse each other: the one that is further from the middle of
 * its commodity slipped.
 */
export const unit_slips = model({
  name: "unit_slips",
  reads: [suspect_rows, commodity_middles, unit_references, measured_rows],
  columns: {BIGINT: "row_no", VARCHAR: "detail"},
  sql: () => `
    WITH odd_headings AS (
      SELECT issue_no, heading_no, sum(abs(other - middle)::DECIMAL(18, 9)) < sum(abs(stated - middle)::DECIMAL(18, 9)) AS is_odd
      FROM (SELECT *, w // 100 AS hundreds FROM suspect_rows) JOIN commodity_middles USING (commodity, span, hundreds) GROUP BY ALL
    ), judged AS (
      SELECT *, abs(stated - reference) AS off_stated, abs(other - reference) AS off_other,
        coalesce(off_other <= ${near} AND off_stated - off_other >= ${apart} AND (is_odd OR NOT is_opposed), false) AS slips
      FROM suspect_rows LEFT JOIN unit_references USING (row_no) JOIN odd_headings USING (issue_no, heading_no)
    ), headings AS (
      SELECT issue_no, heading_no, 2 * count(*) FILTER (slips) >= greatest(1, count(reference)) AS all_slip FROM judged GROUP BY ALL
    ), slipped AS (
      FROM judged JOIN headings USING (issue_no, heading_no) WHERE slips OR all_slip
    )
    SELECT row_no, price_avg || ' ' || price_unit || coalesce(' is no value of like cattle, which bring ' || round(exp(reference) * w / 100, 2)::DECIMAL(12, 2) || ' a head',
        ' stands under a heading whose unit is wrong') AS detail
    FROM slipped JOIN (SELECT row_no, price_avg FROM measured_rows) USING (row_no)`,
});
