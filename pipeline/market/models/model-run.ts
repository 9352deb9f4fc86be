import {appendRows, createTable} from "../../../lib/sql/append-rows.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import type {MadeModel} from "../../../schemas/model-report.ts";
import {appendTypes} from "./append-types.ts";
import {
  type AnyModel,
  columnTypes,
  type Materialise,
  type Model,
  type Rows,
  type Run,
  type Value,
} from "./model.ts";
import {inOrder, kindOf, readersOf} from "./model-graph.ts";

type RunOptions = {
  /** What the run will make in all, and what is read from outside afterwards; without it nothing is dropped. */
  readonly outputs?: readonly AnyModel[];
  /** True to drop nothing, and to make all tables visible to those who open the database later. */
  readonly keep?: boolean;
};

/**
 * Makes models in one database: each after those that it reads, once, timed and counted; and drops each when all its readers are
 * made. Nothing else in the market creates, changes or drops a table.
 */
export class ModelRun implements Run {
  readonly db: Database;
  readonly made: MadeModel[] = [];
  private readonly keep: boolean;
  private readonly outputs: ReadonlySet<AnyModel>;
  private readonly readers: ReadonlyMap<string, readonly AnyModel[]>;
  private readonly present = new Map<string, AnyModel>();
  private readonly adopted = new Set<AnyModel>();
  private readonly finished = new Set<AnyModel>();
  private readonly values = new Map<Value<unknown>, unknown>();

  constructor(db: Database, {outputs = [], keep = false}: RunOptions = {}) {
    this.db = db;
    this.keep = keep;
    this.outputs = new Set(outputs);
    this.readers = readersOf(inOrder(outputs));
  }

  /** Gives a value that models ask for. */
  give<T>(value: Value<T>, given: T): this {
    this.values.set(value, given);
    return this;
  }

  /** A value that was given, or that is computed at the first call. Throws if nobody gave it. */
  async value<T>(value: Value<T>): Promise<T> {
    if (!this.values.has(value)) {
      if (value.compute === undefined) throw new Error(`the run was not given the value ${value.name}.`);
      this.values.set(value, await value.compute(this));
    }
    return this.values.get(value) as T;
  }

  /** Makes a model of the given rows instead of its SQL, as an input or for a test. */
  async giveRows<Row>(model: Model<Row>, rows: Rows): Promise<void> {
    await this.makeOne({...model, sql: undefined, rows: () => rows} as unknown as AnyModel, model);
  }

  /** Takes a table of the same name, which is there already, as the model; who made it drops it. */
  adopt(...models: readonly AnyModel[]): this {
    for (const model of models) {
      this.present.set(model.name, model);
      this.adopted.add(model);
    }
    return this;
  }

  /** Makes the models and all that they read, unless they are made. Throws the error of the database with the model's name. */
  async make(...targets: readonly AnyModel[]): Promise<void> {
    for (const model of this.missing(targets)) await this.makeOne(model);
  }

  async rows<Row>(model: Model<Row>, more = ""): Promise<Row[]> {
    return this.db.rows<Row>(`FROM ${sqlName(model.name)} ${more}`);
  }

  /** The models of the plan, each after those that it reads, as they were made. */
  report(): MadeModel[] {
    const made = new Map(this.made.map((model) => [model.name, model]));
    return inOrder([...this.outputs]).map((model) => made.get(model.name) ?? adoptedModel(model));
  }

  /** Drops an output that was read for the last time. */
  async release(model: AnyModel): Promise<void> {
    await this.drop(model);
  }

  private missing(targets: readonly AnyModel[]): AnyModel[] {
    // What was given or made hides its ancestors: they need not exist.
    const stops = new Set([...this.present.values()]);
    const cut = (model: AnyModel, into: Set<AnyModel>) => {
      if (stops.has(model) || into.has(model)) return;
      for (const read of model.reads) cut(read, into);
      into.add(model);
    };
    inOrder(targets);
    const missing = new Set<AnyModel>();
    for (const target of targets) cut(target, missing);
    return [...missing];
  }

  private async makeOne(model: AnyModel, as: AnyModel = model): Promise<void> {
    const {name, reads, materialise} = model;
    const before = performance.now();
    const memory = this.keep ? 0 : await this.tableBytes();
    const sql =
      (await model.sql?.(Object.fromEntries(reads.map((read) => [read.name, read.name])), this)) ?? null;
    try {
      if (sql !== null) await this.createAs(model, sql);
      else await this.createOfRows(model);
    } catch (fault) {
      // An error for the operator, or with a code, says itself what it is about.
      if (fault instanceof Error && fault.constructor === Error && !("code" in fault))
        fault.message = `model ${name} (${model.file}): ${fault.message}`;
      throw fault;
    }
    this.present.set(name, as);
    await model.check?.(this);
    const isView = sql !== null && materialise === "view";
    this.made.push({
      ...declaredFacts(as),
      rows: isView ? null : await this.count(name),
      seconds: (performance.now() - before) / 1000,
      bytes: isView || this.keep ? null : Math.max(0, (await this.tableBytes()) - memory),
      sql,
    });
    if (!isView) this.finished.add(as);
    for (const read of reads) await this.dropIfUnread(read);
  }

  private async createAs(model: AnyModel, sql: string): Promise<void> {
    const {name, materialise, enums = []} = model;
    if (materialise === "view") {
      await this.db.run(`CREATE ${this.temporary(materialise)}VIEW ${sqlName(name)} AS ${sql}`);
      return;
    }
    const coded = await this.makeEnums(name, sql, enums);
    const select = coded.length === 0 ? sql : `SELECT * REPLACE (${coded.join(", ")}) FROM (${sql})`;
    await this.db.run(`CREATE ${this.temporary(materialise)}TABLE ${sqlName(name)} AS ${select}`);
  }

  /** Makes a type for each text, with its sorted values, so that dictionaries of files are reproducible; returns the casts. */
  private async makeEnums(name: string, sql: string, texts: readonly string[]): Promise<string[]> {
    const casts: string[] = [];
    for (const text of texts) {
      const type = `${name}_${text}`;
      const values = `SELECT DISTINCT ${text} FROM (${sql}) WHERE ${text} IS NOT NULL`;
      // A view cannot have an ENUM without a value.
      if ((await this.db.rows(`${values} LIMIT 1`)).length === 0) continue;
      await this.db.run(`CREATE TYPE ${type} AS ENUM (${values} ORDER BY ${text})`);
      casts.push(`${text}::${type} AS ${text}`);
    }
    return casts;
  }

  private async createOfRows(model: AnyModel): Promise<void> {
    const {name, rows, columns} = model;
    if (rows === undefined) throw new Error("it is an input, and its rows were not given.");
    const typed = columnTypes(columns).map(({name: column, type}) => {
      const append = appendTypes[type];
      if (append === undefined)
        throw new Error(`rows have no column ${column} of type ${type}: cast it in a model that reads them.`);
      return {name: column, type: append};
    });
    const values = await rows(this);
    await createTable(this.db, name, typed);
    await appendRows(this.db, name, typed, values);
  }

  private temporary(materialise: Materialise): string {
    return materialise === "table" || this.keep ? "" : "TEMP ";
  }

  private async count(name: string): Promise<number> {
    const [counted] = await this.db.rows<{n: number}>(`SELECT count(*)::DOUBLE AS n FROM ${sqlName(name)}`);
    return counted!.n;
  }

  private async tableBytes(): Promise<number> {
    const [held] = await this.db.rows<{bytes: number}>(
      "SELECT coalesce(sum(memory_usage_bytes + temporary_storage_bytes), 0)::DOUBLE AS bytes FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'",
    );
    return held!.bytes;
  }

  /** Drops a planned model that no reader needs any more; a view needs its reads for as long as it stands. */
  private async dropIfUnread(model: AnyModel): Promise<void> {
    const readers = this.readers.get(model.name);
    if (this.keep || readers === undefined || this.outputs.has(model) || this.adopted.has(model)) return;
    if (!this.present.has(model.name) || !readers.every((reader) => this.finished.has(reader))) return;
    await this.drop(model);
  }

  private async drop(model: AnyModel): Promise<void> {
    const isView = model.sql !== undefined && model.materialise === "view";
    if (this.keep || !this.present.delete(model.name)) return;
    await this.db.run(`DROP ${isView ? "VIEW" : "TABLE"} ${sqlName(model.name)}`);
    this.finished.add(model);
    if (isView) for (const read of model.reads) await this.dropIfUnread(read);
  }
}

/** What the declaration of a model tells of it. */
function declaredFacts(model: AnyModel): Pick<MadeModel, "name" | "file" | "kind" | "reads"> {
  const {name, file, reads} = model;
  return {name, file, kind: kindOf(model), reads: reads.map((read) => read.name)};
}

/** A model whose table was there already; its maker does not count it. */
function adoptedModel(model: AnyModel): MadeModel {
  return {...declaredFacts(model), rows: null, seconds: 0, bytes: null, sql: null};
}
