import {type EvidenceRow, evidenceColumns} from "../../../lib/market/evidence-row.ts";
import {type Database, sqlText} from "../../../lib/sql/duckdb.ts";
import type {PriceRecord} from "../../../schemas/market-fields/price.ts";
import {streamRowsAsJson} from "./aggregates.ts";
import {priceFiles} from "./drafts.ts";

/** Streams the rows of each piece of evidence, ordered by its id, with the columns that their kind has. */
export async function* evidenceGroups(db: Database, record: PriceRecord): AsyncGenerator<EvidenceRow[]> {
  const names = evidenceColumns.map(sqlText).join(", ");
  const order = record === "latest" ? "evidence_id, row_ordinal" : "evidence_id";
  const sql = `SELECT COLUMNS(name -> name IN (${names})) FROM ${priceFiles[record]} ORDER BY ${order}`;
  let group: EvidenceRow[] = [];
  for await (const row of streamRowsAsJson<EvidenceRow>(db, sql)) {
    if (group.length > 0 && group[0]!.evidence_id !== row.evidence_id) {
      yield group;
      group = [];
    }
    group.push(row);
  }
  if (group.length > 0) yield group;
}
