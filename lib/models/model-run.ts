import type {MadeModel} from "../../schemas/model-report.ts";
import {appendQuery, appendRows, createTable, type TableColumn} from "../sql/append-rows.ts";
import {type Database, sqlName} from "../sql/duckdb.ts";
import {SqlError} from "../sql/sql-error.ts";
import {appendTypes} from "./append-types.ts";
import {type AnyModel, columnTypes, type Model, type Rows, type Run, type Value} from "./model.ts";
import {inOrder, kindOf, readersOf} from "./model-graph.ts";

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
  /** What the run will make in all, and what is read from outside afterwards; without it nothing is dropped. */
  readonly outputs?: readonly AnyModel[];
  /** True to drop nothing, and to make all tables visible to those who open the database later. */
  readonly keep?: boolean;
};

/**
 * Makes models in one database: each after those that it reads, once, timed and counted; and drops each when all its readers are
 * made. Nothing else in a room of models creates, changes or drops a table.
 */
export class ModelRun implements Run {
  readonly db: Database;
  readonly made: MadeModel[] = [];
  private readonly keep: boolean;
  private readonly outputs: ReadonlySet<AnyModel>;
  private readonly readers: ReadonlyMap<string, readonly AnyModel[]>;
  private readonly present = new Map<string, AnyModel>();
  private readonly views = new Set<string>();
  private readonly sizes = new Map<string, number>();
  private readonly finished = new Set<AnyModel>();
  private readonly values = new Map<Value<unknown>, unknown>();
  private heldBytes = 0;

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
    const made = new Map(this.made.map((model) => [model.name, model]));
    return inOrder([...this.outputs]).flatMap((model) => made.get(model.name) ?? []);
  }

  /** The number of rows of a model that was made, also of one that was dropped since. */
  async count({name}: AnyModel): Promise<number> {
    const made = this.made.find((one) => one.name === name);
    if (made !== undefined && made.rows !== null) return made.rows;
    const [counted] = await this.db.rows<{n: number}>(`SELECT count(*)::DOUBLE AS n FROM ${sqlName(name)}`);
    return counted!.n;
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
    const {name, reads} = model;
    const before = performance.now();
    const sql =
      (await model.sql?.(Object.fromEntries(reads.map((read) => [read.name, read.name])), this)) ?? null;
    const rows = await this.naming(model, () => this.created(model, sql));
    this.present.set(name, as);
    await model.check?.(this);
    const isView = this.views.has(name);
    const seconds = (performance.now() - before) / 1000;
    await this.note(as, {rows: isView ? null : rows, seconds, sql});
    if (!isView) this.finished.add(as);
    for (const read of reads) await this.dropIfUnread(read);
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
    {rows, seconds, sql}: Pick<MadeModel, "rows" | "seconds" | "sql">,
  ): Promise<void> {
    const bytes = rows === null || this.keep ? null : await this.grownBytes(model.name);
    this.made.push({...declaredFacts(model), rows, seconds, bytes, sql});
  }

  /** Creates the view or table of a model and returns its number of rows. */
  private async created(model: AnyModel, sql: string | null): Promise<number> {
    const {name, materialise, enums = [], rows} = model;
    if (sql === null) {
      if (rows === undefined) throw new Error("it is an input, and its rows were not given.");
      const columns = appendedColumns(model);
      const values = await rows(this);
      await createTable(this.db, name, columns);
      return appendRows(this.db, name, columns, values);
    }
    const stored = `CREATE ${materialise === "table" || this.keep ? "" : "TEMP "}`;
    if (materialise === "view") {
      this.views.add(name);
      return this.db.run(`${stored}VIEW ${sqlName(name)} AS ${sql}`);
    }
    const coded = await this.makeEnums(name, sql, enums);
    const select = coded.length === 0 ? sql : `SELECT * REPLACE (${coded.join(", ")}) FROM (${sql})`;
    return this.db.run(`${stored}TABLE ${sqlName(name)} AS ${select}`);
  }

  /** Makes a type for each text, with its sorted values, so that dictionaries of files are reproducible; returns the casts. */
  private async makeEnums(name: string, sql: string, texts: readonly string[]): Promise<string[]> {
    if (texts.length === 0) return [];
    // A view cannot have an ENUM without a value.
    const inView = this.readers.get(name)?.some(({materialise}) => materialise === "view") ?? true;
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

  /** Drops a planned model that no reader needs any more; a view needs its reads for as long as it stands. */
  private async dropIfUnread(model: AnyModel): Promise<void> {
    const readers = this.readers.get(model.name);
    if (this.keep || readers === undefined || this.outputs.has(model)) return;
    if (!this.present.has(model.name) || !readers.every((reader) => this.finished.has(reader))) return;
    await this.drop(model);
  }

  private async drop(model: AnyModel): Promise<void> {
    if (this.keep || !this.present.delete(model.name)) return;
    const isView = this.views.delete(model.name);
    await this.db.run(`DROP ${isView ? "VIEW" : "TABLE"} ${sqlName(model.name)}`);
    this.heldBytes -= this.sizes.get(model.name) ?? 0;
    this.finished.add(model);
    if (isView) for (const read of model.reads) await this.dropIfUnread(read);
  }
}

/** What the declaration of a model tells of it. */
function declaredFacts(model: AnyModel): Pick<MadeModel, "name" | "file" | "kind" | "reads"> {
  const {name, file, reads} = model;
  return {name, file, kind: kindOf(model), reads: reads.map((read) => read.name)};
}

/** The columns of a model that rows of TypeScript fill. */
function appendedColumns({columns}: AnyModel): TableColumn[] {
  return columnTypes(columns).map(({name, type}) => {
    const append = appendTypes[type];
    if (append === undefined)
      throw new Error(`rows have no column ${name} of type ${type}: cast it in a model that reads them.`);
    return {name, type: append};
  });
}
