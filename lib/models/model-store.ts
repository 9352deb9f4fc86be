import {rm} from "node:fs/promises";
import {join} from "node:path";
import {appendRows, createTable, type TableColumn} from "../sql/append-rows.ts";
import {type Database, sqlName} from "../sql/duckdb.ts";
import {copySql, parquetRelation} from "../sql/sql-path.ts";
import {appendTypes} from "./append-types.ts";
import {type AnyModel, columnTypes, type Rows, type WrittenTo} from "./model.ts";

type Options = {
  /** True to make all tables visible to those who open the database later, and to drop nothing. */
  readonly keep: boolean;
  /** Where models that are files are written; without it they are tables. */
  readonly folder: string | undefined;
};

const fileOptions = ["FORMAT parquet, COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 4000"];

/** Creates and drops the tables, views and files of models. */
export class ModelStore {
  private readonly db: Database;
  private readonly keep: boolean;
  private readonly folder: string | undefined;

  constructor(db: Database, {keep, folder}: Options) {
    this.db = db;
    this.keep = keep;
    this.folder = keep ? undefined : folder;
  }

  /** Creates the table of rows of TypeScript and returns their number. */
  async createRows(model: AnyModel, rows: Rows): Promise<number> {
    const columns = appendedColumns(model);
    await createTable(this.db, model.name, columns);
    return appendRows(this.db, model.name, columns, rows);
  }

  /**
   * Creates the table, view or file of a query and returns its number of rows, 0 for a view. `inView`: a view reads it; `to`: the place of a
   * file that outlives the run.
   */
  async createQuery(
    model: AnyModel,
    sql: string,
    {inView, to}: {inView: boolean; to: WrittenTo | undefined},
  ): Promise<number> {
    const {name, materialise, enums = []} = model;
    if (this.isFile(model)) return this.writtenFile(model, sql, to);
    const create = `CREATE ${this.isTemporary(model) ? "TEMP " : ""}`;
    if (materialise === "view") return this.db.run(`${create}VIEW ${sqlName(name)} AS ${sql}`);
    const coded = await this.makeEnums(name, sql, {texts: enums, inView});
    const select = coded.length === 0 ? sql : `SELECT * REPLACE (${coded.join(", ")}) FROM (${sql})`;
    return this.db.run(`${create}TABLE ${sqlName(name)} AS ${select}`);
  }

  /** Drops models in one statement, because each call costs more than its statement. */
  async drop(models: readonly AnyModel[]): Promise<void> {
    if (models.length === 0) return;
    const kind = (model: AnyModel) => (isView(model) || this.isFile(model) ? "VIEW" : "TABLE");
    await this.db.run(models.map((model) => `DROP ${kind(model)} ${sqlName(model.name)}`).join("; "));
    for (const model of models)
      if (this.isFile(model) && model.writtenTo === undefined) await rm(this.pathOf(model));
  }

  /** True for a model that is written to a file. */
  isFile({materialise, sql, writtenTo}: AnyModel): boolean {
    return (
      materialise === "file" && sql !== undefined && (this.folder !== undefined || writtenTo !== undefined)
    );
  }

  /** True for a model that this connection alone sees. */
  private isTemporary(model: AnyModel): boolean {
    if (this.keep || model.sql === undefined) return false;
    return (
      model.materialise === "temp" || (isView(model) && model.reads.some((read) => this.isTemporary(read)))
    );
  }

  private async writtenFile(model: AnyModel, sql: string, to: WrittenTo | undefined): Promise<number> {
    const {name, columns, derived = {}} = model;
    const {path, options} = to ?? {path: this.pathOf(model), options: fileOptions};
    const names = columnTypes(columns).map((column) => column.name);
    const stored = names.filter((column) => derived[column] === undefined).map(sqlName);
    const read = names.map((column) => `${derived[column] ?? sqlName(column)} AS ${sqlName(column)}`);
    const rows = await this.db.run(copySql(`SELECT ${stored.join(", ")} FROM (${sql})`, path, ...options));
    const relation =
      to === undefined ? parquetRelation(path) : parquetRelation(path, "file_row_number = true");
    if (to !== undefined) read.push("file_row_number AS rowid");
    await this.db.run(`CREATE VIEW ${sqlName(name)} AS SELECT ${read.join(", ")} FROM ${relation}`);
    return rows;
  }

  private pathOf({name}: AnyModel): string {
    return join(this.folder!, `${name}.parquet`);
  }

  /** Makes a type for each text, with its sorted values, so that dictionaries of files are reproducible; returns the casts. */
  private async makeEnums(
    name: string,
    sql: string,
    {texts, inView}: {texts: readonly string[]; inView: boolean},
  ): Promise<string[]> {
    if (texts.length === 0) return [];
    // A view cannot have an ENUM without a value.
    const filled = inView ? await this.filledOf(texts, sql) : texts;
    for (const text of filled)
      await this.db.run(`CREATE TYPE ${name}_${text} AS ENUM (
        SELECT DISTINCT ${text} FROM (${sql}) WHERE ${text} IS NOT NULL ORDER BY ${text})`);
    return filled.map((text) => `${text}::${name}_${text} AS ${text}`);
  }

  private async filledOf(texts: readonly string[], sql: string): Promise<string[]> {
    const counts = texts.map((text) => `count(${text})::DOUBLE AS ${text}`).join(", ");
    const [counted] = await this.db.rows<Record<string, number>>(`SELECT ${counts} FROM (${sql})`);
    return texts.filter((text) => counted![text]! > 0);
  }
}

/** True for a model whose query is stored, not its rows. */
export function isView({materialise, sql}: AnyModel): boolean {
  return materialise === "view" && sql !== undefined;
}

/** The columns of a model that rows of TypeScript fill. */
export function appendedColumns({columns}: AnyModel): TableColumn[] {
  return columnTypes(columns).map(({name, type}) => {
    const append = appendTypes[type];
    if (append === undefined)
      throw new Error(`rows have no column ${name} of type ${type}: cast it in a model that reads them.`);
    return {name, type: append};
  });
}
