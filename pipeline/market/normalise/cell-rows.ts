import {model} from "../../../lib/models/model.ts";
import {raw_files} from "../staging/staged-models.ts";
import {measured_rows} from "./measured-rows.ts";
import {mistaken_rows} from "./mistaken-rows.ts";
import {known_words} from "./word-map.ts";

/** SQL: a value as a lower-case slug, empty for null; `>` and `<` become words, so that `>8` and `8` stay distinct. */
function folded(expression: string): string {
  const words = `replace(replace(lower(${expression}), '>', 'over '), '<', 'under ')`;
  return `coalesce(trim(regexp_replace(${words}, '[^a-z0-9]+', '-', 'g'), '-'), '')`;
}

/** SQL condition: only feeders and dairy calves have cells by 50-lb bin. */
const binned = "commodity IN ('feeder_cattle', 'dairy_calves')";

/** SQL: freight counts only for trades with a delivery or a region; an auction price is at its own yard. */
const tradeFreight = "CASE WHEN coalesce(delivery, region) IS NOT NULL THEN freight END";

/** SQL: the text of a comment counts only where no descriptor of ours says it. */
const otherText = "CASE WHEN list_contains(lot_descriptors, 'other') THEN lot_description END";

/**
 * SQL: the slugs of all parts of a cell; rows of one cell agree in every part. Age, stage and calf weight count wherever they
 * are printed.
 */
const parts = {
  kind: `${folded("replace(commodity, '_cattle', '')")}`,
  class_part: folded("class"),
  frame_part: `CASE frame WHEN 'small' THEN 's' WHEN 'medium' THEN 'm' WHEN 'medium_and_large' THEN 'ml' WHEN 'large' THEN 'l' ELSE ${folded("frame")} END`,
  muscle_part: folded("muscle_grade"),
  quality_part: folded("quality_grade"),
  dressing_part: folded("dressing"),
  bin_part: `CASE WHEN NOT ${binned} THEN '' ELSE coalesce(printf('%04d-%04d', bin_low, bin_low + 49), 'noweight') END`,
  age_part: folded("age_class"),
  stage_part: folded("pregnancy_stage"),
  calf_part: folded("offspring_weight"),
  unit_part: "replace(price_unit, 'per_', '')",
  // Forward months, FOB, delivered and regions must never share one price.
  delivery_part: folded("delivery"),
  freight_part: folded("freight"),
  // Printed reports append the states to a region; the service does not.
  region_part: folded("regexp_replace(region, '\\s*\\([^)]*\\)\\s*$', '')"),
  lots_part: "replace(array_to_string(lot_descriptors, '--'), '_', '-')",
  text_part: `left(${folded("lot_description")}, 40)`,
};
const partColumns = Object.entries(parts).map(([name, sql]) => `${sql} AS ${name}`);
const partNames = Object.keys(parts).join(", ");

/** SQL: the stable slug of a cell without its lot descriptors, such as `feeder-steers-ml1-0750-0799-cwt`. */
const baseCell = `concat_ws('-', kind, class_part, nullif(frame_part || muscle_part, ''), nullif(quality_part, ''), nullif(dressing_part, ''),
  nullif(bin_part, ''), 'age' || nullif(age_part, ''), nullif(stage_part, ''), 'calf' || nullif(calf_part, ''), unit_part,
  nullif(delivery_part, ''), nullif(freight_part, ''), nullif(region_part, ''))`;

/**
 * SQL: cells that a request without filters returns (`docs/design/market.md` section 9): plain lots of a few well-known kinds.
 */
const headline = `coalesce(len(lot_descriptors) = 0 AND delivery IS NULL AND region IS NULL AND (
  (age_class IS NULL AND pregnancy_stage IS NULL AND (
    (commodity = 'feeder_cattle' AND class IN ('steers', 'heifers') AND frame = 'medium_and_large'
      AND muscle_grade = '1' AND bin_low IN (500, 750) AND price_unit = 'per_cwt')
    OR (commodity = 'slaughter_cattle' AND price_unit = 'per_cwt' AND dressing = 'average'
      AND ((class = 'cows' AND quality_grade = 'boner') OR class = 'bulls'))))
  OR (commodity = 'replacement_cattle' AND class IN ('bred_cows', 'cow_calf_pairs') AND price_unit <> 'per_cwt')),
  false)`;

/** Columns that describe a cell in records; where its rows are worded differently, the alphabetically first wording. */
const factNames = [
  "commodity",
  "class",
  "frame",
  "muscle_grade",
  "quality_grade",
  "dressing",
  "age_class",
  "pregnancy_stage",
  "offspring_weight",
  "weight_bin",
  "lot_descriptors",
  "lot_description",
  "price_unit",
  "delivery",
  "freight",
  "region",
] as const;

/** SQL: reject reasons that concern a row's numbers, so that its cell is still known. */
export const rejectedForNumbers =
  "'no_price', 'implausible_head', 'price_order', 'weight_order', 'implausible_price', 'implausible_unit'";

/** Columns that describe a cell; equal in every row of it. */
export const cellColumns = `cell_id, ${factNames.join(", ")}, headline`;

const cellFacts = {
  VARCHAR:
    "cell_id base_cell commodity class frame muscle_grade quality_grade dressing age_class pregnancy_stage offspring_weight weight_bin lot_description price_unit delivery freight region",
  "VARCHAR[]": "lot_descriptors",
} as const;

const keyColumns = {
  VARCHAR: `${cellFacts.VARCHAR} cell_parts`,
  "VARCHAR[]": cellFacts["VARCHAR[]"],
  INTEGER: "words_no bin_low cell_no kind_no grade_no",
  BIGINT: "row_count",
  BOOLEAN: "headline binned weight_estimated",
} as const;

/**
 * The cell of each kind of row, its words and its weight bin. Joining rows by these two numbers avoids building and comparing a
 * text per row. Here, cells with different parts may have one id.
 */
const all_cell_keys = model({
  name: "all_cell_keys",
  reads: [measured_rows, mistaken_rows, known_words],
  columns: keyColumns,
  sql: () => `
    WITH kinds AS (
      SELECT words_no, weight_bin_low_lb AS bin_low, count(*) FILTER (reason IS NULL) AS row_count
      FROM (SELECT words_no, weight_bin_low_lb, coalesce(m.reason, reject_reason) AS reason FROM measured_rows LEFT JOIN mistaken_rows AS m USING (row_no))
      WHERE reason IS NULL OR reason IN (${rejectedForNumbers}) GROUP BY ALL
    ), split AS (
      SELECT *, ${partColumns.join(", ")}, CASE WHEN ${binned} THEN bin_low || '-' || (bin_low + 49) END AS weight_bin FROM kinds JOIN (SELECT * REPLACE (${tradeFreight} AS freight, ${otherText} AS lot_description) FROM known_words) USING (words_no)
    )
    SELECT words_no, bin_low, row_count, ${factNames.join(", ")},
      ${headline} AS headline, ${binned} AS binned, weight_basis = 'estimated' AS weight_estimated, ${baseCell} AS base_cell,
      base_cell || coalesce('--' || nullif(lots_part, ''), '') || coalesce('-' || nullif(text_part, ''), '') AS cell_id,
      row(${partNames})::VARCHAR AS cell_parts, dense_rank() OVER (ORDER BY cell_id)::INTEGER AS cell_no,
      dense_rank() OVER (ORDER BY commodity, class, bin_low)::INTEGER AS kind_no,
      dense_rank() OVER (ORDER BY commodity, class, price_unit, frame, muscle_grade, quality_grade)::INTEGER AS grade_no
    FROM split`,
});

/** Of cells with the same id, all but the largest. */
const colliding_cells = model({
  name: "colliding_cells",
  reads: [all_cell_keys],
  columns: {VARCHAR: "cell_id cell_parts kept_parts"},
  sql: () => `
    SELECT cell_id, cell_parts, first_value(cell_parts) OVER same AS kept_parts
    FROM (SELECT cell_id, cell_parts, sum(row_count) AS row_count FROM all_cell_keys GROUP BY ALL)
    WINDOW same AS (PARTITION BY cell_id ORDER BY row_count DESC, cell_parts)
    QUALIFY cell_parts <> kept_parts`,
});

/** The rows of these cells, each with the cell, the row and its file, and the first row of the cell that keeps the id; no other record suffers. */
export const colliding_rows = model({
  name: "colliding_rows",
  reads: [measured_rows, mistaken_rows, all_cell_keys, colliding_cells, raw_files],
  columns: {BIGINT: "row_no", VARCHAR: "detail"},
  sql: () => `
  WITH placed AS (
    SELECT c.row_no, k.cell_id, k.cell_parts, f.path || ' row ' || c.row_ordinal AS place
    FROM measured_rows AS c JOIN all_cell_keys AS k ON k.words_no = c.words_no AND k.bin_low IS NOT DISTINCT FROM c.weight_bin_low_lb
    JOIN raw_files AS f USING (file_no) ANTI JOIN mistaken_rows USING (row_no) WHERE c.reject_reason IS NULL AND k.cell_id IN (SELECT cell_id FROM colliding_cells)
  ), first_rows AS (
    SELECT cell_id, cell_parts, arg_min(place, row_no) AS first_place FROM placed GROUP BY ALL
  )
  SELECT row_no, 'cell ' || cell_id || ': ' || place || ' and ' || first_place || ' differ in their words' AS detail
  FROM placed JOIN colliding_cells USING (cell_id, cell_parts) JOIN first_rows ON first_rows.cell_id = placed.cell_id AND first_rows.cell_parts = kept_parts`,
});

/** The cell of each kind of row; an id is one cell. */
export const cell_keys = model({
  name: "cell_keys",
  reads: [all_cell_keys, colliding_cells],
  columns: keyColumns,
  sql: () => "FROM all_cell_keys ANTI JOIN colliding_cells USING (cell_id, cell_parts)",
});

/** The facts of each cell. */
export const cells = model({
  name: "cells",
  reads: [cell_keys],
  columns: {...cellFacts, INTEGER: "cell_no", BOOLEAN: "headline"},
  sql: () => `
    SELECT cell_no, cell_id, base_cell, ${factNames.map((name) => `min(${name}) AS ${name}`).join(", ")}, bool_or(headline) AS headline
    FROM cell_keys WHERE row_count > 0 GROUP BY cell_no, cell_id, base_cell`,
});
