import {readFileSync} from "node:fs";
import {join} from "node:path";
import {z} from "zod";
import {ConfigError} from "../../../lib/errors.ts";
import {referenceDir} from "../../../lib/paths.ts";
import {sqlText} from "../../../lib/sql/duckdb.ts";
import {Commodity, PriceUnit} from "../../../schemas/vocabulary/price-row.ts";

const PriceBound = z.strictObject({
  price_unit: PriceUnit,
  commodity: Commodity.nullable().describe("null: every commodity without a bound of its own"),
  min: z.number().positive(),
  max: z.number().positive(),
});
export type PriceBound = z.infer<typeof PriceBound>;

const PriceBoundFile = z.strictObject({
  about: z.string(),
  reviewed: z.iso.date(),
  bounds: z.array(PriceBound).min(1),
});

/** The plausible price bounds of `data/reference/price-bounds.json`. Throws a ConfigError that names the offending field. */
export function loadPriceBounds(path?: string): PriceBound[] {
  return readBounds(path).bounds;
}

function readBounds(path: string = join(referenceDir, "price-bounds.json")): z.infer<typeof PriceBoundFile> {
  const parsed = PriceBoundFile.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!parsed.success) throw new ConfigError(`${path}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** SQL: lower or upper bound by `price_unit` and `commodity` of a row. */
export function boundSql(bounds: readonly PriceBound[], end: "min" | "max"): string {
  const exactFirst = bounds.toSorted((a, b) => Number(a.commodity === null) - Number(b.commodity === null));
  const cases = exactFirst.map((bound) => {
    const commodity = bound.commodity === null ? "" : ` AND commodity = ${sqlText(bound.commodity)}`;
    return `WHEN price_unit = ${sqlText(bound.price_unit)}${commodity} THEN ${bound[end]}`;
  });
  return `CASE ${cases.join(" ")} END`;
}
