import {type Database, sqlName} from "../../sql/duckdb.ts";
import type {ConformEntry} from "./column-references.ts";
import {borrowUdf} from "./functions.ts";
import {idParts, parsedIds} from "./id-sql.ts";
import {ownerParts, parsedOwner} from "./owner-sql.ts";
import {membersSql, partSql} from "./packed-text.ts";
import {mailParts, parsedMail} from "./parsed-mail.ts";
import {parsedSitus, questionWithNumber, situsParts} from "./parsed-situs.ts";
import {parsedUse, useParts} from "./parsed-use.ts";

/**
 * A question of the mapped table (`~<name>`): the parts of its answer, those that are lists, and the function
 * that answers it.
 */
export type Parse = {
  readonly name: string;
  readonly parts: readonly string[];
  readonly lists: readonly string[];
  readonly change: (text: string) => string | null;
};

/** The questions about the rows of an entry. */
export function parsesOf(entry: ConformEntry): Parse[] {
  const {ids, owners, coverage} = entry;
  const order = owners?.order ?? "unknown";
  const options = {
    numeric: !("none" in ids) && ids.numericSource === true,
    pad: "none" in ids ? null : (ids.pad ?? null),
  };
  const context = {state: coverage.state};
  const parse = (name: string, parts: readonly string[], change: Parse["change"], lists: string[] = []) => ({
    name,
    parts,
    lists,
    change,
  });
  return [
    parse("situs", situsParts, (text) => parsedSitus(text, context), ["alt_situs"]),
    parse("owner", ownerParts, (text) => parsedOwner(text, order), ["tokens"]),
    parse("mail", mailParts, parsedMail),
    parse("ids", idParts, (text) => parsedIds(text, options), ["alts", "altStds"]),
    parse("use", useParts, (text) => parsedUse(text, entry)),
  ];
}

/**
 * Creates the tables `<prefix><name>` with the distinct questions of the mapped table and the parts of their
 * answers (`p0`, `p1` ...), and `<prefix>odd` with the address questions whose answer depends on the house
 * number; those are asked again with the number.
 */
export async function makeParses(db: Database, prefix: string, parses: readonly Parse[]): Promise<void> {
  const [mapped, questions] = ["mapped", "questions"].map((name) => sqlName(`${prefix}${name}`));
  // A single pass collects all questions, because they share cells.
  const distinct = parses.map(({name}) => `list(DISTINCT ${sqlName(`~${name}`)}) AS ${sqlName(name)}`);
  await db.run(`CREATE TABLE ${questions} AS SELECT ${distinct.join(", ")} FROM ${mapped}`);
  for (const parse of parses) {
    const asked = `SELECT unnest(${sqlName(parse.name)}) AS question FROM ${questions}`;
    const udf = await borrowUdf(db, parse.change);
    try {
      const answers = (sql: string) => answersSql(parse, udf.name, sql);
      await db.run(`CREATE TABLE ${sqlName(`${prefix}${parse.name}`)} AS ${answers(asked)}`);
      if (parse.name === "situs") await askWithNumbers(db, prefix, {parse, answers});
    } finally {
      udf.end();
    }
  }
  await db.run(`DROP TABLE ${questions}`);
}

async function askWithNumbers(
  db: Database,
  prefix: string,
  {parse, answers}: {parse: Parse; answers: (questions: string) => string},
): Promise<void> {
  const [mapped, table, odd] = ["mapped", parse.name, "odd"].map((name) => sqlName(`${prefix}${name}`));
  await db.run(`CREATE TABLE ${odd} AS SELECT question FROM ${table} WHERE ${statusColumn} IS NULL`);
  if ((await db.rows(`SELECT 1 FROM ${odd} LIMIT 1`)).length === 0) return;
  const whole = `SELECT DISTINCT ${questionWithNumber("m")} AS question FROM ${mapped} m SEMI JOIN ${odd} d ON d.question = m."~situs"`;
  await db.run(`INSERT INTO ${table} ${answers(whole)}`);
}

/** Always set. */
const statusColumn = `p${situsParts.indexOf("situs_status")}`;

/** SELECT of questions with the parts of their answers, which the SQL function `answer` computes. */
function answersSql({parts, lists}: Parse, answer: string, questions: string): string {
  const columns = parts.map(
    (part, n) => `${lists.includes(part) ? membersSql("parts", n) : partSql("parts", n)} AS p${n}`,
  );
  return `SELECT question, ${columns.join(", ")} FROM (SELECT question, string_split(${answer}(question), chr(31)) AS parts FROM (${questions}))`;
}
