import {type Database, sqlName} from "../../sql/duckdb.ts";
import {lendTextFunction} from "./functions.ts";
import {idForms, idParts} from "./id-sql.ts";
import {ownerForms, ownerParts} from "./owner-sql.ts";
import {membersSql, partSql} from "./packed-text.ts";
import type {ConformEntry} from "./references.ts";
import {mailForms, mailParts, situsForms, situsParts, wholeQuestion} from "./situs-forms.ts";
import {useForms, useParts} from "./use-forms.ts";

/** A question of the mapped table (`~<name>`): the parts of its answer, those that are lists, and its function. */
export type Form = {
  readonly name: string;
  readonly parts: readonly string[];
  readonly lists: readonly string[];
  readonly change: (text: string) => string | null;
};

type IsKnownPlace = (city: string, state: string | null) => boolean;

/** Gives the questions about the rows of an entry. */
export function formsOf(entry: ConformEntry, isKnownPlace: IsKnownPlace | undefined): Form[] {
  const {ids, owners, coverage} = entry;
  const order = owners?.order ?? "unknown";
  const options = {
    numeric: !("none" in ids) && ids.numericSource === true,
    pad: "none" in ids ? null : (ids.pad ?? null),
  };
  const context = {state: coverage.state, ...(isKnownPlace === undefined ? {} : {isKnownPlace})};
  const form = (name: string, parts: readonly string[], change: Form["change"], lists: string[] = []) => ({
    name,
    parts,
    lists,
    change,
  });
  return [
    form("situs", situsParts, (text) => situsForms(text, context)),
    form("owner", ownerParts, (text) => ownerForms(text, order), ["tokens"]),
    form("mail", mailParts, mailForms),
    form("ids", idParts, (text) => idForms(text, options), ["alts", "altStds"]),
    form("use", useParts, (text) => useForms(text, entry)),
  ];
}

/**
 * Makes tables `<prefix><name>` of the distinct questions of the mapped table with the parts of their answers (`p0`, `p1`
 * ...), and `<prefix>odd` of the questions on addresses whose answer depends on the house number, which are repeated with
 * the number.
 */
export async function makeForms(db: Database, prefix: string, forms: readonly Form[]): Promise<void> {
  const [mapped, questions] = ["mapped", "questions"].map((name) => sqlName(`${prefix}${name}`));
  // One pass serves all questions, because they share cells.
  const distinct = forms.map(({name}) => `list(DISTINCT ${sqlName(`~${name}`)}) AS ${sqlName(name)}`);
  await db.run(`CREATE TABLE ${questions} AS SELECT ${distinct.join(", ")} FROM ${mapped}`);
  for (const form of forms) {
    const asked = `SELECT unnest(${sqlName(form.name)}) AS question FROM ${questions}`;
    const lent = await lendTextFunction(db, form.change);
    try {
      const answers = (sql: string) => answersSql(form, lent.name, sql);
      await db.run(`CREATE TABLE ${sqlName(`${prefix}${form.name}`)} AS ${answers(asked)}`);
      if (form.name === "situs") await askWhole(db, prefix, {form, answers});
    } finally {
      lent.end();
    }
  }
  await db.run(`DROP TABLE ${questions}`);
}

async function askWhole(
  db: Database,
  prefix: string,
  {form, answers}: {form: Form; answers: (questions: string) => string},
): Promise<void> {
  const [mapped, table, odd] = ["mapped", form.name, "odd"].map((name) => sqlName(`${prefix}${name}`));
  await db.run(`CREATE TABLE ${odd} AS SELECT question FROM ${table} WHERE ${statusColumn} IS NULL`);
  if ((await db.rows(`SELECT 1 FROM ${odd} LIMIT 1`)).length === 0) return;
  const whole = `SELECT DISTINCT ${wholeQuestion("m")} AS question FROM ${mapped} m SEMI JOIN ${odd} d ON d.question = m."~situs"`;
  await db.run(`INSERT INTO ${table} ${answers(whole)}`);
}

/** Always set. */
const statusColumn = `p${situsParts.indexOf("situs_status")}`;

/** SELECT of questions with the parts of their answers, which the SQL function `answer` gives. */
function answersSql({parts, lists}: Form, answer: string, questions: string): string {
  const columns = parts.map(
    (part, n) => `${lists.includes(part) ? membersSql("parts", n) : partSql("parts", n)} AS p${n}`,
  );
  return `SELECT question, ${columns.join(", ")} FROM (SELECT question, string_split(${answer}(question), chr(31)) AS parts FROM (${questions}))`;
}
