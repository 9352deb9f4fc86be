import type {MadeModel, StateModel} from "../../schemas/model-report.ts";
import {appendQuery, appendRows, createTable} from "../sql/append-rows.ts";
import {type Database, sqlName} from "../sql/duckdb.ts";
import {SqlError} from "../sql/sql-error.ts";
import {type AnyModel, columnTypes, type Model, type Rows, type Run, type Value} from "./model.ts";
import {inOrder, kindOf, readersOf} from "./model-graph.ts";
import {appendedColumns, isView, ModelStore} from "./model-store.ts";

/** A model to which readers append; others may read it once it is closed. */
export type OpenModel = {
  /** Appends rows of TypeScript and returns their number. */
  append(rows: Rows): Promise<number>;
  /** Appends the rows of a query, by the names of its columns, and returns their number. */
  appendSql(select: string): Promise<number>;
  /** Ends the appending: the model is made. */
  close(): Promise<void>;
  /** Drops it, with all rows. */
  discard(): Promise<void>;
};

type RunOptions = {
  /** The models that are read from outside in the end, as `plan` takes them; without them nothing is dropped. */
  readonly outputs?: readonly AnyModel[];
  /** True to drop nothing, and to make all tables visible to those who open the database later. */
  readonly keep?: boolean;
  /** Where models that are files are written; without it they are tables. */
  readonly folder?: string | undefined;
  /** False to measure no memory, which costs as much as a small model. */
  readonly measures?: boolean;
};

/**
 * Makes models in one database: each after those that it reads, once, timed and counted; and drops each when all its readers are
 * made. Nothing else in a room of models creates, changes or drops a table.
 */
export class ModelRun implements Run {
  readonly db: Database;
  readonly made: StateModel[] = [];
  private readonly keep: boolean;
  private readonly store: ModelStore;
  private readonly measures: boolean;
  private outputs: ReadonlySet<AnyModel> = new Set();
  private readers: ReadonlyMap<string, readonly AnyModel[]> = new Map();
  private readonly present = new Map<string, AnyModel>();
  private readonly sizes = new Map<string, number>();
  private readonly finished = new Set<AnyModel>();
  private readonly values = new Map<Value<unknown>, unknown>();
  private heldBytes = 0;

  constructor(db: Database, {outputs = [], keep = false, folder, measures = true}: RunOptions = {}) {
    this.db = db;
    this.keep = keep;
    this.store = new ModelStore(db, {keep, folder});
    this.measures = measures && !keep;
    this.plan(outputs);
  }

  /** Plans the models that are read from outside in the end, and all that they read; again where these depend on what was made before. */
  plan(outputs: readonly AnyModel[]): void {
    this.outputs = new Set(outputs);
    this.readers = readersOf(inOrder(outputs));
  }

  /** Takes a table that a reader of files made as the rows of an input. */
  async adopt(model: AnyModel, {rows, seconds}: {rows: number; seconds: number}): Promise<void> {
    this.present.set(model.name, model);
    this.finished.add(model);
    await this.note(model, {rows, seconds, sql: null});
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
    await this.makeOne(
      {...model, sql: undefined, check: undefined, rows: () => rows} as unknown as AnyModel,
      model,
    );
  }

  /** Makes a model of the given SQL instead of its own, for a test. */
  async giveSql(model: AnyModel, select: string): Promise<void> {
    const given = {...model, reads: [], rows: undefined, check: undefined, sql: () => select};
    await this.makeOne(given as unknown as AnyModel, model);
  }

  /** Makes a model without rows, to which readers append until they close it. */
  async open(model: AnyModel): Promise<OpenModel> {
    const {name} = model;
    const columns = appendedColumns(model);
    await createTable(this.db, name, columns);
    let seconds = 0;
    const timed = async <Made>(steps: () => Promise<Made>) => {
      const before = performance.now();
      const made = await steps();
      seconds += (performance.now() - before) / 1000;
      return made;
    };
    return {
      append: (rows) => timed(() => appendRows(this.db, name, columns, rows)),
      appendSql: (select) => timed(() => appendQuery(this.db, name, select)),
      close: async () => {
        this.present.set(name, model);
        this.finished.add(model);
        await this.note(model, {rows: await this.count(model), seconds, sql: null});
      },
      discard: async () => {
        await this.db.run(`DROP TABLE ${sqlName(name)}`);
      },
    };
  }

  /**
   * Does steps that append to open models, all or nothing: what they appended is taken back if they throw, and if `isKept` says no to
   * what they return.
   */
  async allOrNothing<Made>(
    steps: () => Promise<Made>,
    isKept: (made: Made) => boolean = () => true,
  ): Promise<Made> {
    await this.db.run("BEGIN TRANSACTION");
    let kept = false;
    try {
      const made = await steps();
      kept = isKept(made);
      return made;
    } finally {
      await this.db.run(kept ? "COMMIT" : "ROLLBACK");
    }
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
    const made = new Map(this.made.map(({columns: _, ...model}) => [model.name, model]));
    return inOrder([...this.outputs]).flatMap((model) => made.get(model.name) ?? []);
  }

  /** True for a model that was made or given and is not dropped. */
  has({name}: AnyModel): boolean {
    return this.present.has(name);
  }

  /** The number of rows of a model that was made, also of one that was dropped since. */
  async count({name}: AnyModel): Promise<number> {
    const made = this.made.find((one) => one.name === name);
    if (made !== undefined && made.rows !== null) return made.rows;
    const [counted] = await this.db.rows<{n: number}>(`SELECT count(*)::DOUBLE AS n FROM ${sqlName(name)}`);
    return counted!.n;
  }

  /** Drops outputs that were read for the last time, and all that only they read. */
  async release(...models: readonly AnyModel[]): Promise<void> {
    await this.dropAll(models);
  }

  private missing(targets: readonly AnyModel[]): AnyModel[] {
    // What was given or made hides its ancestors: they need not exist.
    const cut = (model: AnyModel, into: Set<AnyModel>) => {
      if (this.present.has(model.name) || into.has(model)) return;
      for (const read of model.reads) cut(read, into);
      into.add(model);
    };
    inOrder(targets);
    const missing = new Set<AnyModel>();
    for (const target of targets) cut(target, missing);
    return [...missing];
  }

  private async makeOne(model: AnyModel, as: AnyModel = model): Promise<void> {
    const {name, reads} = model;
    const before = performance.now();
    const sql = await this.sqlOf(model);
    const rows = await this.naming(model, () => this.created(model, sql));
    if (rows !== null) this.present.set(name, as);
    await model.check?.(this);
    const seconds = (performance.now() - before) / 1000;
    await this.note(as, {rows: isView(model) ? null : rows, seconds, sql});
    if (!isView(model)) this.finished.add(as);
    await this.dropAll(reads.filter((read) => this.isUnread(read)));
  }

  private async sqlOf({sql, columns, reads, nothingWithout}: AnyModel): Promise<string | null> {
    if (sql === undefined) return null;
    if (nothingWithout !== undefined && (await this.count(nothingWithout)) === 0) {
      const nulls = columnTypes(columns).map(({name, type}) => `NULL::${type} AS ${sqlName(name)}`);
      return `SELECT ${nulls.join(", ")} WHERE false`;
    }
    return sql(Object.fromEntries(reads.map((read) => [read.name, read.name])), this);
  }

  /** Runs steps that make a model; an error of theirs names it. One for the operator, or with a code, says itself what it is about. */
  private async naming<Made>({name, file}: AnyModel, steps: () => Promise<Made>): Promise<Made> {
    try {
      return await steps();
    } catch (fault) {
      if (
        fault instanceof SqlError ||
        (fault instanceof Error && fault.constructor === Error && !("code" in fault))
      )
        fault.message = `model ${name} (${file}): ${fault.message}`;
      throw fault;
    }
  }

  private async note(
    model: AnyModel,
    {rows, seconds, sql}: Pick<StateModel, "rows" | "seconds" | "sql">,
  ): Promise<void> {
    const isInMemory = rows !== null && !this.store.isFile(model);
    const bytes = isInMemory && this.measures ? await this.grownBytes(model.name) : null;
    this.made.push({...declaredFacts(model), rows, seconds, bytes, sql});
  }

  /** Creates the view or table of a model and returns its number of rows; null for files, which are no table. */
  private async created(model: AnyModel, sql: string | null): Promise<number | null> {
    const {name, rows, writes, writtenTo} = model;
    if (sql !== null) {
      const inView = this.readers.get(name)?.some(isView) ?? true;
      return this.store.createQuery(model, sql, {inView, to: await writtenTo?.(this)});
    }
    if (writes !== undefined) {
      await writes(this);
      return null;
    }
    if (rows === undefined) throw new Error("it is an input, and its rows were not given.");
    return this.store.createRows(model, await rows(this));
  }

  /** Memory that a new table took: the growth since the table before, without what was dropped in between. */
  private async grownBytes(name: string): Promise<number> {
    const [held] = await this.db.rows<{bytes: number}>(
      "SELECT coalesce(sum(memory_usage_bytes + temporary_storage_bytes), 0)::DOUBLE AS bytes FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'",
    );
    const grown = Math.max(0, held!.bytes - this.heldBytes);
    this.heldBytes = held!.bytes;
    this.sizes.set(name, grown);
    return grown;
  }

  /** True for a planned model that no reader needs any more; a view needs its reads for as long as it stands. */
  private isUnread(model: AnyModel): boolean {
    const readers = this.readers.get(model.name);
    if (this.keep || readers === undefined || this.outputs.has(model)) return false;
    return this.present.has(model.name) && readers.every((reader) => this.finished.has(reader));
  }

  /** Drops models, and those that only dropped views read, in one statement. */
  private async dropAll(models: readonly AnyModel[]): Promise<void> {
    if (this.keep) return;
    const dropped = new Set(models.filter(({name}) => this.present.has(name)));
    for (const model of dropped) {
      this.present.delete(model.name);
      this.heldBytes -= this.sizes.get(model.name) ?? 0;
      this.finished.add(model);
      if (isView(model)) for (const read of model.reads) if (this.isUnread(read)) dropped.add(read);
    }
    await this.store.drop([...dropped]);
  }
}

/** What the declaration of a model tells of it. */
function declaredFacts(model: AnyModel): Pick<StateModel, "name" | "file" | "kind" | "reads" | "columns"> {
  const {name, file, reads} = model;
  const columns = columnTypes(model.columns).map((column) => column.name);
  return {name, file, kind: kindOf(model), reads: reads.map((read) => read.name), columns};
}
