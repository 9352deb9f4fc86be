import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {makeViews} from "../../lib/sql/build-views.ts";
import {type Database, openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {buildFolder, currentBuildId} from "../../lib/storage/data-folder.ts";
import {buildOptions} from "../../pipeline/commands/build-commands.ts";
import {build} from "../../pipeline/publish/build.ts";
import {type Question, questions} from "../cookbook/cookbook-pages.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";

const folder = temporaryFolder();
let db: Database;
let parameters: Readonly<Record<string, string | number>>;

/** Questions without rows in the corpus, with the reason. */
const withoutRows: Readonly<Record<number, string>> = {
  15: "no parcel of the corpus with a land use lies near a barn of it",
};

beforeAll(async () => {
  if (corpus === null) return;
  const states = {market: true, state: ["AZ"]};
  const options = await buildOptions({raw: corpus, out: folder, asOf: "2026-08-24", reuse: true, ...states});
  expect((await build(options)).outcome).toBe("published");
  db = await openDatabase();
  await makeViews(db, buildFolder(options.data, (await currentBuildId(options.data))!));
  parameters = await parametersOf(db);
}, 1_800_000);
afterAll(() => db?.close());

/** Values that a person would substitute for the sample's after a look at the build. */
async function parametersOf(db: Database): Promise<typeof parameters> {
  const [priced] = await db.rows<{cell: string; state: string}>(`
    SELECT cell_id AS cell, state FROM latest_prices SEMI JOIN state_prices USING (cell_id) SEMI JOIN weekly_prices USING (cell_id)
    WHERE commodity = 'feeder_cattle' GROUP BY ALL ORDER BY count(*) DESC, cell, state LIMIT 1`);
  const [graded] = await db.rows<{state: string}>(`
    SELECT state FROM state_prices WHERE class = 'steers' AND frame = 'medium_and_large' AND muscle_grade = '1'
    GROUP BY state ORDER BY count(*) DESC, state LIMIT 1`);
  const [owners] = await db.rows<{county: string}>(`
    SELECT county_key AS county FROM landowners_by_county GROUP BY ALL ORDER BY count(*) DESC LIMIT 1`);
  const [box] = await db.rows<{west: number; south: number; east: number; north: number}>(`
    SELECT min(bbox.xmin) AS west, min(bbox.ymin) AS south, max(bbox.xmax) AS east, max(bbox.ymax) AS north FROM boundaries`);
  return {...priced!, ...owners!, ...box!, graded: graded!.state};
}

/** The query of a question with values of this build; questions 4 and 5 ask for a state by its grades. */
function asked({sql, number}: Question): string {
  return sql.replaceAll(/^SET VARIABLE (\w+) = (.*);$/gm, (line, name: string) => {
    const value = parameters[name === "state" && number < 6 ? "graded" : name];
    if (value === undefined) return line;
    return `SET VARIABLE ${name} = ${typeof value === "number" ? value : sqlText(value)};`;
  });
}

describe.skipIf(corpus === null)("the cookbook on a build of real files", () => {
  it.each(questions())("answers question $number: $heading", async (question) => {
    const rows = await db.rows(asked(question));
    expect([rows.length > 0, withoutRows[question.number]]).toEqual(
      withoutRows[question.number] === undefined ? [true, undefined] : [false, expect.any(String)],
    );
  });
});
