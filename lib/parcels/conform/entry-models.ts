import {column, type DescribedColumn, parquetTypes} from "../../../schemas/vocabulary/described-file.ts";
import {asOfDate} from "../../models/build-facts.ts";
import {type AnyModel, type Materialise, model, type Rows, type Run, value} from "../../models/model.ts";
import {ModelRun} from "../../models/model-run.ts";
import {type Database, sqlName} from "../../sql/duckdb.ts";
import {cellColumns, cellsSql, countyRows, stagedColumns, theirsSql} from "./cells-table.ts";
import {type ConformEntry, joinNames, mainNames} from "./column-references.ts";
import {boxRows, conformedColumns, conformedExtras, conformedSql, derivedColumns} from "./conformed-table.ts";
import {borrowUdf, ensureMacros} from "./functions.ts";
import {shapesSql} from "./id-sql.ts";
import {
  joinCountsSql,
  joinedColumns,
  joinedSql,
  keyedColumns,
  keyedSql,
  outcomesOf,
  singleSql,
} from "./join-table.ts";
import {mappedColumns, mappedSql} from "./mapped-table.ts";
import {answersSql, numberedSql, oddSql, type Parse, parsesOf, questionsSql} from "./parses.ts";
import {type EntrySources, type JoinedRows, tableOf} from "./staged-table.ts";

/** The models over the staged rows of an entry. */
export type EntryModels = {
  /** One row per source row, with the reason in `_reject` for rejected ones. It decides nothing between rows. */
  readonly conformed: AnyModel;
  /** One for each joined table: by file, its rows in all, alone, without a key and with a repeated key. */
  readonly joinCounts: readonly AnyModel[];
  /** The staged tables, which readers fill. */
  readonly staged: readonly AnyModel[];
  /** Gives a run the functions that read what SQL cannot, until `end`. */
  lend(run: ModelRun): Promise<{end(): void}>;
};

type Request = {
  /** Name of the conformed table, with which the names of all models begin. */
  readonly into: string;
  readonly sources: EntrySources;
  /** True for the files of a build, false for the few rows of a county's reply. */
  readonly isBuild: boolean;
};

/**
 * The models that conform the staged rows of an entry, in the same way for a county's file in a build and a county's reply in the server:
 * cells, those of joined tables, mapped columns, the answers to questions that SQL cannot read, each asked once, and the conformed rows.
 * Throws a `ConfigError` for an entry that cannot be applied.
 */
export function entryModels(entry: ConformEntry, {into, sources, isBuild}: Request): EntryModels {
  const name = (part: string) => `${into}_${part}`;
  const made = (
    part: string,
    reads: readonly AnyModel[],
    columns: readonly DescribedColumn[],
    sql: (run: Run) => string | Promise<string>,
    materialise: Materialise = "table",
  ) => model({name: name(part), reads, columns, materialise, sql: (_, run) => sql(run)});
  const given = (
    part: string,
    reads: readonly AnyModel[],
    columns: readonly DescribedColumn[],
    rows: (run: Run) => Rows | Promise<Rows>,
  ) => model({name: name(part), reads, columns, rows});
  const input = (names: readonly string[]) => (source: EntrySources["main"][number]) =>
    model({name: tableOf(source), columns: stagedColumns(names, "gathered" in source)});

  // With many rows, reading a cell twice is cheaper than storing the result.
  const stored = isBuild && entry.joins === undefined ? "view" : "table";
  const main = sources.main.map(input(mainNames(entry)));
  const joins = (entry.joins ?? []).map((join, i) => {
    const theirs = sources.joins[join.prefix] ?? [];
    const staged = theirs.map(input(joinNames(entry, join.prefix)));
    const names = joinNames(entry, join.prefix);
    return {
      join,
      staged,
      theirs: made(`theirs_${i}`, staged, cellColumns(names), () => theirsSql(entry, theirs, join.prefix)),
    };
  });
  const cells = made(
    "cells",
    main,
    cellColumns(mainNames(entry), true),
    () => cellsSql(entry, sources.main),
    stored,
  );
  const county = given(
    "county",
    [
      cells,
      ...joins.filter(({join}) => [join.on.ours].flat().includes("county_key")).map(({theirs}) => theirs),
    ],
    texts("cell county_key county_name fault"),
    (run) =>
      countyRows(run.db, entry, {
        cells: cells.name,
        theirs: joins.map(({join, theirs}) => ({join, table: theirs.name})),
      }),
  );
  let all = cells;
  const joinCounts: AnyModel[] = [];
  for (const [i, {join, theirs}] of joins.entries()) {
    const request = {entry, join};
    const ours = all;
    const byCounty = [join.on.ours].flat().includes("county_key") ? [county] : [];
    const keyed = made(`keyed_${i}`, [theirs, ...byCounty], keyedColumns(request), () =>
      keyedSql(request, {theirs: theirs.name, county: county.name}),
    );
    const single = made(`single_${i}`, [keyed], keyedColumns(request, join.many !== "list"), () =>
      singleSql(request, keyed.name),
    );
    all = made(
      `joined_${i}`,
      [ours, county, single],
      joinedColumns(request, ours.columns as DescribedColumn[]),
      () => joinedSql(request, {cells: ours.name, single: single.name, county: county.name}),
    );
    const joined = all;
    joinCounts.push(
      made(`join_counts_${i}`, [keyed, joined], joinCounted, () =>
        joinCountsSql({keyed: keyed.name, joined: joined.name}),
      ),
    );
  }
  const mapped = made(
    "mapped",
    [all],
    mappedColumns(entry),
    async (run) => mappedSql(entry, {cells: all.name, asOf: await run.value(asOfDate)}),
    stored,
  );
  const box = given("box", [county], boxColumns, (run) => boxRows(run.db, county.name));
  // A county's reply is too short to show a shape of its numbers.
  const hasShapes = isBuild && !("none" in entry.ids);
  const shape = made(
    "shape",
    hasShapes ? [mapped] : [],
    [column("file", "INTEGER", ""), column("shape", "VARCHAR", "")],
    () => shapesSql(entry, hasShapes ? mapped.name : null),
  );
  const parses = parsesOf(entry);
  const functions = value<ReadonlyMap<string, string>>(`functions of ${into}`);
  const functionOf = async (run: Run, parse: Parse) => (await run.value(functions)).get(parse.name)!;
  const questions = made(
    "questions",
    [mapped],
    parses.map(({name}) => column(name, "VARCHAR[]", "")),
    () => questionsSql(mapped.name, parses),
  );
  const asked = (parse: Parse, part = parse.name) =>
    made(part, [questions], answerColumns(parse), async (run) =>
      answersSql(
        parse,
        await functionOf(run, parse),
        `SELECT unnest(${sqlName(parse.name)}) AS question FROM ${questions.name}`,
      ),
    );
  const [situs, ...others] = parses as [Parse, ...Parse[]];
  // Address questions whose answer depends on the house number are asked again with the number.
  const plain = asked(situs, "situs_plain");
  const odd = made("odd", [plain], texts("question"), () => oddSql(plain.name));
  const numbered = model({
    name: name("situs_numbered"),
    reads: [mapped, odd],
    columns: answerColumns(situs),
    materialise: "table",
    nothingWithout: odd,
    sql: async (_, run) =>
      answersSql(situs, await functionOf(run, situs), numberedSql(mapped.name, odd.name)),
  });
  const answers = new Map<string, AnyModel>([
    [
      situs.name,
      made(
        "situs",
        [plain, numbered],
        answerColumns(situs),
        () => `FROM ${plain.name} UNION ALL FROM ${numbered.name}`,
        "view",
      ),
    ],
    ...others.map((parse) => [parse.name, asked(parse)] as const),
  ]);
  const conformed = model({
    name: into,
    reads: [mapped, county, box, shape, odd, ...answers.values()],
    columns: [
      ...conformedColumns.map(({name, kind}) => column(name, parquetTypes[kind], "")),
      ...conformedExtras.map(([name, type]) => column(name, type, "")),
    ],
    materialise: "file",
    derived: derivedColumns(entry, isBuild),
    sql: async (_, run) =>
      conformedSql(entry, {tables: name, asOf: await run.value(asOfDate), parses, isBuild}),
  });
  return {
    conformed,
    joinCounts,
    staged: [...main, ...joins.flatMap(({staged}) => staged)],
    async lend(run) {
      await ensureMacros(run.db);
      const lent = new Map<string, Awaited<ReturnType<typeof borrowUdf>>>();
      for (const {name, change} of parses) lent.set(name, await borrowUdf(run.db, `parsed_${name}`, change));
      run.give(functions, new Map([...lent].map(([parse, udf]) => [parse, udf.name])));
      return {
        end() {
          for (const udf of lent.values()) udf.end();
        },
      };
    },
  };
}

const texts = (names: string) => names.split(" ").map((name) => column(name, "VARCHAR", ""));
const boxColumns = [
  ...texts("county_key"),
  ...["west", "south", "east", "north"].map((name) => column(name, "DOUBLE", "")),
];
const joinCounted = [
  column("file", "INTEGER", ""),
  ...["all_rows", "lone", "keyless", "repeated"].map((name) => column(name, "BIGINT", "")),
];

function answerColumns({parts, lists}: Parse): DescribedColumn[] {
  return [
    column("question", "VARCHAR", ""),
    ...parts.map((part, n) => column(`p${n}`, lists.includes(part) ? "VARCHAR[]" : "VARCHAR", "")),
  ];
}

type ConformRequest = {
  readonly entry: ConformEntry;
  readonly sources: EntrySources;
  /** `YYYY-MM-DD`; later dates are considered wrong. */
  readonly asOf: string;
  /** The table to create: `conformedColumns` and `conformedExtras`, one row per source row. */
  readonly into: string;
};

/** Conforms the few staged rows of an entry. Only the staged tables and `into` remain. Returns the outcome of the rows of joined files. */
export async function conformEntry(
  db: Database,
  {entry, sources, asOf, into}: ConformRequest,
): Promise<JoinedRows[]> {
  const models = entryModels(entry, {into, sources, isBuild: false});
  const run = new ModelRun(db, {
    outputs: [models.conformed, ...models.joinCounts, ...models.staged],
    measures: false,
  });
  run.give(asOfDate, asOf);
  for (const staged of models.staged) await run.adopt(staged, {rows: 0, seconds: 0});
  const joined = await conform(run, entry, models);
  await run.release(...models.joinCounts);
  return joined;
}

/** Makes the conformed rows of an entry in a run that has its staged tables, and returns the outcome of the rows of joined files. */
export async function conform(
  run: ModelRun,
  entry: ConformEntry,
  models: EntryModels,
): Promise<JoinedRows[]> {
  const lent = await models.lend(run);
  try {
    await run.make(models.conformed, ...models.joinCounts);
  } finally {
    lent.end();
  }
  const outcomes: JoinedRows[] = [];
  for (const [i, {many}] of (entry.joins ?? []).entries())
    outcomes.push(...outcomesOf(await run.rows(models.joinCounts[i]!, "ORDER BY file"), many));
  return outcomes;
}
