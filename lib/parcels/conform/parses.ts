import {sqlName} from "../../sql/duckdb.ts";
import type {ConformEntry} from "./column-references.ts";
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

/** SELECT of the distinct questions of the mapped table, in a single pass, because they share cells. */
export function questionsSql(mapped: string, parses: readonly Parse[]): string {
  const distinct = parses.map(({name}) => `list(DISTINCT ${sqlName(`~${name}`)}) AS ${sqlName(name)}`);
  return `SELECT ${distinct.join(", ")} FROM ${mapped}`;
}

/** SELECT of the address questions whose answer depends on the house number. */
export function oddSql(answers: string): string {
  return `SELECT question FROM ${answers} WHERE ${statusColumn} IS NULL`;
}

/** SELECT of those questions with the numbers of their rows. */
export function numberedSql(mapped: string, odd: string): string {
  return `SELECT DISTINCT ${questionWithNumber("m")} AS question FROM ${mapped} m SEMI JOIN ${odd} d ON d.question = m."~situs"`;
}

/** Always set. */
const statusColumn = `p${situsParts.indexOf("situs_status")}`;

/** SELECT of questions with the parts of their answers (`p0`, `p1` ...), which the SQL function `answer` computes. */
export function answersSql({parts, lists}: Parse, answer: string, questions: string): string {
  const columns = parts.map(
    (part, n) => `${lists.includes(part) ? membersSql("parts", n) : partSql("parts", n)} AS p${n}`,
  );
  return `SELECT question, ${columns.join(", ")} FROM (SELECT question, string_split(${answer}(question), chr(31)) AS parts FROM (${questions}))`;
}
