import type {RawReportHeader, RawReportRow} from "@open-cattle/usda-reports";
import type {ModelRun, OpenModel} from "../../../lib/models/model-run.ts";
import {cleanTextSql} from "../../../lib/sql/clean-text-sql.ts";
import {cleanTexts} from "../../../lib/text/clean-text.ts";
import {forgetKeys, keyedRowsSql, registerIsNewKey} from "./row-keys.ts";
import {raw_files, raw_headers, report_list, row_batch, staged_rows} from "./staged-models.ts";

/** A file whose rows are staged. */
export type StagedFile = {
  readonly file_no: number;
  readonly path: string;
  readonly source_id: string;
  readonly retrieved_at: Date;
  readonly verified_at: Date | null;
  /** True for a table whose rows were staged in SQL. */
  readonly is_export: boolean;
  /** What the file lacks if it has fewer rows than it states. */
  readonly partial_detail: string | null;
};

/** An entry of the publisher's list of reports: the columns of `report_list`. */
export type ListedReport = Readonly<Record<string, unknown>>;

/** The models to which the readers of price reports append, open until all files are read. */
export class Staging {
  readonly run: ModelRun;
  private readonly rows: OpenModel;
  private readonly headers: OpenModel;

  private constructor(run: ModelRun, rows: OpenModel, headers: OpenModel) {
    this.run = run;
    this.rows = rows;
    this.headers = headers;
  }

  static async open(run: ModelRun): Promise<Staging> {
    registerIsNewKey(run.db);
    return new Staging(run, await run.open(staged_rows), await run.open(raw_headers));
  }

  /** Stages the rows of a relation, in its order, and returns their number; it must have `file_no` and all columns of a row. */
  async stageRows(relation: string): Promise<number> {
    forgetKeys(this.run.db);
    return this.rows.appendSql(keyedRowsSql(relation));
  }

  /** Stages the headers that a query gives, by the names of their columns, `texts` among them. */
  async stageHeaders(select: string, texts: readonly string[]): Promise<void> {
    const cleaned = texts.map((name) => `${cleanTextSql(name)} AS ${name}`);
    await this.headers.appendSql(`SELECT * REPLACE (${cleaned.join(", ")}) FROM (${select})`);
  }

  /** Stages rows and headers that TypeScript read; each carries its file number. */
  async stageRead(rows: readonly RawReportRow[], headers: readonly RawReportHeader[]): Promise<void> {
    await this.headers.append(headers.map(cleanTexts));
    const batch = await this.run.open(row_batch);
    await batch.append(rows);
    await this.stageRows(row_batch.name);
    await batch.discard();
  }

  /** Ends the reading: what is staged is what the models of rows and issues read. */
  async close(files: readonly StagedFile[], listed: readonly ListedReport[]): Promise<void> {
    await this.rows.close();
    await this.headers.close();
    await this.run.giveRows(raw_files, files);
    await this.run.giveRows(report_list, listed.map(cleanTexts));
  }
}
